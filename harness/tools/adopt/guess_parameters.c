// SPDX-License-Identifier: Apache-2.0
// Guesses each word of a shader's parameters: by its name and type, then by elimination.
#include "dictionary.h"

#include "../../base/text.h"
#include "../../../reference/operator.h"

#include <string.h>

enum { MOST_NAMES = OPERATOR_DIMS * 2 + OPERATOR_PARAMS };

// The candidates for words: given dims, derived dims and parameters.
struct wanted {
    const char *names[MOST_NAMES];
    bool real[MOST_NAMES], used[MOST_NAMES];
    int count, given; // given: how many given dims come first
    bool length;      // a word without a meaning has received the length of the output
};

static void add(struct wanted *w, const char *name, bool real) {
    w->names[w->count] = name;
    w->real[w->count++] = real;
}

static struct wanted wanted_of(const struct op *op) {
    struct wanted out = {0};
    for (int i = 0; i < operator_dims(op); i++) add(&out, op->dims[i], false);
    out.given = out.count;
    for (int i = 0; i < operator_derived(op); i++) add(&out, op->derived[i], false);
    for (int i = 0; i < operator_params(op); i++) add(&out, op->params[i].name, !op->params[i].integer);
    return out;
}

static int best_for(const struct op *op, const struct wanted *w, const char *name, bool real, int least) {
    int best = -1, fits = least - 1;
    for (int i = w->count - 1; i >= 0; i--) { // the first of equals wins
        const int s = w->real[i] == real && (!w->used[i] || least == 3) ? guess_fits(op, w->names[i], name) : 0;
        if (s >= fits && s >= least) {
            best = i;
            fits = s;
        }
    }
    return best;
}

// Reads "inv_cols" and "one_over_n" as 1 over a dim.
static struct json_object *derived_real(struct guess *g, const struct wanted *w, const char *name) {
    static const char *const starts[] = {"inv_", "inv", "recip_", "one_over_", "rcp_", NULL};
    for (int i = 0; starts[i]; i++) {
        if (strncmp(name, starts[i], strlen(starts[i])) != 0) continue;
        const int of = best_for(g->op, w, name + strlen(starts[i]), false, 2);
        struct json_object *object = json_object_new_object();
        json_put_string(object, "inverse", w->names[of >= 0 ? of : w->given - 1]);
        if (of < 0) guess_note(g, "\"%s\" is taken for 1 over %s", name, w->names[w->given - 1]);
        return object;
    }
    return NULL;
}

static struct json_object *take(struct wanted *w, int which) {
    w->used[which] = true;
    return json_object_new_string(w->names[which]);
}

// Takes the words that the project's dictionary gives.
static void known_words(
    struct guess *g, const struct reflected_block *block, int count, struct wanted *w, struct json_object **words) {
    const char *block_name = "";
    for (int i = g->reflection->shader.binding_count; !block->push && i-- > 0;) {
        const struct shader_binding *b = &g->reflection->shader.bindings[i];
        if (b->set == block->set && b->binding == block->binding) block_name = b->name;
    }
    for (int i = 0, index = 0; i < count; i++) {
        index = i && strcmp(block->names[i], block->names[i - 1]) == 0 ? index + 1 : 0;
        if (block->block->words[i] == '.') continue;
        words[i] = dictionary_word(g, block_name, block->names[i], index);
        for (int k = 0; words[i] && json_object_is_type(words[i], json_type_string) && k < w->count; k++)
            if (strcmp(w->names[k], json_object_get_string(words[i])) == 0) w->used[k] = true;
    }
}

// Guesses by elimination. An integer is the next unused given dim or integer parameter, then once the length of the
// output. A float is the next unused float parameter. Any other word is given 0.
static struct json_object *by_elimination(struct guess *g, struct wanted *w, const char *name, bool real) {
    for (int i = 0; i < w->count; i++) {
        if (w->used[i] || w->real[i] != real || (!real && i >= w->given && i < w->given + operator_derived(g->op)))
            continue;
        guess_note(g, "\"%s\" is taken for %s", name, w->names[i]);
        return take(w, i);
    }
    for (int o = 0; !real && !w->length && o < operator_operands(g->op); o++) {
        if (g->op->operands[o].role == ROLE_IN) continue;
        w->length = true;
        struct json_object *object = json_object_new_object();
        json_put_string(object, "elements", g->op->operands[o].name);
        guess_note(g, "\"%s\" is taken for the number of elements of %s", name, g->op->operands[o].name);
        return object;
    }
    guess_note(g, "\"%s\" is not known: it is given 0", name);
    return json_object_new_string("pad");
}

static bool is_total(const char *name) {
    return strncmp(name, "total", 5) == 0 || strstr(name, "numel") || strstr(name, "num_elements") ||
           strstr(name, "elem_count");
}

static struct json_object *length_of_output(const struct op *op) {
    struct json_object *object = json_object_new_object();
    for (int o = 0; o < operator_operands(op); o++)
        if (op->operands[o].role != ROLE_IN) json_put_string(object, "elements", op->operands[o].name);
    return object;
}

static bool holds(const char *name, const char *const *words) {
    for (int i = 0; words[i]; i++)
        if (strcasestr(name, words[i])) return true;
    return false;
}

// Guesses an integer by its name. An offset is 0, and a stride is the length of a line. A batch size is 1 in a kernel
// of one dim. A count of groups in a later pass is the number of results from the pass before.
static struct json_object *plain_integer(struct guess *g, struct wanted *w, const char *name) {
    static const char *const offsets[] = {"offset", "offs", NULL}, *const strides[] = {"stride", "pitch", NULL};
    static const char *const outer[] = {"batch", "outer", NULL};
    static const char *const left[] = {"groups", "blocks", "partial", "num_wg", NULL};
    const char *dim = w->names[w->given - 1];
    if (g->left && holds(name, left)) {
        g->left_given = true;
        guess_note(g, "\"%s\" is taken for how much the pass before has left", name);
        return json_object_get(g->left);
    }
    if (holds(name, offsets)) {
        guess_note(g, "\"%s\" is given 0", name);
        return json_object_new_int(0);
    }
    if (holds(name, strides) && w->given > 1) {
        guess_note(g, "\"%s\" is taken for the length of a line, %s", name, dim);
        return take(w, w->given - 1);
    }
    if (holds(name, outer) && w->given == 1) {
        guess_note(g, "\"%s\" is given 1: %s is all there is", name, dim);
        return json_object_new_int(1);
    }
    return NULL;
}

// ---- fractions of dims

// Returns by how much the word's dim is divided: 2 for "half_cols", 4 for "cols4" and "n_vec4". *stem receives the rest
// of the name. 1: the word is no fraction.
static int fraction_of(struct guess *g, const char *name, const char **stem) {
    static const struct {
        const char *mark;
        int by;
    } marks[] = {{"_half", 2}, {"half_", 2}, {"_vec4", 4}, {"_div4", 4}, {"_4", 4}, {"4", 4}};
    *stem = name;
    if (operator_dim_index(g->op, name) >= 0) return 1;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *at = strstr(name, marks[i].mark), *end = at ? at + strlen(marks[i].mark) : NULL;
        if (!at || (at != name && *end) || (at == name && !*end)) continue;
        *stem = arena_format(g->arena, "%.*s%s", (int)(at - name), name, end);
        return marks[i].by;
    }
    return 1;
}

// Divides the guessed dim of a word with the name of a fraction. Only sizes without a rest occur.
static struct json_object *divided(struct guess *g, const char *name, struct json_object *word) {
    const char *stem, *dim = json_object_get_string(word);
    const int by = fraction_of(g, name, &stem);
    if (by == 1 || !json_object_is_type(word, json_type_string) || operator_dim_index(g->op, dim) < 0 ||
        (by == 4 && guess_fits(g->op, dim, stem) < 2))
        return word;
    struct json_object *share = guess_axis(&dim, 1, NULL, by);
    guess_rule(g, "multiple", json_object_new_string(dim), json_object_new_int(by), "whole vectors");
    guess_note(g, "\"%s\" is taken for %s / %d", name, dim, by);
    json_object_put(word);
    return share;
}

// ---- other assignments

enum { SLOTS = 4, MOST_FIT = 2 * SLOTS };

// Words with an open meaning, and the values for them: given dims, then the elements of the output.
struct slots {
    int at[SLOTS], count, values;
    uint32_t wanted; // dims without another word, as bits
};

static struct slots slots_of(struct guess *g, const struct reflected_block *block, int count, const struct wanted *w,
    struct json_object **words) {
    struct slots s = {.values = w->given + 1};
    uint32_t known = 0;
    for (int i = 0; i < count; i++) {
        const char *name = block->names[i], *is = json_object_get_string(words[i]);
        const bool text = json_object_is_type(words[i], json_type_string);
        const int dim = text ? operator_dim_index(g->op, is) : -1;
        const bool open = dim >= 0 ? guess_fits(g->op, is, name) < 3
                          : text   ? *is == 'p' && !guess_is_pad(name)
                                   : json_get(words[i], "elements") != NULL;
        if (block->block->words[i] == 'i' && open && s.count < SLOTS)
            s.at[s.count++] = i;
        else if (dim >= 0)
            known |= 1u << dim;
    }
    for (int c = 0; c < REFLECTED_CONSTANTS; c++)
        if (g->of_constant[c] && operator_dim_index(g->op, g->of_constant[c]) >= 0)
            known |= 1u << operator_dim_index(g->op, g->of_constant[c]);
    s.wanted = ((1u << w->given) - 1) & ~known;
    return s;
}

// Returns how well the names fit the values of a code, a digit for each slot; -1: it is not plausible. Each open dim
// has a word if there are enough, and no dim has two if there are too few.
static int fit_of(const struct guess *g, const struct reflected_block *block, const struct slots *s, int code) {
    uint32_t seen = 0;
    int fit = 0, repeats = 0, wanted = 0;
    for (int i = 0; i < s->count; i++, code /= s->values) {
        const int value = code % s->values;
        const bool again = seen & 1u << value;
        repeats += again;
        if (value == s->values - 1 && again) return -1;
        seen |= 1u << value;
        if (value < s->values - 1) fit += guess_fits(g->op, g->op->dims[value], block->names[s->at[i]]);
    }
    for (int d = 0; d < s->values - 1; d++) wanted += (s->wanted & 1u << d) != 0;
    const bool enough = s->count >= wanted;
    if (enough ? (seen & s->wanted) != s->wanted : repeats || (seen & ~s->wanted)) return -1;
    return fit < MOST_FIT ? fit : MOST_FIT;
}

// Removes the notes of a word.
static void drop_notes(struct guess *g, const char *name) {
    const char *start = arena_format(g->arena, "GUESS: \"%s\" ", name);
    for (size_t i = json_object_array_length(g->notes); i-- > 0;)
        if (strncmp(json_object_get_string(json_object_array_get_idx(g->notes, i)), start, strlen(start)) == 0)
            json_object_array_del_idx(g->notes, i, 1);
}

// Assigns the open words as the turn says: plausible assignments in the order of their names' fit.
static void turn_words(struct guess *g, const struct reflected_block *block, int count, const struct wanted *w,
    struct json_object **words) {
    const struct slots s = slots_of(g, block, count, w, words);
    int codes = 1, left = g->turn->words;
    for (int i = 0; i < s.count; i++) codes *= s.values;
    if (!s.count || g->turned) return;
    for (int fit = MOST_FIT; fit >= 0; fit--)
        for (int code = 0; code < codes; code++) {
            if (fit_of(g, block, &s, code) != fit || --left) continue;
            for (int i = 0, rest = code; i < s.count; i++, rest /= s.values) {
                const int value = rest % s.values;
                json_object_put(words[s.at[i]]);
                drop_notes(g, block->names[s.at[i]]);
                words[s.at[i]] =
                    value < s.values - 1 ? json_object_new_string(g->op->dims[value]) : length_of_output(g->op);
                guess_note(g, "\"%s\" is taken for %s", block->names[s.at[i]],
                    value < s.values - 1 ? g->op->dims[value] : "the number of results");
            }
            g->turned = true;
            return;
        }
}

// Guesses the words of one block in rounds: exact names first, then synonyms, then generic words, then by
// elimination.
static struct json_object *words_of(struct guess *g, const struct reflected_block *block, struct wanted *w) {
    const int count =
        (int)((block->block->bytes + 3) / 4) < INTERFACE_WORDS ? (int)((block->block->bytes + 3) / 4) : INTERFACE_WORDS;
    struct json_object *words[INTERFACE_WORDS] = {0}, *list = json_object_new_array();
    known_words(g, block, count, w, words);
    for (int least = 3; least >= 0; least--)
        for (int i = 0; i < count; i++) {
            const char kind = block->block->words[i], *name = block->names[i];
            const bool real = kind == 'f';
            if (words[i]) continue;
            // Components of a vector share a name, which means the first of them.
            const bool further = i && *name && strcmp(name, block->names[i - 1]) == 0;
            const bool is_named = operator_dim_index(g->op, name) >= 0 || operator_param_index(g->op, name) >= 0;
            if (kind == '.' || (guess_is_pad(name) && !is_named)) {
                words[i] = json_object_new_string("pad");
                continue;
            }
            if (!*name) name = arena_format(g->arena, "word %d", i);
            if (further && least) continue;
            const char *stem;
            if (!real) fraction_of(g, name, &stem);
            const int found = least ? best_for(g->op, w, real ? name : stem, real, least) : -1;
            if (found >= 0)
                words[i] = take(w, found);
            else if (least == 2 && real)
                words[i] = derived_real(g, w, name);
            else if (least == 2 && is_total(name) && w->given > 1)
                words[i] = length_of_output(g->op);
            else if (least == 1 && (kind == 'i' || kind == '*'))
                words[i] = plain_integer(g, w, name);
            else if (!least)
                words[i] = by_elimination(g, w, name, real);
        }
    if (g->turn && g->turn->words) turn_words(g, block, count, w, words);
    for (int i = 0; i < count; i++) json_object_array_add(list, divided(g, block->names[i], words[i]));
    return list;
}

static void put_place(struct json_object *object, const struct reflected_block *block) {
    if (block->set) json_put_int(object, "set", block->set);
    json_put_int(object, "binding", block->binding);
}

static struct json_object *block_json(const struct reflected_block *block, struct json_object *words) {
    struct json_object *object = json_object_new_object();
    json_put_string(object, "in", block->push ? "push" : block->storage ? "storage" : "uniform");
    if (!block->push) put_place(object, block);
    json_put(object, "members", words);
    return object;
}

// Guesses an array of integers: all given dims without another word, the innermost first.
static struct json_object *array_json(struct guess *g, const struct shader_binding *b, struct wanted *w) {
    const struct reflected_block block = {.storage = true, .set = b->set, .binding = b->binding};
    struct json_object *words = json_object_new_array();
    struct text text = {0};
    for (int i = w->given - 1; i >= 0; i--) {
        if (w->used[i]) continue;
        text_format(&text, "%s%s", text.length ? ", " : "", w->names[i]);
        json_object_array_add(words, take(w, i));
    }
    if (!json_object_array_length(words))
        guess_fail(g, "binding %u of set %u, \"%s\", is an array of integers without a known meaning", b->binding,
            b->set, b->name);
    guess_note(g, "\"%s\" is taken for an array of parameters: %s", *b->name ? b->name : b->member, text_str(&text));
    text_free(&text);
    return block_json(&block, words);
}

// Adds rules for options without a word. The shader has one fixed setting of each, so only cases with this setting
// are checked.
static void put_options(struct guess *g, const struct wanted *w) {
    static const struct {
        const char *dim;
        int64_t is;
    } plain[] = {{"dilation", 1}, {"groups", 1}, {"stride", 1}, {"pad", 0}};
    for (size_t p = 0; p < sizeof plain / sizeof *plain; p++)
        for (int i = 0; i < w->given; i++) {
            if (w->used[i] || strcmp(w->names[i], plain[p].dim) != 0) continue;
            struct json_object *is = plain[p].is ? json_object_new_int64(plain[p].is) : json_object_new_array();
            if (!plain[p].is) { // only 0 is twice itself
                json_object_array_add(is, json_object_new_string(plain[p].dim));
                json_object_array_add(is, json_object_new_int(2));
            }
            guess_rule(g, "equal", json_object_new_string(plain[p].dim), is,
                arena_format(g->arena, "the shader takes no %s", plain[p].dim));
            guess_note(g, "the shader takes no %s: cases where it is %d are checked", plain[p].dim, (int)plain[p].is);
        }
}

static bool has_word(const struct guess *g, const char *dim) {
    for (int b = 0; b < g->reflection->block_count; b++) {
        const struct reflected_block *block = &g->reflection->blocks[b];
        for (uint32_t i = 0; i < block->block->bytes / 4 && i < INTERFACE_WORDS; i++)
            if (guess_fits(g->op, dim, block->names[i]) >= 2) return true;
    }
    return false;
}

// Finds constants with the name of a dim that no member of a block has: their host makes a pipeline for each size.
static void take_constants(struct guess *g, struct wanted *w) {
    for (int least = 3; least >= 2; least--)
        for (int i = 0; i < g->reflection->constant_count; i++) {
            const struct reflected_constant *c = &g->reflection->constants[i];
            const int found = c->kind == 'i' && !g->of_constant[i] ? best_for(g->op, w, c->name, false, least) : -1;
            bool known;
            dictionary_constant(g, c, &known);
            if (found < 0 || w->used[found] || found >= w->given + operator_derived(g->op) || known ||
                has_word(g, w->names[found]))
                continue;
            w->used[found] = true;
            g->of_constant[i] = w->names[found];
            if (least < 3) guess_note(g, "constant %s is taken for %s", c->name, w->names[found]);
        }
}

static void put_blocks(struct guess *g, struct wanted *wanted) {
    struct json_object *list = json_object_new_array();
    const struct reflected_block *first = &g->reflection->blocks[0];
    if (g->reflection->block_count == 1 && !first->storage && !g->array_count) {
        struct json_object *words = words_of(g, first, wanted), *uniform = json_object_new_object();
        json_object_put(list);
        if (first->push) {
            json_object_put(uniform);
            json_put(g->kernel, "push", words);
            return;
        }
        put_place(uniform, first);
        json_put(uniform, "members", words);
        json_put(g->kernel, "uniform", uniform);
        return;
    }
    for (int i = 0; i < g->reflection->block_count; i++)
        json_object_array_add(
            list, block_json(&g->reflection->blocks[i], words_of(g, &g->reflection->blocks[i], wanted)));
    for (int i = 0; i < g->array_count; i++) json_object_array_add(list, array_json(g, g->arrays[i], wanted));
    if (g->reflection->block_count + g->array_count)
        json_put(g->kernel, "parameters", list);
    else
        json_object_put(list);
}

void guess_parameters(struct guess *g) {
    struct wanted wanted = wanted_of(g->op);
    take_constants(g, &wanted);
    put_blocks(g, &wanted);
    if (g->turn && g->turn->words && !g->turned) guess_fail(g, "its words have no other meaning");
    if (g->reflection->block_count + g->array_count + g->reflection->constant_count) put_options(g, &wanted);
}

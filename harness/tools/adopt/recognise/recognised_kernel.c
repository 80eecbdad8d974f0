// SPDX-License-Identifier: Apache-2.0
// A manifest's kernel from recordings, without its grid. The meaning of a word must be the same in all of them.
#include "writing.h"

#include "../guess_kernel.h"

#include "../../../../reference/operator.h"
#include "../../../shader/manifest/kernel.h"
#include "../../../../reference/table.h"
#include "../../../base/file.h"

#include <math.h>
#include <string.h>

enum { NO_DIM = -1, MOST_AXES = 6 };

// ---- words

static uint32_t bits_at(const struct writing *w, int recording, int word) {
    return w->from->recordings[recording].words[word].bits;
}

static bool is_dim(const struct writing *w, int word, int dim) {
    for (int r = 0; r < w->from->count; r++)
        if (bits_at(w, r, word) != writing_fit(w, r)->dims[dim]) return false;
    return true;
}

// Returns the dim that the word equals in every recording. Its own name decides among several, then the
// first one without a word.
static int dim_of(struct writing *w, int word) {
    const char *name = w->from->recordings[0].words[word].name;
    int found = NO_DIM, several = 0;
    for (int d = 0; d < writing_dims(w->op); d++) {
        if (!is_dim(w, word, d)) continue;
        if (strcmp(name, writing_dim(w->op, d)) == 0) return d;
        if (found == NO_DIM || (w->named[found] && !w->named[d])) found = d;
        several++;
    }
    if (several > 1)
        json_object_array_add(w->notes,
            json_object_new_string(arena_format(w->arena,
                "word %d is taken for %s: other dims are equal in each recording", word, writing_dim(w->op, found))));
    return found;
}

static bool is_param(const struct writing *w, int word, int param) {
    for (int r = 0; r < w->from->count; r++) {
        const double value = writing_fit(w, r)->params[param];
        const float real = (float)value;
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        if (w->op->params[param].integer) bits = (uint32_t)(int32_t)value;
        if (bits_at(w, r, word) != bits) return false;
    }
    return true;
}

static bool is_constant(const struct writing *w, int word) {
    for (int r = 1; r < w->from->count; r++)
        if (bits_at(w, r, word) != bits_at(w, 0, word)) return false;
    return true;
}

static bool is_elements(const struct writing *w, int word, int operand) {
    for (int r = 0; r < w->from->count; r++)
        if (bits_at(w, r, word) != fit_elements(writing_fit(w, r), operand)) return false;
    return true;
}

static bool is_quotient(const struct writing *w, int word, int dim, int64_t by) {
    for (int r = 0; r < w->from->count; r++)
        if (bits_at(w, r, word) != (writing_fit(w, r)->dims[dim] + by - 1) / by) return false;
    return true;
}

static bool is_groups(const struct writing *w, int word, int axis) {
    for (int r = 0; r < w->from->count; r++)
        if (bits_at(w, r, word) != w->from->recordings[r].grid[axis]) return false;
    return true;
}

enum as_float { AS_FLOAT, AS_INVERSE, AS_ROOT, AS_FLOATS };
static bool is_float(const struct writing *w, int word, int dim, enum as_float as) {
    for (int r = 0; r < w->from->count; r++) {
        const double size = (double)writing_fit(w, r)->dims[dim];
        const float real = (float)(as == AS_FLOAT ? size : as == AS_INVERSE ? 1 / size : 1 / sqrt(size));
        uint32_t bits;
        memcpy(&bits, &real, sizeof bits);
        if (bits_at(w, r, word) != bits) return false;
    }
    return true;
}

static struct json_object *literal(const struct writing *w, int word) {
    const struct seen_word *seen = &w->from->recordings[0].words[word];
    float real;
    memcpy(&real, &seen->bits, sizeof real);
    if (seen->kind != 'f') return json_object_new_int((int32_t)seen->bits);
    return isfinite(real) ? json_object_new_double_s((double)real, arena_format(w->arena, "%#.9g", (double)real))
                          : json_object_new_string(isnan(real) ? "nan"
                                                   : real < 0  ? "-inf"
                                                               : "inf");
}

// ---- shapes

// Words of a tensor's shape: their product is the number of an operand's elements in every recording.
struct run {
    int from, end, operand;
};

static bool is_run(const struct writing *w, struct run run) {
    for (int r = 0; r < w->from->count; r++) {
        const int64_t elements = fit_elements(writing_fit(w, r), run.operand);
        int64_t product = 1;
        for (int i = run.from; i < run.end; i++)
            if (!bits_at(w, r, i) || __builtin_mul_overflow(product, bits_at(w, r, i), &product)) return false;
        if (product != elements) return false;
    }
    for (int i = run.from; i < run.end; i++)
        if (is_elements(w, i, run.operand)) return false;
    return true;
}

// Returns whether the word is the product of the run's last words in every recording: the stride of an axis.
static bool is_stride(const struct writing *w, int word, struct run run) {
    for (int from = run.from + 1; from < run.end; from++) {
        int r = 0;
        for (; r < w->from->count; r++) {
            int64_t product = 1;
            for (int i = from; i < run.end; i++) product *= bits_at(w, r, i);
            if (bits_at(w, r, word) != product) break;
        }
        if (r == w->from->count) return true;
    }
    return false;
}

// Builds a word of a shape that the operator sees as one dim, or of the shape's strides. The shape is written with a
// single long axis, the last. NULL: the word is of none.
static struct json_object *shape_word(const struct writing *w, int word) {
    const struct sighting *first = &w->from->recordings[0];
    for (int length = 2; length <= MOST_AXES; length++)
        for (int from = 0; from + length <= first->word_count; from++)
            for (int o = 0; o < operator_operands(w->op); o++) {
                const struct run run = {from, from + length, o};
                const bool inside = word >= run.from && word < run.end;
                if (first->words[from].block != first->words[run.end - 1].block || !is_run(w, run)) continue;
                if (word == run.end - 1 || (!inside && is_stride(w, word, run)))
                    return writing_member("elements", json_object_new_string(w->op->operands[o].name));
                if (inside) return json_object_new_int(1);
            }
    return NULL;
}

// Builds a word that follows from dims in another way than being one; NULL: it does not.
static struct json_object *derived_word(const struct writing *w, int word) {
    static const char *const keys[AS_FLOATS] = {"float", "inverse", "inverse_sqrt"};
    const bool real = w->from->recordings[0].words[word].kind == 'f';
    for (int i = 0; i < operator_operands(w->op) && !real; i++)
        if (is_elements(w, word, i)) return writing_member("elements", json_object_new_string(w->op->operands[i].name));
    for (int d = 0; d < writing_dims(w->op); d++) {
        for (int64_t by = 2; by <= 1024 && !real; by *= 2)
            if (is_quotient(w, word, d, by)) {
                struct json_object *out = writing_member("over", json_object_new_string(writing_dim(w->op, d)));
                json_put_int(out, "by", by);
                return out;
            }
        for (enum as_float as = 0; as < AS_FLOATS && real; as++)
            if (is_float(w, word, d, as))
                return writing_member(keys[as], json_object_new_string(writing_dim(w->op, d)));
    }
    for (int axis = 0; axis < 3 && !real; axis++)
        if (is_groups(w, word, axis)) return writing_member("groups", json_object_new_int(axis));
    return NULL;
}

static struct json_object *word_json(struct writing *w, int word) {
    const struct seen_word *seen = &w->from->recordings[0].words[word];
    if (seen->kind == '.') return json_object_new_string("pad");
    for (int p = 0; p < operator_params(w->op); p++)
        if ((seen->kind == '*' || (seen->kind == 'f') != w->op->params[p].integer) && !w->given[p] &&
            is_param(w, word, p)) {
            w->given[p] = true;
            return json_object_new_string(w->op->params[p].name);
        }
    const int dim = seen->kind == 'f' ? NO_DIM : dim_of(w, word);
    if (dim != NO_DIM) {
        w->named[dim] = true;
        return json_object_new_string(writing_dim(w->op, dim));
    }
    struct json_object *axis = seen->kind == 'f' ? NULL : shape_word(w, word);
    if (axis) return axis;
    if (is_constant(w, word) && (w->from->count > 1 || seen->bits == 0)) return literal(w, word);
    struct json_object *out = derived_word(w, word);
    if (out || !is_constant(w, word)) return out;
    json_object_array_add(
        w->notes, json_object_new_string(arena_format(w->arena, "word %d is the same at every size", word)));
    return literal(w, word);
}

static bool put_blocks(struct writing *w) {
    const struct reflection *reflection = w->from->reflection;
    const struct sighting *first = &w->from->recordings[0];
    struct json_object *blocks = json_object_new_array();
    for (int b = 0, word = 0; b < reflection->block_count; b++) {
        const struct reflected_block *block = &reflection->blocks[b];
        struct json_object *out = json_object_new_object(), *members = json_object_new_array();
        json_put_string(out, "in", block->push ? "push" : block->storage ? "storage" : "uniform");
        if (!block->push) json_put_int(out, "set", block->set), json_put_int(out, "binding", block->binding);
        for (; word < first->word_count && first->words[word].block == b; word++) {
            struct json_object *member = word_json(w, word);
            if (!member)
                w->why = arena_format(w->arena, "word %d of its %s does not follow from the dims",
                    first->words[word].at, block->push ? "push constants" : "block of parameters");
            json_object_array_add(members, member);
        }
        json_put(out, "members", members);
        json_object_array_add(blocks, out);
    }
    if (json_object_array_length(blocks))
        json_put(w->kernel, "parameters", blocks);
    else
        json_object_put(blocks);
    return !w->why;
}

// ---- bindings

static void put_bindings(struct writing *w) {
    const struct fit *fit = writing_fit(w, 0);
    struct json_object *bindings = json_object_new_array(), *shared = json_object_new_object();
    struct json_object *fixed = json_object_new_object();
    int8_t holder[OPERATOR_OPERANDS];
    memset(holder, -1, sizeof holder);
    for (int i = 0; i < operator_operands(w->op); i++) {
        const char *name = w->op->operands[i].name;
        const int at = fit->buffer[i];
        if (at < 0) {
            json_put_double(fixed, name, fit->fixed[i]);
            continue;
        }
        if (holder[at] >= 0) { // both are in one buffer, the input first
            const char *other = w->op->operands[holder[at]].name;
            const bool output = w->op->operands[i].role == ROLE_OUT;
            json_put_string(shared, output ? name : other, output ? other : name);
        }
        if (holder[at] < 0 || w->op->operands[i].role == ROLE_IN) holder[at] = (int8_t)i;
    }
    for (int i = 0; i < operator_operands(w->op); i++) {
        if (fit->buffer[i] < 0 || holder[fit->buffer[i]] != i) continue;
        const struct shader_binding *binding = w->from->bindings[fit->buffer[i]];
        struct json_object *out = json_object_new_object();
        json_put_string(out, "name", w->op->operands[i].name);
        json_put_int(out, "set", binding->set);
        json_put_int(out, "binding", binding->binding);
        json_object_array_add(bindings, out);
    }
    for (int p = 0; p < operator_params(w->op); p++)
        if (!w->given[p]) json_put(fixed, w->op->params[p].name, json_double(fit->params[p]));
    json_put(w->kernel, "bindings", bindings);
    guess_put(w->kernel, "in_place", shared);
    guess_put(w->kernel, "fixed", fixed);
}

// Writes the types of operands in another type than the operator states.
static void put_types(struct writing *w) {
    struct json_object *types = json_object_new_object();
    for (int i = 0; i < operator_operands(w->op); i++) {
        const enum dtype type = writing_fit(w, 0)->types[i];
        if (type != DTYPE_CASE) json_put_string(types, w->op->operands[i].name, dtype_info(type)->name);
    }
    guess_put(w->kernel, "types", types);
}

// ---- workgroup, constants

static void put_workgroup(struct writing *w, const struct captured_pipeline *pipeline) {
    const struct shader_interface *shader = &w->from->reflection->shader;
    const uint32_t *group = w->from->recordings[0].group;
    struct json_object *tunables = json_object_new_object(), *constants = json_object_new_object();
    struct json_object *size = json_object_new_array();
    for (int i = 0; i < 3; i++) w->tuned |= shader->size_id[i] >= 0;
    for (int i = 0; i < 3; i++) {
        struct json_object *values = json_object_new_array(), *tunable = writing_member("values", values);
        json_object_array_add(values, json_object_new_int64(group[i]));
        json_object_array_add(size, json_object_new_int64(group[i]));
        json_put_int(tunable, "default", group[i]);
        if (w->tuned && (group[i] > 1 || shader->size_id[i] >= 0))
            json_put(tunables, workgroup_names[i], tunable);
        else
            json_object_put(tunable);
        if (shader->size_id[i] >= 0 && shader->size_id[i] != i)
            json_put_string(constants, arena_format(w->arena, "%d", (int)shader->size_id[i]), workgroup_names[i]);
    }
    for (size_t k = 0; k < pipeline->constant_count; k++) {
        const struct captured_constant *c = &pipeline->constants[k];
        const struct shader_constant *declared = NULL;
        uint32_t bits;
        float real;
        for (int i = 0; i < shader->constant_count; i++)
            if (shader->constants[i].id == c->id) declared = &shader->constants[i];
        const bool sizes = c->id == shader->size_id[0] || c->id == shader->size_id[1] || c->id == shader->size_id[2];
        if (!declared || sizes || capture_bytes(c->bytes, &bits, sizeof bits) != sizeof bits) continue;
        memcpy(&real, &bits, sizeof real);
        json_put(constants, arena_format(w->arena, "%u", c->id),
            declared->kind == 'b'   ? json_object_new_boolean(bits != 0)
            : declared->kind == 'f' ? json_double((double)real)
                                    : json_object_new_int64((int32_t)bits));
    }
    if (w->tuned)
        json_object_put(size);
    else
        json_put(w->kernel, "local_size", size);
    guess_put(w->kernel, "tunables", tunables);
    guess_put(w->kernel, "constants", constants);
}

// ----

struct json_object *recognised_kernel(struct arena *arena, const struct recognition *recognition,
    const struct captured_pipeline *pipeline, const char *folder, const char **why) {
    const struct fit *fit = &recognition->recordings[0].fit;
    struct writing w = {.arena = arena,
        .from = recognition,
        .op = fit->op,
        .kernel = json_object_new_object(),
        .notes = json_object_new_array()};
    struct json_object *dtypes = json_object_new_array();
    char spelt[GUESS_NAME];
    guess_spell(pipeline->name && *pipeline->name ? pipeline->name : pipeline->module, SPELL_PLAIN, spelt);
    json_put_string(w.kernel, "name", arena_format(arena, "%s.%.*s", fit->op->name, (int)strlen(spelt) - 2, spelt + 1));
    json_put_string(w.kernel, "operator", fit->op->name);
    json_put_string(w.kernel, "summary", "recognised by its recorded operands");
    json_put_string(w.kernel, "shader", file_way(arena, folder, recognition->reflection->path));
    if (strcmp(pipeline->entry, "main") != 0) json_put_string(w.kernel, "entry", pipeline->entry);
    json_object_array_add(dtypes, json_object_new_string(dtype_info(fit->dtype)->name));
    json_put(w.kernel, "dtypes", dtypes);
    if (recognition->atomic_sums) json_put_string(w.kernel, "nondeterministic", "atomics add floats in any order");
    put_types(&w);
    const bool ok = put_blocks(&w);
    put_bindings(&w);
    put_workgroup(&w, pipeline);
    if (recognition->count == 1)
        json_object_array_add(w.notes, json_object_new_string("guessed from one size: record others, too"));
    if (ok && writing_grid(&w)) {
        const bool any_free = writing_rules(&w);
        guess_put(w.kernel, "notes", w.notes);
        if (any_free || !recognition->doubt) return w.kernel;
        w.why = "a trial would have the recorded size only";
        w.notes = NULL; // the kernel's
    }
    *why = w.why;
    json_object_put(w.kernel);
    json_object_put(w.notes);
    return NULL;
}

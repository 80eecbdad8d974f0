// SPDX-License-Identifier: Apache-2.0
// The operators and types of blocks named by files and entry points.
#include "guess_kernel.h"

#include "operator_words.h"
#include "../../../reference/table.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <string.h>

enum { NAME = GUESS_NAME };

static const char *const backward_words[] = {"bwd", "back", "grad", "gradient", "backprop", NULL};

void guess_spell(const char *name, enum spelling spelling, char out[NAME]) {
    size_t length = 0;
    out[length++] = '_';
    for (; *name && length + 3 < NAME; name++) {
        if (!isalnum((unsigned char)*name)) {
            if (out[length - 1] != '_') out[length++] = '_';
            continue;
        }
        const bool capital = isupper((unsigned char)*name), digit = isdigit((unsigned char)*name);
        if (length > 1 && islower((unsigned char)name[-1]) &&
            ((capital && spelling != SPELL_PLAIN) || (digit && spelling == SPELL_DIGITS)))
            out[length++] = '_';
        out[length++] = (char)tolower((unsigned char)*name);
    }
    if (out[length - 1] != '_') out[length++] = '_';
    out[length] = '\0';
}

// Returns whether the spelt name has these words.
static bool holds(const char *spelt, const char *words) {
    char wanted[NAME];
    guess_spell(words, SPELL_PLAIN, wanted);
    return strstr(spelt, wanted) != NULL;
}

struct found {
    const struct op *op;
    size_t length;
    size_t other_rank; // the longest word of an operator for tensors of another rank
};

static void consider(const char *spelt, const char *words, const char *name, struct found *best, struct found *second) {
    const struct op *op = operator_named(name);
    const size_t length = strlen(words);
    if (!op || !holds(spelt, words)) return;
    // The name may be about tensors of another rank: "conv3d" for conv2d.
    const size_t end = strlen(name);
    const char rank = end > 2 && name[end - 1] == 'd' ? name[end - 2] : '\0';
    if ((rank == '1' || rank == '2') && ((rank != '1' && strstr(spelt, "1d_")) || strstr(spelt, "3d_"))) {
        if (length > best->other_rank) best->other_rank = length;
        return;
    }
    if (length > best->length) {
        if (best->op && best->op != op && length < strlen(spelt) - 3) *second = *best;
        *best = (struct found){op, length, best->other_rank};
    } else if (op != best->op && length > second->length) {
        *second = (struct found){op, length, 0};
    }
}

const struct op *guess_operator(const char *name, const struct op **also) {
    struct found best = {0}, second = {0};
    *also = NULL;
    for (int spelling = 0; spelling < SPELLINGS; spelling++) {
        char spelt[NAME];
        // digits are split off only if nothing else matches: "transpose2d"
        if (spelling == SPELL_DIGITS && best.op) break;
        guess_spell(name, (enum spelling)spelling, spelt);
        for (size_t i = 0; operator_at(i); i++)
            consider(spelt, operator_at(i)->name, operator_at(i)->name, &best, &second);
        for (const struct operator_word *w = operator_words; w->word; w++)
            consider(spelt, w->word, w->op, &best, &second);
        bool backward = holds(spelt, "backward");
        for (int i = 0; backward_words[i]; i++) backward |= holds(spelt, backward_words[i]);
        if (best.op && backward && !strstr(best.op->name, "_backward")) {
            char of_op[NAME];
            if (strlen(best.op->name) + 10 > NAME) return NULL;
            strcpy(stpcpy(of_op, best.op->name), "_backward");
            return operator_named(of_op);
        }
    }
    if (best.other_rank > best.length) return NULL;
    // "softmax" within "log_softmax" is no second operator
    if (second.op && best.op && !strstr(best.op->name, second.op->name) && best.length < strlen(name))
        *also = second.op;
    return best.op;
}

// Returns the operator over each row or column, if the name mentions them and such an operator exists. Otherwise it
// returns the operator itself.
static const struct op *guess_rows(const struct op *op, const char *name) {
    static const struct {
        const char *word, *ending;
    } ways[] = {{"row", "_rows"}, {"rows", "_rows"}, {"rowwise", "_rows"}, {"last_dim", "_rows"}, {"col", "_cols"},
        {"cols", "_cols"}, {"column", "_cols"}, {"columns", "_cols"}};
    for (int spelling = 0; spelling < SPELLINGS; spelling++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            char spelt[NAME], longer[NAME];
            guess_spell(name, (enum spelling)spelling, spelt);
            if (!holds(spelt, ways[i].word) || strlen(op->name) + 6 > NAME) continue;
            strcpy(stpcpy(longer, op->name), ways[i].ending);
            const struct op *found = operator_named(longer);
            if (found) return found;
        }
    return op;
}

// Returns an operator made of one from a file's name and a word of the entry point's: gelu and main_erf, gelu_erf.
static const struct op *joined(const char *stem, const char *entry) {
    for (size_t i = 0; operator_at(i); i++) {
        const char *name = operator_at(i)->name, *cut = strrchr(name, '_');
        char stem_spelt[NAME], entry_spelt[NAME], head[NAME];
        if (!cut || (size_t)(cut - name) >= NAME) continue;
        memcpy(head, name, (size_t)(cut - name));
        head[cut - name] = '\0';
        guess_spell(stem, SPELL_CAMEL, stem_spelt);
        guess_spell(entry, SPELL_CAMEL, entry_spelt);
        if (holds(stem_spelt, head) && holds(entry_spelt, cut + 1)) return operator_at(i);
    }
    return NULL;
}

const struct op *guess_operator_of(const struct reflection *reflection, const struct op **also) {
    const struct op *op = *reflection->variant ? guess_operator(reflection->variant, also) : NULL, *both;
    if (op) return guess_rows(guess_rows(op, reflection->variant), reflection->stem);
    const struct op *of_file = guess_operator(reflection->stem, also), *several = of_file ? *also : NULL;
    if (of_file && (both = joined(reflection->stem, reflection->entry))) return both;
    // a file of several entry points, or named after several operators, is a collection
    if (!of_file || !reflection->alone || several) {
        op = guess_operator(reflection->entry, also);
        if (!op) *also = several;
    }
    if (!op) op = of_file;
    return op ? guess_rows(guess_rows(op, reflection->entry), reflection->stem) : NULL;
}

// ---- types of blocks

// Types of quantised blocks without an operand type here, as GGML spells them.
static const char *const block_types[] = {"q4_1", "q5_0", "q5_1", "q8_1", "q1_0", "q2_0", "q2_K", "q3_K", "q4_K",
    "q5_K", "q6_K", "iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s", "iq4_nl", "iq4_xs", "tq1_0",
    "tq2_0", "mxfp4", "nvfp4"};

static const char *block_type_in(const char *name) {
    char spelt[NAME];
    guess_spell(name, SPELL_PLAIN, spelt);
    for (size_t i = 0; i < sizeof block_types / sizeof *block_types; i++)
        if (holds(spelt, block_types[i])) return block_types[i];
    return NULL;
}

const char *guess_block_type(const struct reflection *reflection) {
    const char *type = block_type_in(reflection->variant);
    if (!type) type = block_type_in(reflection->stem);
    if (!type) type = block_type_in(reflection->entry);
    for (size_t i = 0; reflection->line && !type && i < reflection->line->define_count; i++)
        type = block_type_in(reflection->line->defines[i].name);
    return type;
}

// SPDX-License-Identifier: Apache-2.0
#include "known_names.h"

#include "../../base/text.h"
#include "../../../reference/operator.h"

#include <ctype.h>
#include <string.h>

enum { NAMES_SHOWN = 16 }; // in one hint: about two lines of a terminal
enum { NAMES_NEAR = 3 };   // named instead of all
enum { FAR = 3 };          // changes that are no typing error

void names_add(struct known_names *names, const char *name) {
    if (names->count < NAMES) names->items[names->count++] = name;
}

bool names_have(const struct known_names *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (strcmp(names->items[i], name) == 0) return true;
    return false;
}

void names_of_dims(struct known_names *names, const struct op *op) {
    for (int i = 0; i < operator_dims(op); i++) names_add(names, op->dims[i]);
    for (int i = 0; i < operator_derived(op); i++) names_add(names, op->derived[i]);
}

void names_of_params(struct known_names *names, const struct op *op) {
    for (int i = 0; i < operator_params(op); i++) names_add(names, op->params[i].name);
}

void names_of_operands(struct known_names *names, const struct op *op) {
    for (int i = 0; i < operator_operands(op); i++) names_add(names, op->operands[i].name);
}

void names_of_dtypes(struct known_names *names, const bool *among) {
    for (int i = DTYPE_CASE + 1; i < DTYPE_COUNT; i++)
        if (!among || among[i]) names_add(names, dtype_info((enum dtype)i)->name);
}

void names_of_kernels(struct known_names *names, const struct kernels *kernels) {
    for (size_t i = 0; i < kernels->count; i++) names_add(names, kernels->items[i]->name);
}

void names_of_tunables(struct known_names *names, const struct kernel *kernel) {
    for (int i = 0; i < kernel->tunable_count; i++) names_add(names, kernel->tunables[i].name);
}

const char *names_joined(struct arena *arena, const struct known_names *names) {
    if (!names->count) return "none";
    struct text text = {0};
    size_t shown = names->count > NAMES_SHOWN ? NAMES_SHOWN : names->count;
    for (size_t i = 0; i < shown; i++) {
        if (i) text_append(&text, ", ");
        text_append(&text, names->items[i]);
    }
    if (shown < names->count) text_format(&text, " and %zu more", names->count - shown);
    return arena_take(arena, &text);
}

// Returns whether the text has these words, between its ends and separators.
static bool has_words(const char *text, const char *words) {
    const size_t length = strlen(words);
    for (const char *at = text; length > 2 && (at = strstr(at, words)); at++)
        if ((at == text || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length])) return true;
    return false;
}

const char *names_hint(struct arena *arena, const struct known_names *names, const char *wanted) {
    const char *near = text_nearest(wanted, names->items, names->count);
    const bool typo = near && text_distance(wanted, near) < FAR;
    struct text text = {0};
    size_t count = 0;
    if (near) text_format(&text, "; did you mean \"%s\"", near), count++;
    for (size_t i = 0; !typo && i < names->count && count < NAMES_NEAR; i++)
        if (names->items[i] != near && (has_words(wanted, names->items[i]) || has_words(names->items[i], wanted)))
            text_format(&text, "%s \"%s\"", count++ ? " or" : "; did you mean", names->items[i]);
    if (count) {
        text_append(&text, "?");
        return arena_take(arena, &text);
    }
    return arena_format(arena, "; expected %s%s", names->count > 1 ? "one of " : "", names_joined(arena, names));
}

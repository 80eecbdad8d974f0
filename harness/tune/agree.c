// SPDX-License-Identifier: Apache-2.0
#include "agree.h"

#include <string.h>

static bool same_shape(const struct record *a, const struct record *b) {
    return strcmp(shape_text(a), shape_text(b)) == 0;
}

static bool is_tie(const struct tuned_entry *entry, const struct record *record) {
    for (int i = 0; i < entry->tie_count; i++)
        if (same_shape(entry->ties[i], record)) return true;
    return false;
}

enum agreement tuned_agree(const struct tuned_entry *a, const struct tuned_entry *b) {
    if (same_shape(a->best, b->best)) return AGREE_SAME;
    return is_tie(a, b->best) || is_tie(b, a->best) ? AGREE_TIE : AGREE_NOT;
}

const struct tuned_entry *tuned_case_named(const struct tuned *tuned, const char *name) {
    for (size_t i = 0; i < tuned->count; i++)
        if (strcmp(tuned->items[i].case_name, name) == 0) return &tuned->items[i];
    return NULL;
}

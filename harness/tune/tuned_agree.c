// SPDX-License-Identifier: Apache-2.0
#include "tuned_agree.h"

#include "../base/names.h"

#include <string.h>

static bool same_shape(const struct record *a, const struct record *b) {
    return strcmp(record_shape(a), record_shape(b)) == 0;
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

void tuned_pair(const struct tuned *a, const struct tuned *b, struct arena *arena, const struct tuned_entry ***others) {
    struct names names = {0};
    *others = arena_alloc(arena, a->count, sizeof **others);
    for (size_t i = 0; i < b->count; i++) names_put(&names, b->items[i].case_name, strlen(b->items[i].case_name), i);
    for (size_t i = 0; i < a->count; i++) {
        size_t number = names_get(&names, a->items[i].case_name, strlen(a->items[i].case_name));
        if (number != NAMES_NONE) (*others)[i] = &b->items[number];
    }
    names_free(&names);
}

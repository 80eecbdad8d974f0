// SPDX-License-Identifier: Apache-2.0
#include "slips.h"

#include <string.h>

// Adds the text once: every kernel of a file repeats the slips in its "common".
void slips_add(struct arena *arena, struct slips *slips, const char *text) {
    for (size_t i = 0; i < slips->count; i++)
        if (strcmp(slips->items[i], text) == 0) return;
    if (slips->count == SLIPS) {
        slips->more++;
        return;
    }
    slips->items = arena_grow(arena, slips->items, slips->count, &slips->capacity, sizeof *slips->items);
    slips->items[slips->count++] = arena_copy(arena, text);
}

void slips_add_kernel(struct arena *arena, struct slips *slips, const char *name) {
    slips->flawed =
        arena_grow(arena, slips->flawed, slips->flawed_count, &slips->flawed_capacity, sizeof *slips->flawed);
    slips->flawed[slips->flawed_count++] = arena_copy(arena, name);
}

// SPDX-License-Identifier: Apache-2.0
#include "mistakes.h"

#include <string.h>

// Adds the text once: every kernel of a file repeats the mistakes in its "common".
void mistakes_add(struct arena *arena, struct mistakes *mistakes, const char *text) {
    for (size_t i = 0; i < mistakes->count; i++)
        if (strcmp(mistakes->items[i], text) == 0) return;
    if (mistakes->count == MISTAKES) {
        mistakes->more++;
        return;
    }
    mistakes->items = arena_grow(arena, mistakes->items, mistakes->count, &mistakes->capacity, sizeof *mistakes->items);
    mistakes->items[mistakes->count++] = arena_copy(arena, text);
}

void mistakes_add_kernel(struct arena *arena, struct mistakes *mistakes, const char *name) {
    mistakes->flawed = arena_grow(
        arena, mistakes->flawed, mistakes->flawed_count, &mistakes->flawed_capacity, sizeof *mistakes->flawed);
    mistakes->flawed[mistakes->flawed_count++] = arena_copy(arena, name);
}

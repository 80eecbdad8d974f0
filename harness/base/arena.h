// SPDX-License-Identifier: Apache-2.0
// An arena: memory that is released all at once. The plan (manifests, suites, points) and every result read from disk
// use one. So each has a single owner and a single release.
#ifndef VKASSAY_BASE_ARENA_H
#define VKASSAY_BASE_ARENA_H

#include "text.h"

struct arena {
    struct arena_block *last;
};

// None of these functions returns NULL: if memory is out, the process ends (memory.h). A zeroed struct arena is
// empty.

// Returns zeroed memory for `count` items of `size` bytes, aligned for any type.
void *arena_alloc(struct arena *arena, size_t count, size_t size);

// Copy a string, or its first `length` bytes, into the arena.
char *arena_copy(struct arena *arena, const char *string);
char *arena_copy_n(struct arena *arena, const char *string, size_t length);
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Moves the text's string into the arena; the text is released and empty again.
char *arena_take(struct arena *arena, struct text *text);

// Grows an array in the arena. Returns room for at least `count + 1` items of `size` bytes, with the first `count`
// copied. *capacity is read and updated. The old copy stays until the arena is freed.
void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size);

void arena_free(struct arena *arena);

#endif

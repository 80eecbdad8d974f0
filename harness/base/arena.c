// SPDX-License-Identifier: Apache-2.0
#include "arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct arena_block {
    struct arena_block *previous;
    size_t used, size;
    _Alignas(max_align_t) unsigned char bytes[];
};

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
    size_t wanted;
    if (__builtin_mul_overflow(count, size, &wanted)) return NULL;
    if (__builtin_add_overflow(wanted, _Alignof(max_align_t) - 1, &wanted)) return NULL;
    wanted &= ~(_Alignof(max_align_t) - 1);
    struct arena_block *block = arena->last;
    if (!block || block->size - block->used < wanted) {
        size_t room = wanted > BLOCK_BYTES ? wanted : BLOCK_BYTES;
        if (room > SIZE_MAX - sizeof *block) return NULL;
        block = calloc(1, sizeof *block + room);
        if (!block) return NULL;
        block->size = room;
        block->previous = arena->last;
        arena->last = block;
    }
    void *memory = block->bytes + block->used;
    block->used += wanted;
    return memory;
}

char *arena_copy_n(struct arena *arena, const char *string, size_t length) {
    if (length == SIZE_MAX) return NULL;
    char *copy = arena_alloc(arena, length + 1, 1);
    if (copy) memcpy(copy, string, length);
    return copy;
}

char *arena_copy(struct arena *arena, const char *string) {
    return arena_copy_n(arena, string, strlen(string));
}

char *arena_format(struct arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return items;
    size_t room = *capacity ? *capacity * 2 : 8;
    void *grown = arena_alloc(arena, room, size);
    if (!grown) return NULL;
    if (count) memcpy(grown, items, count * size);
    *capacity = room;
    return grown;
}

void arena_free(struct arena *arena) {
    while (arena->last) {
        struct arena_block *block = arena->last;
        arena->last = block->previous;
        free(block);
    }
}

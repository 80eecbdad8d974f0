// SPDX-License-Identifier: Apache-2.0
#include "arena.h"

#include "memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 64 * 1024 };

struct arena_block {
    struct arena_block *previous;
    size_t used, size;
    _Alignas(max_align_t) unsigned char bytes[];
};

void *arena_alloc(struct arena *arena, size_t count, size_t size) {
    const size_t align = _Alignof(max_align_t);
    size_t wanted, whole;
    if (__builtin_mul_overflow(count, size, &wanted) || __builtin_add_overflow(wanted, align - 1, &wanted) ||
        __builtin_add_overflow(wanted, sizeof(struct arena_block), &whole))
        memory_out(count, size);
    wanted &= ~(align - 1);
    struct arena_block *block = arena->last;
    if (!block || block->size - block->used < wanted) {
        size_t room = wanted > BLOCK_BYTES ? wanted : BLOCK_BYTES;
        block = memory_alloc(1, sizeof *block + room);
        block->size = room;
        block->previous = arena->last;
        arena->last = block;
    }
    void *memory = block->bytes + block->used;
    block->used += wanted;
    return memory;
}

char *arena_copy_n(struct arena *arena, const char *string, size_t length) {
    if (length == SIZE_MAX) memory_out(length, 1);
    char *copy = arena_alloc(arena, length + 1, 1);
    return length ? memcpy(copy, string, length) : copy;
}

char *arena_copy(struct arena *arena, const char *string) {
    return arena_copy_n(arena, string, strlen(string));
}

char *arena_format(struct arena *arena, const char *format, ...) {
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_format_list(&text, format, args);
    va_end(args);
    return arena_take(arena, &text);
}

char *arena_take(struct arena *arena, struct text *text) {
    char *copy = arena_copy_n(arena, text_str(text), text->length);
    text_free(text);
    return copy;
}

void *arena_grow(struct arena *arena, void *items, size_t count, size_t *capacity, size_t size) {
    if (count < *capacity) return items;
    size_t room = *capacity ? *capacity * 2 : 8;
    void *grown = arena_alloc(arena, room, size);
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

// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include "error.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t large_page = (size_t)2 << 20;

// Uses neither the heap nor atexit handlers, which might need it.
void memory_out(size_t count, size_t size) {
    dprintf(STDERR_FILENO, "vkassay: out of memory: cannot allocate %zu x %zu bytes; --resume continues a run\n", count,
        size);
    _exit(STATUS_FAULT);
}

void *memory_alloc(size_t count, size_t size) {
    void *items = calloc(count ? count : 1, size ? size : 1);
    if (!items) memory_out(count, size);
    return items;
}

void *memory_resize(void *items, size_t count, size_t size) {
    void *grown = reallocarray(items, count ? count : 1, size ? size : 1);
    if (!grown) memory_out(count, size);
    return grown;
}

void *memory_large(size_t bytes) {
    void *room = NULL;
    if (bytes < 4 * large_page || bytes > SIZE_MAX - large_page) return malloc(bytes);
    if (posix_memalign(&room, large_page, bytes) != 0) return NULL;
    madvise(room, bytes / large_page * large_page, MADV_HUGEPAGE); // only a hint
    return room;
}

void *reused_take(struct reused_memory *reused, uint64_t bytes) {
    if (reused->bytes < bytes || !reused->memory) {
        free(reused->memory);
        reused->memory = memory_large((size_t)bytes);
        reused->bytes = reused->memory ? (size_t)bytes : 0;
    }
    return reused->memory;
}

void reused_release(struct reused_memory *reused, size_t above) {
    if (reused->bytes <= above && above) return;
    free(reused->memory);
    *reused = (struct reused_memory){0};
}

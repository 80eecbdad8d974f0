// SPDX-License-Identifier: Apache-2.0
#include "memory.h"

#include "error.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Without the heap, and without atexit handlers, which might want some.
void memory_out(size_t count, size_t size) {
    dprintf(STDERR_FILENO, "vkassay: out of memory: %zu x %zu bytes could not be had; a run goes on with --resume\n",
        count, size);
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

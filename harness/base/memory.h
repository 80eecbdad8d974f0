// SPDX-License-Identifier: Apache-2.0
// The one rule for small memory: there is enough of it, or the process ends. A program without a few kilobytes can do
// nothing useful. The important part of a run is on disk by then: the journal has each record before the next point
// starts. A supervisor treats the end of a worker as the loss of one point. Operands may be gigabytes and are not
// allocated here; if they do not fit, their point has an error.
#ifndef VKASSAY_BASE_MEMORY_H
#define VKASSAY_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

// Returns zeroed memory for `count` items of `size` bytes, at least one byte. The caller releases it with free().
void *memory_alloc(size_t count, size_t size);

// Moves `items` to room for `count` items of `size` bytes and keeps the old items. New memory is not zeroed.
void *memory_resize(void *items, size_t count, size_t size);

// Returns `bytes` of memory, not zeroed, for sizes up to gigabytes. It uses large pages if the system has them,
// because handing out small pages takes longer than filling them. Returns NULL if memory is out. The caller releases
// it with free().
void *memory_large(size_t bytes);

// Memory that passes from one use to the next. Its pages are already there; new ones would be cleared first.
struct reused_memory {
    void *memory;
    size_t bytes;
};
// Returns at least so many bytes of it, or NULL if memory is out. Their contents are arbitrary.
void *reused_take(struct reused_memory *reused, uint64_t bytes);
// Frees it, unless it has at most `above` bytes.
void reused_release(struct reused_memory *reused, size_t above);

// Prints the requested size on standard error and ends the process with STATUS_FAULT.
_Noreturn void memory_out(size_t count, size_t size);

#endif

// SPDX-License-Identifier: Apache-2.0
// The one rule for small memory: there is enough of it, or the process ends. A program that cannot get a few kilobytes
// can do nothing of use any more; what matters of a run is on disk by then (the journal has each record before the next
// point starts), and a supervisor takes the end of a worker for the loss of a point. Operands, which may be gigabytes,
// are not allocated here: that they do not fit is an error of their point.
#ifndef VKASSAY_BASE_MEMORY_H
#define VKASSAY_BASE_MEMORY_H

#include <stddef.h>

// Zeroed memory for `count` items of `size` bytes, of at least one byte; the caller releases it with free().
void *memory_alloc(size_t count, size_t size);

// `items` moved to room for `count` items of `size` bytes, those that were there first; what is new is not zeroed.
void *memory_resize(void *items, size_t count, size_t size);

// Room for that many bytes, not zeroed, for what may be gigabytes: in large pages where the system has them, as it
// takes longer to hand out small ones than to fill them. NULL: there is not enough. The caller releases it with free().
void *memory_large(size_t bytes);

// Says on standard error how much was wanted and ends the process with STATUS_FAULT.
_Noreturn void memory_out(size_t count, size_t size);

#endif

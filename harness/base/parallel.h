// SPDX-License-Identifier: Apache-2.0
// A loop over the host's cores.
#ifndef VKASSAY_BASE_PARALLEL_H
#define VKASSAY_BASE_PARALLEL_H

#include <stdint.h>

// Calls body(context, first, count) over disjoint chunks that cover [0, total), each a multiple of `grain` but the
// last, on up to as many threads as there are cores that it may use. What a chunk computes must not depend on how the
// range is cut. Falls back on the calling thread alone when threads cannot be had.
void parallel_for(
    int64_t total, int64_t grain, void (*body)(void *context, int64_t first, int64_t count), void *context);

// Calls body(context, i, 1) for each i in [0, total), one at a time a thread: for few pieces of work of unequal length.
void parallel_each(int64_t total, void (*body)(void *context, int64_t first, int64_t count), void *context);

// From then on no more threads than that, in this process; 0: as many as there are cores.
void parallel_limit(int threads);

#endif

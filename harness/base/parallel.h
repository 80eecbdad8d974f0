// SPDX-License-Identifier: Apache-2.0
// A loop over the host's cores.
#ifndef VKASSAY_BASE_PARALLEL_H
#define VKASSAY_BASE_PARALLEL_H

#include <stdbool.h>
#include <stdint.h>

// Calls body(context, first, count) over disjoint chunks of [0, total), on up to as many threads as the process may
// use cores. Each chunk except the last is a multiple of `grain`. The results must not depend on the division into
// chunks. Uses only the calling thread if no others can be started.
void parallel_for(
    int64_t total, int64_t grain, void (*body)(void *context, int64_t first, int64_t count), void *context);

// Calls body(context, i, 1) for each i in [0, total), one at a time in each thread. Suits a few tasks of unequal
// length.
void parallel_each(int64_t total, void (*body)(void *context, int64_t first, int64_t count), void *context);

// Compares memory on several threads. Returns whether all bytes are equal.
bool parallel_equal(const void *a, const void *b, uint64_t bytes);

// Limits the number of threads in this process from now on; 0: the number of cores.
void parallel_limit(int threads);

#endif

// SPDX-License-Identifier: Apache-2.0
// Sizes at which kernels go wrong: beside what they cut their work by, and those that nothing divides.
#ifndef VKASSAY_PLAN_EDGES_H
#define VKASSAY_PLAN_EDGES_H

#include "../manifest/kernel.h"

enum { EDGE_WIDTHS = 32, EDGE_SIZES = 160 };

// What the kernel cuts a given dim by at this shape, without repetition: first what its grids divide the dim by, then
// what its rules, scratch buffers and depth hold the dim against, then its workgroup and each tunable. Nothing beyond
// 8192.
int edge_widths(const struct kernel *kernel, const struct shape *shape, int dim, int64_t widths[EDGE_WIDTHS]);

// The sizes to try of that dim, ascending, without repetition: 1; 0 where the operator defines it; w-1, w, w+1, 2w+1
// and 3w for every width and for vectors of 2, 4 and 8; and primes.
int edge_sizes(const struct kernel *kernel, const struct shape *shape, int dim, int64_t sizes[EDGE_SIZES]);

#endif

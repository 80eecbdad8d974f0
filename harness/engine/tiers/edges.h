// SPDX-License-Identifier: Apache-2.0
// Edge sizes, at which kernels go wrong: sizes near a kernel's tile widths, and primes.
#ifndef VKASSAY_TIERS_EDGES_H
#define VKASSAY_TIERS_EDGES_H

#include "../../shader/manifest/kernel.h"

enum { EDGE_WIDTHS = 32, EDGE_SIZES = 160 };

// Returns the invocations of a workgroup.
int64_t edge_invocations(const struct kernel *kernel, const struct shape *shape);

// Lists the widths of the pieces into which the kernel cuts a dim at this shape, each once. First come divisors in
// its grids, then sizes in its rules, scratch buffers and depth, then the workgroup and each tunable. No width is
// above 8192.
int edge_widths(const struct kernel *kernel, const struct shape *shape, int dim, int64_t widths[EDGE_WIDTHS]);

// Returns whether the product may follow from the dim: it names the dim, a derived dim or a variable.
bool edge_mentions(const struct kernel *kernel, const struct product *product, int dim);

// Returns the product of the tunables and numbers, without the dims.
int64_t edge_tile(const struct kernel *kernel, const struct shape *shape, const struct product *product);

// Returns the largest part of the dim for one workgroup; 0: no grid follows from the dim.
int64_t edge_part(const struct kernel *kernel, const struct shape *shape, int dim);

// Lists the sizes to try for the dim, ascending, each once. They are 1, and 0 if the operator defines it. For every
// width w, and for vectors of 2, 4 and 8, they are w-1, w, w+1, 2w+1 and 3w. Some primes are included, too.
int edge_sizes(const struct kernel *kernel, const struct shape *shape, int dim, int64_t sizes[EDGE_SIZES]);

#endif

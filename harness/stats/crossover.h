// SPDX-License-Identifier: Apache-2.0
// From which size on one of two series of times is the lower.
#ifndef VKASSAY_STATS_CROSSOVER_H
#define VKASSAY_STATS_CROSSOVER_H

#include <stddef.h>

enum crossover { CROSSOVER_NONE, CROSSOVER_ALWAYS, CROSSOVER_NEVER, CROSSOVER_AT };

// Times of both at growing sizes; what is not measured is NaN and passed over. The size from which
// on the GPU stays the faster, interpolated on logarithms between the two sizes round it: *size,
// for CROSSOVER_AT. NONE: nothing to compare.
enum crossover crossover_find(const double *sizes, const double *gpu, const double *scalar, size_t count, double *size);

#endif

// SPDX-License-Identifier: Apache-2.0
// The GPU against the scalar reference over size. Private to harness/render.
#ifndef VKASSAY_RENDER_CROSSOVER_H
#define VKASSAY_RENDER_CROSSOVER_H

#include "../base/text.h"
#include "view.h"

enum crossover { CROSSOVER_NONE, CROSSOVER_ALWAYS, CROSSOVER_NEVER, CROSSOVER_AT };

// Times of both at growing sizes; what is not measured is NaN and passed over. The size from which
// on the GPU stays the faster, interpolated on logarithms between the two sizes round it: *size,
// for CROSSOVER_AT. NONE: nothing to compare.
enum crossover crossover_find(
    const double *sizes, const double *gpu, const double *scalar, size_t count, double *size);

// "Compute alone: GPU faster from n = 12300 on"; `what` names the figure, `at` the size.
void put_crossover(struct text *out, const char *what, enum crossover found, const char *at);

// The scalar reference's time for the case, in nanoseconds; NaN when no record of it has one.
double reference_ns(const struct view_case *c);

#endif

// SPDX-License-Identifier: Apache-2.0
// Error bounds of a call's sums. bounds.h has the bound of any sum; the call gives its depth and how close its terms
// are.
#ifndef VKASSAY_REFERENCE_SUMS_H
#define VKASSAY_REFERENCE_SUMS_H

#include "bounds.h"
#include "reference.h"

// Returns the additions on the longest path to one output: the number stated by the kernel, or that of a serial sum.
static inline int64_t depth_of(const struct call *c, int64_t serial) {
    return c->depth > 0 ? c->depth : serial;
}

// Return the bound of a sum by `serial` additions, in ULP at the sum of the absolute terms. bound_sum_within is for a
// known number of terms. Zeros added by a kernel do not round, and no order is deeper.
static inline double bound_sum_of(const struct call *c, int64_t serial) {
    return bound_close_sum(depth_of(c, serial), serial, c->spread, c->rte);
}

static inline double bound_sum_within(const struct call *c, int64_t serial) {
    const int64_t depth = depth_of(c, serial);
    return bound_close_sum(depth < serial ? depth : serial, serial, c->spread, c->rte);
}

// Return the same for sums of products.
static inline double bound_dot_of(const struct call *c, int64_t serial) {
    return bound_sum_of(c, serial) + bound_products(c->rte);
}

static inline double bound_dot_within(const struct call *c, int64_t serial) {
    return bound_sum_within(c, serial) + bound_products(c->rte);
}

#endif

// SPDX-License-Identifier: Apache-2.0
// What the sums of a call may err by: bounds.h says it of any sum, a call how deep its sum is and how close its terms
// lie together.
#ifndef VKASSAY_REFERENCE_SUMS_H
#define VKASSAY_REFERENCE_SUMS_H

#include "bounds.h"
#include "reference.h"

// Additions on the longest path to one output: what the kernel states, or those of a serial sum.
static inline int64_t depth_of(const struct call *c, int64_t serial) {
    return c->depth > 0 ? c->depth : serial;
}

// The same of a sum whose terms are counted: zeros that a kernel adds do not round, and no order is deeper than that.
static inline int64_t depth_within(const struct call *c, int64_t serial) {
    const int64_t depth = depth_of(c, serial);
    return depth < serial ? depth : serial;
}

// A sum by `serial` additions, in ULP at the sum of the absolute terms.
static inline double bound_sum_of(const struct call *c, int64_t serial) {
    return bound_close_sum(depth_of(c, serial), serial, c->spread, c->rte);
}

static inline double bound_sum_within(const struct call *c, int64_t serial) {
    return bound_close_sum(depth_within(c, serial), serial, c->spread, c->rte);
}

// The same of products.
static inline double bound_dot_of(const struct call *c, int64_t serial) {
    return bound_sum_of(c, serial) + bound_products(c->rte);
}

static inline double bound_dot_within(const struct call *c, int64_t serial) {
    return bound_sum_within(c, serial) + bound_products(c->rte);
}

#endif

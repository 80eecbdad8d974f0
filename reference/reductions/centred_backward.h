// SPDX-License-Identifier: Apache-2.0
// Gradients through y = (x - mean) scale, with mean and scale of a set of n elements: shared by norms of rows and of
// channels. Bounds are in epsilons (bounds.h), to first order.
#ifndef VKASSAY_REFERENCE_CENTRED_BACKWARD_H
#define VKASSAY_REFERENCE_CENTRED_BACKWARD_H

#include "moments.h"

// Returns (x - mean) scale, rounded by a difference and a product. An error of the mean moves all elements of a set
// alike; an error of the scale stretches them.
static inline real normalised(const struct centring *by, real x) {
    return (x - by->mean) * by->scale;
}

static inline double normalised_shift(const struct centring *by) {
    return fabs((double)by->scale) * by->mean_abs * by->mean_bound;
}

// Sums over a set of the gradients g at the normalised elements, and of g times these elements.
struct gradient_sums {
    int64_t count;
    real g, gx;
    double size_g, size_gx; // of the absolute terms
    bool open;              // an infinite g meets an element that may be 0 or of either sign
};

// Returns the error of a normalised element z, in epsilons of 1.
static inline double normalised_error(const struct centring *by, double z, double basic) {
    return normalised_shift(by) + fabs(z) * (by->scale_bound + 2 * basic);
}

static inline void add_gradient(struct gradient_sums *s, const struct centring *by, real g, real x) {
    const real z = normalised(by, x), gx = g * z;
    s->g += g;
    s->gx += gx;
    s->count++;
    if (!TRUTH) return;
    s->open = s->open || is_infinite_or_nan((double)z, normalised_error(by, (double)z, 1), (double)g);
    s->size_g += fabs((double)g);
    s->size_gx += fabs((double)gx);
}

// Returns the error of the sum of gx. It consists of the additions and three roundings of each term. The error of the
// scale counts at the sum. The error of the mean counts at the sum of g, because it moves every term alike.
static inline double gx_error(const struct call *c, const struct gradient_sums *s, const struct centring *by) {
    const double sum = bound_dot_of(c, s->count - 1) + 3 * bound_basic(c->rte);
    return s->size_gx * sum + fabs((double)s->gx) * by->scale_bound + fabs((double)s->g) * normalised_shift(by);
}

// Writes dx = factor scale (g - mean(g) - normalised mean(g normalised)).
static inline void emit_centred_gradient(const struct call *c, int64_t i, real g, real x, real factor,
    const struct gradient_sums *s, const struct centring *by) {
    const real n = (real)s->count, z = normalised(by, x), mean_g = s->g / n, mean_gx = s->gx / n;
    const real dx = factor * by->scale * (g - mean_g - z * mean_gx);
    if (!TRUTH) {
        emit(c, i, dx, 0, 0);
        return;
    }
    const double basic = bound_basic(c->rte), count = (double)s->count;
    const double size_z = fabs((double)z), outer = fabs((double)(factor * by->scale));
    const double size = fabs((double)g) + s->size_g / count + size_z * s->size_gx / count;
    const double of_g =
        s->size_g / count * bound_sum_of(c, s->count - 1) + fabs((double)mean_g) * (BOUND_DIVISION + basic);
    const double of_gx = gx_error(c, s, by) / count + fabs((double)mean_gx) * (BOUND_DIVISION + basic);
    const double of_z = normalised_error(by, (double)z, basic);
    const double error = 2 * basic * (fabs((double)g) + fabs((double)mean_g)) + of_g + size_z * of_gx +
                         fabs((double)mean_gx) * (of_z + basic * size_z);
    const double magnitude = outer * size;
    const double whole = outer * error + fabs((double)dx) * (by->scale_bound + 3 * basic);
    const double bound = magnitude > 0 ? ulps_at(whole / magnitude, magnitude) : 0;
    const bool open = s->open || is_infinite_or_nan((double)z, of_z, (double)mean_gx) ||
                      is_infinite_or_nan((double)(g - mean_g - z * mean_gx), error, (double)factor);
    emit(c, i, dx, magnitude, open || isinf(by->scale_bound) ? INFINITY : bound);
}

#define CENTRED_GRADIENT_BOUND                                                                                         \
    "epsilons at |scale| (|g| + mean|g| + |z| mean|g z|), g is the gradient of the normalised z: both sums (see "      \
    "sum_rows) at their absolute terms, 2.5 of their divisions; z errs by the mean's error, alike for all, and the "   \
    "scale's; basic operations of the terms"

#endif

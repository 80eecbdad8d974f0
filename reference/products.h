// SPDX-License-Identifier: Apache-2.0
// The two loops for products of matrices and vectors, as one would write them by hand.
#ifndef VKASSAY_REFERENCE_PRODUCTS_H
#define VKASSAY_REFERENCE_PRODUCTS_H

#include "reference.h"

// Returns the sum of a[i] * b[i]; the double pass adds the absolute terms to *magnitude.
static inline real dot(const real *a, const real *b, int64_t n, double *magnitude) {
    real sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
        if (TRUTH) *magnitude += size_of(a[i] * b[i]);
    }
    return sum;
}

// Computes out[0..count) = sum over i of weights[i * step] * rows[i * stride + 0..count). It reads rows of the
// right-hand matrix in memory order. `magnitude` (may be NULL) receives the sums of the absolute terms.
static inline void combine_rows_step(const real *weights, int64_t step, const real *rows, int64_t n, int64_t stride,
    int64_t count, real *out, double *magnitude) {
    for (int64_t j = 0; j < count; j++) out[j] = 0;
    for (int64_t i = 0; i < n; i++) {
        const real weight = weights[i * step], *row = rows + i * stride;
        for (int64_t j = 0; j < count; j++) out[j] += weight * row[j];
    }
    if (!TRUTH || !magnitude) return;
    for (int64_t j = 0; j < count; j++) magnitude[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < count; j++) magnitude[j] += size_of(weights[i * step] * rows[i * stride + j]);
}

static inline void combine_rows(
    const real *weights, const real *rows, int64_t n, int64_t stride, int64_t count, real *out, double *magnitude) {
    combine_rows_step(weights, 1, rows, n, stride, count, out, magnitude);
}

// Writes the same bound for all `count` outputs from position `at` of the call's range.
static inline void fill_bound(const struct call *c, int64_t at, int64_t count, double bound) {
    if (!TRUTH || !c->bound) return;
    for (int64_t j = 0; j < count; j++) c->bound[at + j] = bound;
}

#define DOT_BOUND                                                                                                      \
    "ULP at the sum of the products' absolute values: the sum (see sum_rows; d = terms - 1 "                           \
    "unless the kernel says) and two basic operations for the products, fused or not"

// Inputs of sums of products: [-0.25, 1), see reduction.c.
#define FACTOR(NAME, ...)                                                                                              \
    { NAME, ROLE_IN, .shape = {__VA_ARGS__}, .low = -0.25, .high = 1, .lines = LINES_SOME }
#define WEIGHTS(NAME, ...)                                                                                             \
    { NAME, ROLE_IN, .weights = true, .shape = {__VA_ARGS__}, .low = -0.25, .high = 1, .lines = LINES_SOME }
#define PRODUCT(NAME, ...)                                                                                             \
    {                                                                                                                  \
        NAME, ROLE_OUT, .shape = { __VA_ARGS__ }                                                                       \
    }

#endif

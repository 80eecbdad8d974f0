// SPDX-License-Identifier: Apache-2.0
// The two loops that products of matrices and vectors are made of, as one would write them by hand.
#ifndef VKASSAY_REFERENCE_PRODUCTS_H
#define VKASSAY_REFERENCE_PRODUCTS_H

#include "reference.h"

// Sum of a[i] * b[i]; the double pass adds the absolute terms into *magnitude.
static inline real dot(const real *a, const real *b, int64_t n, double *magnitude) {
    real sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += a[i] * b[i];
        if (TRUTH) *magnitude += (double)fabs(a[i] * b[i]);
    }
    return sum;
}

// out[0..count) = sum over i of weights[i] * rows[i * stride + 0..count): rows of the right-hand
// matrix are read in order, as they lie in memory. `magnitude` (may be NULL) takes the sums of the
// absolute terms.
static inline void combine_rows(const real *weights, const real *rows, int64_t n, int64_t stride,
    int64_t count, real *out, double *magnitude) {
    for (int64_t j = 0; j < count; j++) out[j] = 0;
    for (int64_t i = 0; i < n; i++) {
        const real weight = weights[i], *row = rows + i * stride;
        for (int64_t j = 0; j < count; j++) out[j] += weight * row[j];
    }
    if (!TRUTH || !magnitude) return;
    for (int64_t j = 0; j < count; j++) magnitude[j] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < count; j++)
            magnitude[j] += (double)fabs(weights[i] * rows[i * stride + j]);
}

// The same bound for all `count` outputs from position `at` of the call's range.
static inline void fill_bound(const struct call *c, int64_t at, int64_t count, double bound) {
    if (!TRUTH || !c->bound) return;
    for (int64_t j = 0; j < count; j++) c->bound[at + j] = bound;
}

#endif

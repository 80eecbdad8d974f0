// SPDX-License-Identifier: Apache-2.0
// Shared parts of reductions over a whole tensor and over the rows of a matrix: the former is the latter with one
// row. A family writes NAME_row(c, i, x, n), output i from its n elements. The macro makes both references from it.
#ifndef VKASSAY_REFERENCE_ROWS_H
#define VKASSAY_REFERENCE_ROWS_H

#include "sums.h"
#include "reference.h"

#include <stdlib.h>

#define OVER_ALL_AND_ROWS(name)                                                                                        \
    REFERENCE(name, c) {                                                                                               \
        name##_row(c, 0, c->in[0], c->dims[0]);                                                                        \
    }                                                                                                                  \
    REFERENCE(name##_rows, c) {                                                                                        \
        const int64_t cols = c->dims[1];                                                                               \
        for (int64_t row = c->first; row < c->first + c->count; row++)                                                 \
            name##_row(c, row, c->in[0] + row * cols, cols);                                                           \
    }

// Reduces over the middle axis of [outer, n, inner]: a row is n elements, `inner` apart, gathered side by side.
// Without memory for them the outputs are NaN, and no kernel matches.
static inline void over_axis(
    const struct call *c, void (*row)(const struct call *c, int64_t i, const real *x, int64_t n)) {
    const int64_t n = c->dims[1], inner = c->dims[2];
    real *side_by_side = malloc((size_t)n * sizeof *side_by_side);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const real *x = c->in[0] + i / inner * n * inner + i % inner;
        for (int64_t j = 0; side_by_side && j < n; j++) side_by_side[j] = x[j * inner];
        if (side_by_side)
            row(c, i, side_by_side, n);
        else
            emit(c, i, NAN, 0, 0);
    }
    free(side_by_side);
}
#define OVER_AXIS(name)                                                                                                \
    REFERENCE(name##_axis, c) {                                                                                        \
        over_axis(c, name##_row);                                                                                      \
    }
#define OVER_EACH(name) OVER_ALL_AND_ROWS(name) OVER_AXIS(name)

// Returns the sum of n elements; the double pass adds the absolute terms to *magnitude.
static inline real sum_of(const real *x, int64_t n, double *magnitude) {
    real sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += x[i];
        if (TRUTH) *magnitude += (double)fabs(x[i]);
    }
    return sum;
}

// Returns the bound of a mean of that magnitude. It has the error of the sum, carried as a relative one to a place
// with a smaller ULP. Then comes a division, or a reciprocal and a product.
static inline double mean_bound(double sum_bound, double magnitude, bool rte) {
    return ulps_at(sum_bound, magnitude) + BOUND_DIVISION + bound_basic(rte);
}

static inline void mean_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    double magnitude = 0;
    real mean = sum_of(x, n, &magnitude) / (real)n;
    magnitude /= (double)n;
    emit(c, i, mean, magnitude, TRUTH ? mean_bound(bound_sum_of(c, n - 1), magnitude, c->rte) : 0);
}

// Operands from a whole tensor to one element, and from the rows of a matrix to a column. RESULT is the dtype; the
// rest tells how x is filled.
// clang-format off
#define ALL(RESULT, ...) .dims = {"n"},                                                            \
    .operands = {{"x", ROLE_IN, .shape = {"n"}, __VA_ARGS__},                                      \
                 {.name = "y", .role = ROLE_OUT, .dtype = RESULT}}
#define ROWS(RESULT, ...) .dims = {"rows", "cols"},                                                \
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, __VA_ARGS__},                           \
                 {"y", ROLE_OUT, .shape = {"rows"}, .dtype = RESULT}}
// clang-format on

// Operands of three axes without the middle one in the result; with an outer of 1 it reduces the columns of a matrix.
// clang-format off
#define AXIS(RESULT, ...) .dims = {"outer", "n", "inner"},                                         \
    .operands = {{"x", ROLE_IN, .shape = {"outer", "n", "inner"}, __VA_ARGS__},                    \
                 {"y", ROLE_OUT, .shape = {"outer", "inner"}, .dtype = RESULT}}
// clang-format on
COST(axis_flops, D(0) * (double)(dims[1] - 1) * D(2))
COST(twice_axis_flops, 2 * D(0) * D(1) * D(2))

#define MEAN_BOUND "the sum's (see sum) as a relative error; 2.5 ULP of the division, a product"
#define SUM_BOUND                                                                                                      \
    "ULP at the sum of |x|: with d additions on the longest path, the lesser of d/2 (worst case) "                     \
    "and 3 sqrt(d) + d^2 2^-24 (Higham and Mary 2019, lambda = 6); d if the rounding is free"

COST(all_flops, (double)(dims[0] - 1))
COST(rows_flops, D(0) * (double)(dims[1] - 1))
COST(twice_all_flops, 2 * D(0))
COST(twice_rows_flops, 2 * D(0) * D(1))

#endif

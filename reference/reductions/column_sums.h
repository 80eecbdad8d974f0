// SPDX-License-Identifier: Apache-2.0
// Sums of the columns of a matrix, row after row in memory order: each row adds to all columns of the call's range.
#ifndef VKASSAY_REFERENCE_COLUMN_SUMS_H
#define VKASSAY_REFERENCE_COLUMN_SUMS_H

#include "../bounds.h"
#include "../reference.h"

#include <stdlib.h>

// Errors of the terms of a column, in epsilons. Errors that may be one-sided add up; roundings of different rows are
// independent. When rounding to nearest, the lambda of bound_sum applies to the root of the sum of their squares.
struct summed_column {
    double linear, worst, squares;
};

// Starts the sums at 0. The double pass keeps errors. Without memory for them its sums are NaN, so no kernel matches.
static inline struct summed_column *columns_open(const struct call *c) {
    for (int64_t j = 0; j < c->count; j++) {
        c->out[j] = 0;
        if (TRUTH && c->magnitude) c->magnitude[j] = 0;
    }
    return TRUTH ? calloc((size_t)c->count, sizeof(struct summed_column)) : NULL;
}

// Adds a term of column c->first + j. A `linear` of infinity leaves the column open. An infinite term does not count,
// because the sum itself shows it.
static inline void column_add(
    const struct call *c, struct summed_column *columns, int64_t j, real term, double linear, double own) {
    c->out[j] += term;
    if (!TRUTH || !columns) return;
    if (c->magnitude) c->magnitude[j] += size_of(term);
    columns[j].linear += linear;
    columns[j].worst += own;
    columns[j].squares += own * own;
}

// Finishes the sums; `sum_bound` is the bound of the additions, in ULP. A bound is only requested with its magnitude.
static inline void columns_close(const struct call *c, struct summed_column *columns, double sum_bound) {
    for (int64_t j = 0; TRUTH && j < c->count; j++) {
        if (!columns) c->out[j] = NAN;
        if (!columns || !c->bound) continue;
        const double error = columns[j].linear + (c->rte ? sqrt(columns[j].squares) : columns[j].worst);
        // Terms may cancel within themselves, so that all of them are 0. Their error is then the size of the column.
        if (!(c->magnitude[j] > 0 || isinf(error))) c->magnitude[j] = error * 0x1p-23;
        const double magnitude = c->magnitude[j];
        const double bound = sum_bound + (magnitude > 0 ? ulps_at(error / magnitude, magnitude) : 0);
        c->bound[j] = isinf(columns[j].linear) ? INFINITY : settled_bound(c->out[j], bound);
    }
    free(columns);
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Sums and maxima. Inputs of sums are uniform in [-0.25, 1): some terms cancel, yet the sum stays
// comparable with the sum of the absolute terms at which the error is measured.
#include "bounds.h"
#include "reference.h"

static real sum_of(const real *x, int64_t n, double *magnitude) {
    real sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += x[i];
        if (TRUTH) *magnitude += (double)fabs(x[i]);
    }
    return sum;
}

static void sum_reference(const struct call *c) {
    const int64_t n = c->dims[0];
    double magnitude = 0;
    real sum = sum_of(c->in[0], n, &magnitude);
    emit(c, 0, sum, magnitude, bound_sum(depth_of(c, n - 1), c->rte));
}
REFERENCE(sum_reference)

#if VKASSAY_TABLE
#define SUM_BOUND                                                                                  \
    "ULP at the sum of |x|: with d additions on the longest path, the lesser of d/2 (worst case) " \
    "and 3 sqrt(d) + d^2 2^-24 (Higham and Mary 2019, lambda = 6); d if the rounding is free"

static double sum_flops(const int64_t *dims) {
    return (double)(dims[0] - 1);
}

const struct operator operator_sum = {
    .name = "sum",
    .family = "reduction",
    .summary = "sum of all elements",
    .formula = "y = sum over i of x[i]",
    .source = "PyTorch, torch.sum",
    .conventions = "any order of summation",
    .seeds = "TS CF TF LT",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .low = -0.25, .high = 1},
        {.name = "y", .role = ROLE_OUT}},
    .flops = sum_flops,
    .bound = SUM_BOUND,
    REFERENCES(sum_reference),
};
#endif

static void sum_rows_reference(const struct call *c) {
    const int64_t cols = c->dims[1];
    const double bound = bound_sum(depth_of(c, cols - 1), c->rte);
    for (int64_t row = c->first; row < c->first + c->count; row++) {
        double magnitude = 0;
        real sum = sum_of(c->in[0] + row * cols, cols, &magnitude);
        emit(c, row, sum, magnitude, bound);
    }
}
REFERENCE(sum_rows_reference)

#if VKASSAY_TABLE
static double rows_flops(const int64_t *dims) {
    return (double)dims[0] * (double)(dims[1] - 1);
}

const struct operator operator_sum_rows = {
    .name = "sum_rows",
    .family = "reduction",
    .summary = "sum of each row of a matrix",
    .formula = "y[i] = sum over j of x[i, j]",
    .source = "PyTorch, torch.sum(dim=-1)",
    .conventions = "any order of summation",
    .seeds = "TS CF TF LT",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1},
        {"y", ROLE_OUT, .shape = {"rows"}}},
    .flops = rows_flops,
    .bound = SUM_BOUND,
    REFERENCES(sum_rows_reference),
};
#endif

static void max_rows_reference(const struct call *c) {
    const int64_t cols = c->dims[1];
    for (int64_t row = c->first; row < c->first + c->count; row++) {
        const real *x = c->in[0] + row * cols;
        real most = -INFINITY;
        for (int64_t j = 0; j < cols; j++) most = x[j] > most ? x[j] : most;
        emit(c, row, most, 0, 0);
    }
}
REFERENCE(max_rows_reference)

#if VKASSAY_TABLE
const struct operator operator_max_rows = {
    .name = "max_rows",
    .family = "reduction",
    .summary = "largest element of each row of a matrix",
    .formula = "y[i] = max over j of x[i, j]",
    .source = "IEEE 754-2019, 9.6 (maximumNumber)",
    .conventions = "starts at -inf; a NaN is never the largest (PyTorch propagates it)",
    .seeds = "TS CF TF LT",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}}, {"y", ROLE_OUT, .shape = {"rows"}}},
    .flops = rows_flops,
    .bound = "exact: a selection",
    REFERENCES(max_rows_reference),
};
#endif

// SPDX-License-Identifier: Apache-2.0
// Variances of data with a large mean. In float, the difference of mean square and squared mean would be wrong in its
// third digit.
#include "moments.h"
#include "../rows.h"

static inline void variance_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    const struct set row = {x, 1, n, n};
    const struct moments m = moments_of(c, &row);
    emit_variance(c, i, &m, n - (int64_t)c->params[0]);
}
OVER_EACH(variance)

#define VARIANCE                                                                                                       \
    .formula = "y = sum((x - mean(x))^2) / (n - correction)",                                                          \
    .conventions = "correction 0: population, 1: unbiased (Bessel), NaN for one element as in PyTorch; computed "      \
                   "about the mean, or from moments of blocks about a pivot",                                          \
    .systems = "TS", .params = {{"correction", .standard = 1, .integer = true, .low = 0, .high = 1, TELLING(0)}},      \
    .bound = "epsilons: the sum (see sum), three operations an element, 2.5 of the division; the square "              \
             "of the mean's error, a sum's and a division's at mean|x|"

// Subtract, square, add; and the mean's sum
COST(variance_flops, 4 * D(0))
COST(variance_rows_flops, 4 * D(0) * D(1))
COST(variance_axis_flops, 4 * D(0) * D(1) * D(2))

OPERATOR(variance) = {
    NAMED(variance, "reduction"),
    .summary = "variance of all elements",
    VARIANCE,
    .source = "PyTorch, torch.var",
    ALL(DTYPE_CASE, .low = 100, .high = 101, .lines = LINES_ANY, OUTLIER_OF_DEVIATIONS("n", true, 0)),
    .flops = variance_flops,
};

OPERATOR(variance_rows) = {
    NAMED(variance_rows, "reduction"),
    .summary = "variance of each row of a matrix",
    VARIANCE,
    .source = "PyTorch, torch.var(dim=-1)",
    ROWS(DTYPE_CASE, .low = 100, .high = 101, OUTLIER_OF_DEVIATIONS("cols", true, 0)),
    .flops = variance_rows_flops,
};

OPERATOR(variance_axis) = {
    NAMED(variance_axis, "reduction"),
    .summary = "variance of each line along the middle axis",
    VARIANCE,
    .source = "PyTorch, torch.var(dim=1)",
    AXIS(DTYPE_CASE, .low = 100, .high = 101, OUTLIER_OF_DEVIATIONS("n", false, 0)),
    .flops = variance_axis_flops,
};

// SPDX-License-Identifier: Apache-2.0
// Sums, means, products and lengths. Inputs of sums are uniform in [-0.25, 1). Some terms cancel, but the sum stays
// comparable with the sum of the absolute terms, the unit of the error.
#include "../rows.h"

static inline void sum_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    double magnitude = 0;
    real sum = sum_of(x, n, &magnitude);
    emit(c, i, sum, magnitude, bound_sum_of(c, n - 1));
}
OVER_EACH(sum)

OVER_EACH(mean)

static inline void prod_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    real product = 1;
    for (int64_t j = 0; j < n; j++) product *= x[j];
    emit(c, i, product, 0, TRUTH ? ulps_at(bound_product(n - 1, c->rte), (double)product) : 0);
}
OVER_EACH(prod)

static inline void l2_norm_row(const struct call *c, int64_t i, const real *x, int64_t n) {
    real squares = 0;
    for (int64_t j = 0; j < n; j++) squares += x[j] * x[j];
    const real length = sqrt(squares);
    const double sum = bound_sum_of(c, n - 1) + bound_basic(c->rte);
    emit(c, i, length, 0, TRUTH ? ulps_at(0.5 * sum + BOUND_SQRT, (double)length) : 0);
}
OVER_EACH(l2_norm)

#define SUMMED .conventions = "any order of summation", .systems = "TS CF TF LT"
// Factors near 1, so a product of 2^24 of them stays in range. Its logarithm has a standard deviation of 0.005
// sqrt(2^24 / 3) = 12, and a float's range is 88.
#define FACTORS .fill = FILL_SPREAD, .low = 0.995, .high = 1 / 0.995, .signs = true, .lines = LINES_ANY
#define MULTIPLIED                                                                                                     \
    .conventions = "any order of multiplication", .systems = "TS CF TF LT",                                            \
    .bound = "epsilons: n - 1 multiplications in any order, the lesser of (n - 1)/2 and 3 sqrt(n - 1); "               \
             "n - 1 if the rounding is free"
#define LENGTH                                                                                                         \
    .conventions = "the squares are summed as they are, without scaling against overflow", .systems = "TF",            \
    .bound = "epsilons: half of the sum of squares (see sum) and their products, as the root halves it; "              \
             "4.5 of the root"

OPERATOR(sum) = {
    NAMED(sum, "reduction"),
    .summary = "sum of all elements",
    .formula = "y = sum over i of x[i]",
    .source = "PyTorch, torch.sum",
    SUMMED,
    .bound = SUM_BOUND,
    ALL(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY),
    .flops = all_flops,
};

OPERATOR(sum_rows) = {
    NAMED(sum_rows, "reduction"),
    .summary = "sum of each row of a matrix",
    .formula = "y[i] = sum over j of x[i, j]",
    .source = "PyTorch, torch.sum(dim=-1)",
    SUMMED,
    .bound = SUM_BOUND,
    ROWS(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY),
    .flops = rows_flops,
};

OPERATOR(mean) = {
    NAMED(mean, "reduction"),
    .summary = "mean of all elements",
    .formula = "y = (sum over i of x[i]) / n",
    .source = "PyTorch, torch.mean",
    SUMMED,
    .mean_over = {"n"},
    .bound = MEAN_BOUND,
    ALL(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY),
    .flops = all_flops,
};

OPERATOR(mean_rows) = {
    NAMED(mean_rows, "reduction"),
    .summary = "mean of each row of a matrix",
    .formula = "y[i] = (sum over j of x[i, j]) / cols",
    .source = "PyTorch, torch.mean(dim=-1)",
    SUMMED,
    .mean_over = {"cols"},
    .bound = MEAN_BOUND,
    ROWS(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY),
    .flops = rows_flops,
};

OPERATOR(prod) = {
    NAMED(prod, "reduction"),
    .summary = "product of all elements",
    .formula = "y = product over i of x[i]",
    .source = "PyTorch, torch.prod",
    MULTIPLIED,
    ALL(DTYPE_CASE, FACTORS),
    .flops = all_flops,
};

OPERATOR(prod_rows) = {
    NAMED(prod_rows, "reduction"),
    .summary = "product of each row of a matrix",
    .formula = "y[i] = product over j of x[i, j]",
    .source = "PyTorch, torch.prod(dim=-1)",
    MULTIPLIED,
    ROWS(DTYPE_CASE, FACTORS),
    .flops = rows_flops,
};

OPERATOR(l2_norm) = {
    NAMED(l2_norm, "reduction"),
    .summary = "Euclidean length of a vector",
    .formula = "y = sqrt(sum over i of x[i]^2)",
    .source = "PyTorch, torch.linalg.vector_norm",
    LENGTH,
    ALL(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY, OUTLIER_OF_SQUARES("n")),
    .flops = twice_all_flops,
};

OPERATOR(l2_norm_rows) = {
    NAMED(l2_norm_rows, "reduction"),
    .summary = "Euclidean length of each row of a matrix",
    .formula = "y[i] = sqrt(sum over j of x[i, j]^2)",
    .source = "PyTorch, torch.linalg.vector_norm(dim=-1)",
    LENGTH,
    ROWS(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY, OUTLIER_OF_SQUARES("cols")),
    .flops = twice_rows_flops,
};

OPERATOR(sum_axis) = {
    NAMED(sum_axis, "reduction"),
    .summary = "sum of each line along the middle axis",
    .formula = "y[o, i] = sum over j of x[o, j, i]",
    .source = "PyTorch, torch.sum(dim=1)",
    SUMMED,
    .bound = SUM_BOUND,
    AXIS(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY),
    .flops = axis_flops,
};

OPERATOR(mean_axis) = {
    NAMED(mean_axis, "reduction"),
    .summary = "mean of each line along the middle axis",
    .formula = "y[o, i] = (sum over j of x[o, j, i]) / n",
    .source = "PyTorch, torch.mean(dim=1)",
    SUMMED,
    .bound = MEAN_BOUND,
    AXIS(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY),
    .flops = axis_flops,
};

OPERATOR(prod_axis) = {
    NAMED(prod_axis, "reduction"),
    .summary = "product of each line along the middle axis",
    .formula = "y[o, i] = product over j of x[o, j, i]",
    .source = "PyTorch, torch.prod(dim=1)",
    MULTIPLIED,
    AXIS(DTYPE_CASE, FACTORS),
    .flops = axis_flops,
};

OPERATOR(l2_norm_axis) = {
    NAMED(l2_norm_axis, "reduction"),
    .summary = "Euclidean length of each line along the middle axis",
    .formula = "y[o, i] = sqrt(sum over j of x[o, j, i]^2)",
    .source = "PyTorch, torch.linalg.vector_norm(dim=1)",
    LENGTH,
    AXIS(DTYPE_CASE, .low = -0.25, .high = 1, .lines = LINES_ANY, OUTLIER_OF_SQUARES("n")),
    .flops = twice_axis_flops,
};

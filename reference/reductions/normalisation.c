// SPDX-License-Identifier: Apache-2.0
// Norms over the last axis, by the root mean square and by mean and variance.
#include "moments.h"

// Returns a row's element: x, or x + res if there is a residual.
static inline real row_element(const real *x, const real *res, int64_t j) {
    return res ? x[j] + res[j] : x[j];
}

// Normalises a row. The bound of a sum of squares is that of the sum and of the products. A residual's rounding
// counts twice in the squares and once in the output.
static void rmsnorm_row(const struct call *c, int64_t first, const real *x, const real *res, const real *w) {
    const int64_t cols = c->dims[1];
    const real eps = (real)c->params[0];
    real squares = 0;
    for (int64_t j = 0; j < cols; j++) squares += row_element(x, res, j) * row_element(x, res, j);
    const real scale = 1 / sqrt(squares / (real)cols + eps);
    const bool open = squares + eps == 0; // 1 / sqrt(0): GLSL.std.450 leaves inversesqrt undefined there
    const double basic = bound_basic(c->rte), rounded = res ? basic : 0;
    const double sum = bound_sum_of(c, cols - 1) + basic + 2 * rounded;
    const double units = inverse_root_bound(sum + BOUND_DIVISION, c->rte) + 2 * basic + rounded;
    for (int64_t j = 0; j < cols; j++) {
        real y = row_element(x, res, j) * scale * w[j];
        emit(c, first + j, y, 0, open ? INFINITY : TRUTH ? ulps_at(units, (double)y) : 0);
    }
}

REFERENCE(rmsnorm, c) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += cols)
        rmsnorm_row(c, first, c->in[0] + first, NULL, c->in[1]);
}

REFERENCE(add_rmsnorm, c) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const real *x = c->in[0] + first, *res = c->in[1] + first;
        if (c->output == 4)
            rmsnorm_row(c, first, x, res, c->in[2]);
        else
            for (int64_t j = 0; j < cols; j++) emit(c, first + j, x[j] + res[j], 0, bound_basic(c->rte));
    }
}

REFERENCE(layernorm, c) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const struct set row = {c->in[0] + first, 1, cols, cols};
        const struct centring by = centring_of(c, &row, (real)c->params[0]);
        for (int64_t j = 0; j < cols; j++) emit_centred(c, first + j, row.x[j], c->in[1][j], c->in[2][j], &by);
    }
}

#define ROW_BY_ROW .shape = {"rows", "cols"}, .granule = {"cols"}

// Square, add, two products an element; divide, add, root, invert a row
COST(rmsnorm_flops, D(0) * (4 * D(1) + 4))

OPERATOR(rmsnorm) = {
    NAMED(rmsnorm, "normalisation"),
    .summary = "root mean square norm of each row, with weights",
    .formula = "y = x * w / sqrt(mean(x^2) + eps)",
    .source = "B. Zhang and R. Sennrich, Root mean square layer normalization, NeurIPS 2019",
    .conventions = "eps inside the root, as torchless, PyTorch and GGML have it",
    .systems = "TL",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1, .lines = LINES_ANY,
                     OUTLIER_OF_SQUARES("cols")},
        {"w", ROLE_IN, .shape = {"cols"}, .low = 0.5, .high = 1.5, .lines = LINES_SOME}, {"y", ROLE_OUT, ROW_BY_ROW}},
    EPS,
    .flops = rmsnorm_flops,
    .bound = "epsilons: half of the error under the root (the sum of squares, see sum_rows, and their products; 2.5 of "
             "the mean's division; eps added), sqrt 4.5 and division 2.5, two products",
};

COST(add_rmsnorm_flops, D(0) * (5 * D(1) + 4))

OPERATOR(add_rmsnorm) = {
    NAMED(add_rmsnorm, "normalisation"),
    .summary = "a residual is added, then the root mean square norm of each row, with weights",
    .formula = "r = x + res; y = r * w / sqrt(mean(r^2) + eps)",
    .source = "B. Zhang and R. Sennrich, Root mean square layer normalization, NeurIPS 2019; fused "
              "with the residual as in vLLM, fused_add_rms_norm",
    .conventions = "eps inside the root; the norm is of the sum before it is rounded for storage",
    .systems = "",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1, .lines = LINES_ANY,
                     OUTLIER_OF_SQUARES("cols")},
        {"res", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"w", ROLE_IN, .shape = {"cols"}, .low = 0.5, .high = 1.5, .lines = LINES_SOME}, {"r", ROLE_OUT, ROW_BY_ROW},
        {"y", ROLE_OUT, ROW_BY_ROW}},
    EPS,
    .flops = add_rmsnorm_flops,
    .bound = "r: one correctly rounded operation; y: as rmsnorm, with the rounding of r in the "
             "squares and in the product",
};

// Add; subtract, square, add; scale, gamma, beta an element; two divisions, add, root, invert a row
COST(layernorm_flops, D(0) * (7 * D(1) + 5))

OPERATOR(layernorm) = {
    NAMED(layernorm, "normalisation"),
    .summary = "layer norm of each row, with scale and shift",
    .formula = "y = (x - mean(x)) / sqrt(var(x) + eps) * gamma + beta",
    .source = "J. Ba, J. Kiros and G. Hinton, Layer normalization, arXiv:1607.06450 (2016)",
    .conventions = "population variance (divided by cols), in two passes; eps inside the root, as PyTorch",
    .systems = "TS CF LT",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1, .lines = LINES_ANY,
                     OUTLIER_OF_DEVIATIONS("cols", true, 16)},
        {"gamma", ROLE_IN, .shape = {"cols"}, .low = 0.5, .high = 1.5, .lines = LINES_SOME},
        {"beta", ROLE_IN, .shape = {"cols"}, .low = -0.5, .high = 0.5, .lines = LINES_SOME,
            .outlier = {.along = "cols"}},
        {"y", ROLE_OUT, ROW_BY_ROW}},
    EPS,
    .flops = layernorm_flops,
    .bound = CENTRED_BOUND,
};

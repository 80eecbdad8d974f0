// SPDX-License-Identifier: Apache-2.0
// Gradients of the norms over the last axis. The rows' statistics are computed anew.
#include "centred_backward.h"
#include "column_sums.h"

// ---- rmsnorm ----

enum { RMS_DY, RMS_X, RMS_W, RMS_DX };

struct root {
    real scale;
    double bound; // in epsilons; infinite for 1 / sqrt(0), left open by GLSL.std.450
};

static struct root root_of(const struct call *c, const real *x) {
    const int64_t cols = c->dims[1];
    const double sum = bound_sum_of(c, cols - 1) + bound_basic(c->rte);
    real squares = 0;
    for (int64_t j = 0; j < cols; j++) squares += x[j] * x[j];
    const real under = squares / (real)cols + (real)c->params[0];
    return (struct root){1 / sqrt(under), under == 0 ? INFINITY : inverse_root_bound(sum + BOUND_DIVISION, c->rte)};
}

// Writes dx = r (g - x r^2 mean(g x)), g = dy w. The sum errs at its absolute terms; the scale's error counts once
// and three times.
static void rmsnorm_dx(const struct call *c, int64_t first) {
    const int64_t cols = c->dims[1];
    const real *dy = c->in[RMS_DY] + first, *x = c->in[RMS_X] + first, *w = c->in[RMS_W];
    const struct root r = root_of(c, x);
    real sum = 0;
    double size = 0;
    for (int64_t j = 0; j < cols; j++) {
        sum += dy[j] * w[j] * x[j];
        if (TRUTH) size += fabs((double)(dy[j] * w[j] * x[j]));
    }
    const real back = r.scale * r.scale * (sum / (real)cols);
    const double basic = bound_basic(c->rte), sum_bound = bound_dot_of(c, cols - 1);
    for (int64_t j = 0; j < cols; j++) {
        const real dx = r.scale * (dy[j] * w[j] - x[j] * back);
        const double along = fabs((double)(r.scale * dy[j] * w[j]));
        const double share = fabs((double)(r.scale * r.scale * r.scale * x[j])) / (double)cols;
        const double error = along * (r.bound + 3 * basic) + share * size * (sum_bound + basic) +
                             share * fabs((double)sum) * (3 * r.bound + BOUND_DIVISION + 5 * basic);
        const double magnitude = along + share * size;
        const double bound = TRUTH && magnitude > 0 ? ulps_at(error / magnitude, magnitude) : 0;
        emit(c, first + j, dx, magnitude, isinf(r.bound) ? INFINITY : bound);
    }
}

static void rmsnorm_dw(const struct call *c) {
    const int64_t rows = c->dims[0], cols = c->dims[1];
    struct summed_column *columns = columns_open(c);
    for (int64_t row = 0; row < rows; row++) {
        const real *dy = c->in[RMS_DY] + row * cols, *x = c->in[RMS_X] + row * cols;
        const struct root r = root_of(c, x);
        for (int64_t j = 0; j < c->count; j++) {
            const real g = dy[c->first + j], z = x[c->first + j] * r.scale, term = g * z;
            const double error = r.bound + 3 * bound_basic(c->rte);
            const bool open = isinf(error) || is_infinite_or_nan((double)z, 0, (double)g) ||
                              is_infinite_or_nan((double)x[c->first + j], 0, (double)g);
            column_add(c, columns, j, term, open ? INFINITY : size_of(term) * error, 0);
        }
    }
    columns_close(c, columns, bound_sum_of(c, rows - 1));
}

REFERENCE(rmsnorm_backward, c) {
    if (c->output != RMS_DX) {
        rmsnorm_dw(c);
        return;
    }
    for (int64_t at = c->first; at < c->first + c->count; at += c->dims[1]) rmsnorm_dx(c, at);
}

// ---- layernorm ----

enum { DY, X, GAMMA, DX, DGAMMA, DBETA };

static struct centring row_centring(const struct call *c, int64_t first) {
    const int64_t cols = c->dims[1];
    const struct set row = {c->in[X] + first, 1, cols, cols};
    return centring_of(c, &row, (real)c->params[0]);
}

static void layernorm_dx(const struct call *c, int64_t first) {
    const int64_t cols = c->dims[1];
    const real *dy = c->in[DY] + first, *x = c->in[X] + first, *gamma = c->in[GAMMA];
    const struct centring by = row_centring(c, first);
    struct gradient_sums sums = {0};
    for (int64_t j = 0; j < cols; j++) add_gradient(&sums, &by, dy[j] * gamma[j], x[j]);
    for (int64_t j = 0; j < cols; j++) emit_centred_gradient(c, first + j, dy[j] * gamma[j], x[j], 1, &sums, &by);
}

// Computes dgamma. Errors of the rows' means are independent, except for their divisions, which may err to one side.
static void layernorm_dgamma(const struct call *c) {
    const int64_t rows = c->dims[0], cols = c->dims[1];
    struct summed_column *columns = columns_open(c);
    for (int64_t row = 0; row < rows; row++) {
        const real *dy = c->in[DY] + row * cols, *x = c->in[X] + row * cols;
        const struct centring by = row_centring(c, row * cols);
        const double stretch = by.scale_bound + 3 * bound_basic(c->rte);
        const double shift = fabs((double)by.scale) * by.mean_abs;
        for (int64_t j = 0; j < c->count; j++) {
            const real g = dy[c->first + j], z = normalised(&by, x[c->first + j]), term = g * z;
            const double moved = size_of(g) * shift, own = moved * (by.mean_bound - BOUND_DIVISION);
            const double error = shift * by.mean_bound + fabs((double)z) * stretch;
            const bool open = isinf(stretch) || is_infinite_or_nan((double)z, error, (double)g);
            column_add(c, columns, j, term, open ? INFINITY : size_of(term) * stretch + moved * BOUND_DIVISION, own);
        }
    }
    columns_close(c, columns, bound_sum_of(c, rows - 1));
}

static void layernorm_dbeta(const struct call *c) {
    const int64_t rows = c->dims[0], cols = c->dims[1];
    struct summed_column *columns = columns_open(c);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t j = 0; j < c->count; j++) column_add(c, columns, j, c->in[DY][row * cols + c->first + j], 0, 0);
    columns_close(c, columns, bound_sum_of(c, rows - 1));
}

REFERENCE(layernorm_backward, c) {
    if (c->output == DGAMMA) layernorm_dgamma(c);
    if (c->output == DBETA) layernorm_dbeta(c);
    if (c->output != DX) return;
    for (int64_t at = c->first; at < c->first + c->count; at += c->dims[1]) layernorm_dx(c, at);
}

// clang-format off
#define ROWS(NAME) {NAME, ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1, .lines = LINES_SOME}
#define GAIN(NAME) {NAME, ROLE_IN, .shape = {"cols"}, .low = 0.5, .high = 1.5, .lines = LINES_SOME}
#define TO_ROWS {"dx", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}
#define TO_COLUMNS(NAME) {NAME, ROLE_OUT, .shape = {"cols"}}
// clang-format on
#define OVER_ROWS .systems = "LT", .dims = {"rows", "cols"}, EPS
#define TAKEN_ANEW "statistics are taken anew from x (PyTorch saves them); eps inside the root"

// Per element: square, add; three for the sum; five for dx; three for dw
COST(rmsnorm_backward_flops, 13 * D(0) * D(1))

OPERATOR(rmsnorm_backward) = {
    NAMED(rmsnorm_backward, "backward"),
    OVER_ROWS,
    .summary = "gradients of rmsnorm, of the rows and of the weights",
    .formula = "dx = r (g - x r^2 mean(g * x)), g = dy * w, r = 1 / sqrt(mean(x^2) + eps); dw[j] = "
               "sum over i of dy x r",
    .source = "B. Zhang and R. Sennrich, Root mean square layer normalization, NeurIPS 2019; "
              "PyTorch, derivatives.yaml, _fused_rms_norm",
    .conventions = TAKEN_ANEW,
    .operands = {ROWS("dy"), ROWS("x"), GAIN("w"), TO_ROWS, TO_COLUMNS("dw")},
    .flops = rmsnorm_backward_flops,
    .bound = "dx: epsilons at r |g| + |x| r^3 mean|g x|: the sum at its absolute terms, the "
             "scale's (as rmsnorm) once and three times, 2.5 of the division, basic operations; "
             "dw: the sum over rows, and of its terms the scale's and three basic operations",
};

// Per element: four for the statistics; two normalise; four for the sums; six for dx; three for dgamma and dbeta
COST(layernorm_backward_flops, 19 * D(0) * D(1))

OPERATOR(layernorm_backward) = {
    NAMED(layernorm_backward, "backward"),
    OVER_ROWS,
    .summary = "gradients of layernorm, of the rows, the scale and the shift",
    .formula = "dx = s (g - mean(g) - z mean(g * z)), g = dy * gamma, z = (x - mean) s; dgamma[j] "
               "= sum over i of dy z; dbeta[j] = sum over i of dy",
    .source = "PyTorch, native_layer_norm_backward",
    .conventions = TAKEN_ANEW "; population variance",
    .operands = {ROWS("dy"), ROWS("x"), GAIN("gamma"), TO_ROWS, TO_COLUMNS("dgamma"), TO_COLUMNS("dbeta")},
    .flops = layernorm_backward_flops,
    .bound = "dx: " CENTRED_GRADIENT_BOUND
             "; dgamma: the sum over rows, of its terms the scale's and three basic operations, and the means' errors, "
             "added in squares except for the divisions; dbeta: as sum_cols",
};

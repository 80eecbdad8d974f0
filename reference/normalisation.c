// SPDX-License-Identifier: Apache-2.0
// Softmax and norms over the last axis. The bounds are derived in epsilons (bounds.h), to first
// order; `basic` is one correctly rounded operation and `sum` the error of a sum of as many terms
// as a row has.
#include "bounds.h"
#include "reference.h"

// What one exponential exp(t), t = x - max, carries: its own 3 + 2|t|, and that the rounding of t
// moves it by basic |t|.
static inline double softmax_term(double t, bool rte) {
    return bound_exp(t) + bound_basic(rte) * fabs(t);
}

// Error of the divisor: that of each term by its share of the sum, then of the summation. A kernel
// that reads a row once also rescales its partial sum each time the maximum rises: for a row in
// random order about ln(cols) times (the records of a random sequence), each with one more
// exponential and product. The scale of exponents is already in the terms.
static double softmax_divisor(const struct call *c, const real *y, const real *x, real most) {
    const int64_t cols = c->dims[1];
    double terms = 0;
    for (int64_t j = 0; j < cols; j++)
        terms += (double)y[j] * softmax_term((double)(x[j] - most), c->rte);
    return terms + bound_sum(depth_of(c, cols - 1), c->rte) +
           (3 + bound_basic(c->rte)) * log((double)cols);
}

static void softmax_row(const struct call *c, int64_t row) {
    const int64_t cols = c->dims[1], first = row * cols;
    const real *x = c->in[0] + first;
    real *y = c->out + (first - c->first), most = -INFINITY, sum = 0;
    for (int64_t j = 0; j < cols; j++) most = x[j] > most ? x[j] : most;
    for (int64_t j = 0; j < cols; j++) {
        y[j] = exp(x[j] - most);
        sum += y[j];
    }
    for (int64_t j = 0; j < cols; j++) y[j] = y[j] / sum;
    if (!TRUTH) return;
    const double divisor = softmax_divisor(c, y, x, most);
    for (int64_t j = 0; j < cols; j++) {
        double units = softmax_term((double)(x[j] - most), c->rte) + divisor + BOUND_DIVISION +
                       bound_basic(c->rte);
        emit(c, first + j, y[j], 0, ulps_at(units, (double)y[j]));
    }
}

static void softmax_reference(const struct call *c) {
    const int64_t cols = c->dims[1];
    for (int64_t row = c->first / cols; row < (c->first + c->count) / cols; row++)
        softmax_row(c, row);
}
REFERENCE(softmax_reference)

#if VKASSAY_TABLE
static double softmax_flops(const int64_t *dims) {
    return 5 * (double)dims[0] * (double)dims[1]; // compare, subtract, exp, add, divide
}

const struct operator operator_softmax = {
    .name = "softmax",
    .family = "normalisation",
    .summary = "softmax of each row",
    .formula = "y = exp(x - max(x)) / sum(exp(x - max(x)))",
    .source = "J. Bridle, Probabilistic interpretation of feedforward classification network "
              "outputs, 1990; one-pass form: M. Milakov and N. Gimelshein, arXiv:1805.02867",
    .conventions = "the row's maximum is taken away first and starts at -inf; a row of -inf gives "
                   "NaN, as in PyTorch",
    .seeds = "TL TS CF LT",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -4, .high = 4},
        {"y", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}},
    .flops = softmax_flops,
    .bound = "epsilons, with t = x - max: 3 + 2|t| of exp and a basic operation times |t| for the "
             "rounding of t; the same of the divisor's terms by their shares; the sum (see "
             "sum_rows); ln(cols) rescalings of a one-pass kernel; 2.5 of the division and a "
             "product",
    REFERENCES(softmax_reference),
};
#endif

// 1 / sqrt(q / cols + eps) by the dearer of two ways, a square root and then a division by it, from
// a sum q of squares with a relative error of `squares`: the root halves what is under it (the sum,
// the mean's division, eps added).
static inline double inverse_root_bound(double squares, bool rte) {
    return 0.5 * (squares + BOUND_DIVISION + bound_basic(rte)) + BOUND_SQRT + BOUND_DIVISION;
}

static void rmsnorm_row(const struct call *c, int64_t row) {
    const int64_t cols = c->dims[1], first = row * cols;
    const real *x = c->in[0] + first, *w = c->in[1], eps = (real)c->params[0];
    real squares = 0;
    for (int64_t j = 0; j < cols; j++) squares += x[j] * x[j];
    const real scale = 1 / sqrt(squares / (real)cols + eps);
    const double basic = bound_basic(c->rte);
    const double sum = bound_sum(depth_of(c, cols - 1), c->rte) + basic;
    const double units = inverse_root_bound(sum, c->rte) + 2 * basic;
    for (int64_t j = 0; j < cols; j++) {
        real y = x[j] * scale * w[j];
        emit(c, first + j, y, 0, TRUTH ? ulps_at(units, (double)y) : 0);
    }
}

static void rmsnorm_reference(const struct call *c) {
    const int64_t cols = c->dims[1];
    for (int64_t row = c->first / cols; row < (c->first + c->count) / cols; row++)
        rmsnorm_row(c, row);
}
REFERENCE(rmsnorm_reference)

#if VKASSAY_TABLE
static double rmsnorm_flops(const int64_t *dims) {
    // square, add, two products an element; divide, add, root, invert a row
    return (double)dims[0] * (4 * (double)dims[1] + 4);
}

const struct operator operator_rmsnorm = {
    .name = "rmsnorm",
    .family = "normalisation",
    .summary = "root mean square norm of each row, with weights",
    .formula = "y = x * w / sqrt(mean(x^2) + eps)",
    .source = "B. Zhang and R. Sennrich, Root mean square layer normalization, NeurIPS 2019",
    .conventions = "eps inside the root, as torchless, PyTorch and GGML have it",
    .seeds = "TL",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1},
        {"w", ROLE_IN, .shape = {"cols"}, .low = 0.5, .high = 1.5},
        {"y", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}},
    .params = {{"eps", .standard = 1e-5, .low = 0, .high = 1}},
    .flops = rmsnorm_flops,
    .bound = "epsilons: half of what is under the root (the sum of squares, see sum_rows, and "
             "their products; 2.5 of the mean's division; eps added), sqrt 4.5 and division 2.5, "
             "two products",
    REFERENCES(rmsnorm_reference),
};
#endif

// What one row's outputs have in common.
struct layernorm_row {
    real mean, scale;
    double mean_abs;    // mean of |x|, at which the mean's error is measured
    double mean_bound;  // of the mean, in epsilons of mean_abs
    double scale_bound; // of the scale, in epsilons
};

// The rounding of each x - mean is squared and so counts twice; the mean's own error shifts all of
// them alike, which changes the variance only to second order.
static struct layernorm_row layernorm_statistics(const struct call *c, const real *x) {
    const int64_t cols = c->dims[1];
    const double basic = bound_basic(c->rte);
    const double sum_bound = bound_sum(depth_of(c, cols - 1), c->rte);
    struct layernorm_row row = {.mean_bound = sum_bound + BOUND_DIVISION,
        .scale_bound = inverse_root_bound(sum_bound + 3 * basic, c->rte)};
    real sum = 0, squares = 0;
    for (int64_t j = 0; j < cols; j++) {
        sum += x[j];
        if (TRUTH) row.mean_abs += (double)fabs(x[j]) / (double)cols;
    }
    row.mean = sum / (real)cols;
    for (int64_t j = 0; j < cols; j++) squares += (x[j] - row.mean) * (x[j] - row.mean);
    row.scale = 1 / sqrt(squares / (real)cols + (real)c->params[0]);
    return row;
}

// y = (x - mean) scale gamma + beta: x - mean cancels, so the error is taken at |scale gamma| (|x|
// + mean |x|) + |beta|.
static inline void layernorm_emit(const struct call *c, int64_t i, real x, real gamma, real beta,
    const struct layernorm_row *row) {
    const real centred = x - row->mean, y = centred * row->scale * gamma + beta;
    if (!TRUTH) {
        emit(c, i, y, 0, 0);
        return;
    }
    const double basic = bound_basic(c->rte), factor = fabs((double)(row->scale * gamma));
    const double magnitude = factor * (fabs((double)x) + row->mean_abs) + fabs((double)beta);
    const double error = factor * (row->mean_abs * row->mean_bound +
                                      fabs((double)centred) * (row->scale_bound + 3 * basic)) +
                         basic * fabs((double)y);
    emit(c, i, y, magnitude, magnitude > 0 ? ulps_at(error / magnitude, magnitude) : basic);
}

static void layernorm_reference(const struct call *c) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const real *x = c->in[0] + first;
        const struct layernorm_row row = layernorm_statistics(c, x);
        for (int64_t j = 0; j < cols; j++)
            layernorm_emit(c, first + j, x[j], c->in[1][j], c->in[2][j], &row);
    }
}
REFERENCE(layernorm_reference)

#if VKASSAY_TABLE
static double layernorm_flops(const int64_t *dims) {
    // add; subtract, square, add; scale, gamma, beta an element; two divisions, add, root, invert a
    // row
    return (double)dims[0] * (7 * (double)dims[1] + 5);
}

const struct operator operator_layernorm = {
    .name = "layernorm",
    .family = "normalisation",
    .summary = "layer norm of each row, with scale and shift",
    .formula = "y = (x - mean(x)) / sqrt(var(x) + eps) * gamma + beta",
    .source = "J. Ba, J. Kiros and G. Hinton, Layer normalization, arXiv:1607.06450 (2016)",
    .conventions =
        "population variance (divided by cols), in two passes; eps inside the root, as PyTorch",
    .seeds = "TS CF LT",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1},
        {"gamma", ROLE_IN, .shape = {"cols"}, .low = 0.5, .high = 1.5},
        {"beta", ROLE_IN, .shape = {"cols"}, .low = -0.5, .high = 0.5},
        {"y", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}},
    .params = {{"eps", .standard = 1e-5, .low = 0, .high = 1}},
    .flops = layernorm_flops,
    .bound = "epsilons at |scale gamma| (|x| + mean|x|) + |beta|: the mean's sum (see sum_rows) "
             "and 2.5 of its division by mean|x|; the scale's (as rmsnorm, with x - mean rounded) "
             "and three operations by |x - mean|; beta added",
    REFERENCES(layernorm_reference),
};
#endif

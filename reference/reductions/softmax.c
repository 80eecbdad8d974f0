// SPDX-License-Identifier: Apache-2.0
// Softmax over the last axis, and operators made of its parts.
#include "logits.h"

static void softmax_row(const struct call *c, int64_t first, const struct logits *row) {
    real *y = c->out + (first - c->first), sum = 0;
    const real most = largest_logit(row);
    for (int64_t j = 0; j < row->cols && !c->known; j++) {
        y[j] = exp(logit(row, j) - most);
        sum += y[j];
    }
    for (int64_t j = 0; j < row->cols && !c->known; j++) y[j] = y[j] / sum;
    if (!TRUTH) return;
    const double divisor = divisor_bound(c, row, most, (double)sum, y);
    for (int64_t j = 0; j < row->cols; j++) {
        double units = term_bound(row, j, most, c->rte) + divisor + BOUND_DIVISION + bound_basic(c->rte);
        emit(c, first + j, y[j], 0, ulps_at(units, (double)y[j]));
    }
}

REFERENCE(softmax, c) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const struct logits row = {.x = c->in[0] + first, .cols = cols};
        softmax_row(c, first, &row);
    }
}

// A row that is masked completely has no distribution; it is defined as zeros.
REFERENCE(softmax_masked, c) {
    const int64_t cols = c->dims[1], mask_rows = c->dims[2];
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const struct logits row = {.x = c->in[0] + first,
            .mask = c->in[1] + first / cols % mask_rows * cols,
            .scale = (real)c->params[0],
            .cols = cols};
        if (largest_logit(&row) > -INFINITY) {
            softmax_row(c, first, &row);
            continue;
        }
        for (int64_t j = 0; j < cols; j++) emit(c, first + j, 0, 0, 0);
    }
}

static void log_softmax_row(const struct call *c, int64_t first, const struct logits *row) {
    const struct logarithm l = log_divisor(c, row);
    const double basic = bound_basic(c->rte);
    for (int64_t j = 0; j < row->cols; j++) {
        const real t = row->x[j] - l.most, y = t - l.value;
        const double magnitude = fabs((double)t) + l.magnitude;
        const double error = l.error + basic * (fabs((double)t) + fabs((double)y));
        emit(c, first + j, y, magnitude, TRUTH ? ulps_at(error / magnitude, magnitude) : 0);
    }
}

REFERENCE(log_softmax, c) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += cols) {
        const struct logits row = {.x = c->in[0] + first, .cols = cols};
        log_softmax_row(c, first, &row);
    }
}

REFERENCE(logsumexp, c) {
    const int64_t cols = c->dims[1];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const struct logits row = {.x = c->in[0] + i * cols, .cols = cols};
        const struct logarithm l = log_divisor(c, &row);
        const real y = isinf(l.most) ? l.most : l.most + l.value;
        const double magnitude = fabs((double)l.most) + l.magnitude;
        const double error = l.error + bound_basic(c->rte) * fabs((double)y);
        emit(c, i, y, magnitude, TRUTH ? ulps_at(error / magnitude, magnitude) : 0);
    }
}

// No line contains a NaN or +inf. A row's result would be NaN through exp(NaN), and the precision table's 3 + 2|x|
// ULP do not cover that. SwiftShader gives infinity, and so 0 for the other elements.
#define LOGITS                                                                                                         \
    {                                                                                                                  \
        "x", ROLE_IN, .shape = {"rows", "cols"}, .low = -4, .high = 4, .lines = LINES_INFINITE,                        \
                      OUTLIER_OF_LOGITS("cols", 1)                                                                     \
    }
#define ROW_BY_ROW                                                                                                     \
    {                                                                                                                  \
        "y", ROLE_OUT, .shape = {"rows", "cols"}, .granule = { "cols" }                                                \
    }
#define SHARES                                                                                                         \
    { "y", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}, .unit = true }
#define LOG_BOUND                                                                                                      \
    "epsilons at |terms|, the logarithm counted as no less than 1: the divisor's relative error "                      \
    "(see softmax) as an absolute one; the logarithm's 3 ULP, or 2^-21 up to 2; the additions"

COST(softmax_flops, 5 * D(0) * D(1)) // compare, subtract, exp, add, divide

OPERATOR(softmax) = {
    NAMED(softmax, "normalisation"),
    .summary = "softmax of each row; of one vector with rows = 1",
    .formula = "y = exp(x - max(x)) / sum(exp(x - max(x)))",
    .source = "J. Bridle, Probabilistic interpretation of feedforward classification network "
              "outputs, 1990; one-pass form: M. Milakov and N. Gimelshein, arXiv:1805.02867",
    .conventions = "the row's maximum is taken away first and starts at -inf; a row of -inf gives "
                   "NaN, as in PyTorch",
    .systems = "TL TS CF LT",
    .dims = {"rows", "cols"},
    .operands = {LOGITS, SHARES},
    .flops = softmax_flops,
    .bound = "epsilons, with t = x - max: 3 + 2|t| of exp and a basic operation times |t| for the "
             "rounding of t; the same of the divisor's terms by their shares; the sum (see "
             "sum_rows); ln(cols) rescalings of a one-pass kernel; 2.5 of the division and a "
             "product",
};

static const char *softmax_masked_derive(int64_t *dims) {
    return dims[0] % dims[2] ? "rows is no multiple of mask_rows" : NULL;
}

COST(softmax_masked_flops, 7 * D(0) * D(1)) // and scale, add

OPERATOR(softmax_masked) = {
    NAMED(softmax_masked, "normalisation"),
    .summary = "softmax of each row, scaled and with an additive mask",
    .formula = "y = softmax(scale * x + mask)",
    .source = "A. Vaswani et al., Attention is all you need, arXiv:1706.03762, 3.2; GGML, "
              "GGML_OP_SOFT_MAX",
    .conventions = "row i takes row i % mask_rows of the mask (one mask for all heads); masked is -inf; a fully masked "
                   "row is 0 everywhere (PyTorch: NaN)",
    .systems = "",
    .dims = {"rows", "cols", "mask_rows"},
    .derive = softmax_masked_derive,
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -32, .high = 32, .lines = LINES_FINITE,
                     OUTLIER_OF_LOGITS("cols", 0.125)},
        {"mask", ROLE_IN, .shape = {"mask_rows", "cols"}, .fill = FILL_MASK, .lines = LINES_MASKED,
            .outlier = {.along = "cols"}},
        SHARES},
    .params = {{"scale", .standard = 0.125, TELLING(0, 1, -0.75)}},
    .flops = softmax_masked_flops,
    .bound = "as softmax; the product by scale and the sum with the mask move an exponential by a "
             "basic operation times |scale x| + |scale x + mask|",
};

OPERATOR(log_softmax) = {
    NAMED(log_softmax, "normalisation"),
    .summary = "logarithm of the softmax of each row",
    .formula = "y = x - max(x) - log(sum(exp(x - max(x))))",
    .source = "PyTorch, torch.nn.functional.log_softmax",
    .conventions = "a row of -inf gives NaN, as in PyTorch",
    .systems = "TL TS CF LT",
    .dims = {"rows", "cols"},
    .operands = {LOGITS, ROW_BY_ROW},
    .flops = softmax_flops,
    .bound = LOG_BOUND,
};

COST(logsumexp_flops, 4 * D(0) * D(1)) // compare, subtract, exp, add

OPERATOR(logsumexp) = {
    NAMED(logsumexp, "reduction"),
    .summary = "logarithm of the sum of exponentials of each row; of one vector with rows = 1",
    .formula = "y[i] = log(sum over j of exp(x[i, j]))",
    .source = "PyTorch, torch.logsumexp(dim=-1)",
    .conventions = "the row's maximum is taken away first; a row of -inf gives -inf",
    .systems = "TF",
    .dims = {"rows", "cols"},
    .operands = {LOGITS, {"y", ROLE_OUT, .shape = {"rows"}}},
    .flops = logsumexp_flops,
    .bound = LOG_BOUND,
};

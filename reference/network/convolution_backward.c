// SPDX-License-Identifier: Apache-2.0
// Gradients of a convolution with respect to its input, its weights and its bias.
#include "convolution.h"
#include "../rows.h"
#include "spread.h"

REFERENCE(conv2d_backward_input, c) {
    const struct convolution v = conv2d_of(c->dims);
    const struct spread back = {.cin = v.cout, .cout = v.cin, .groups = v.groups, .y = v.y, .x = v.x};
    spread_out(c, &back, NULL);
}

// Returns one weight's gradient in one picture: a sum over the outputs with this tap inside. Other gradients meet the
// padding's zeros or are skipped. Both are right for 0 times an infinity or NaN, so the result is then open.
static inline real tap_sum(const real *x, const real *dy, const struct convolution *v, int64_t ky, int64_t kx,
    double *magnitude, int64_t *terms, bool *open) {
    real sum = 0;
    for (int64_t oy = 0; oy < v->y.outputs; oy++) {
        const int64_t row = axis_origin(&v->y, oy) + ky * v->y.dilation;
        const bool inside = row >= 0 && row < v->y.size;
        if (!inside && !TRUTH) continue;
        for (int64_t ox = 0; ox < v->x.outputs; ox++) {
            const int64_t col = axis_origin(&v->x, ox) + kx * v->x.dilation;
            if (!inside || col < 0 || col >= v->x.size) {
                if (TRUTH && !isfinite(dy[oy * v->x.outputs + ox])) *open = true;
                continue;
            }
            const real term = x[row * v->x.size + col] * dy[oy * v->x.outputs + ox];
            sum += term;
            ++*terms;
            if (TRUTH) *magnitude += size_of(term);
        }
    }
    return sum;
}

REFERENCE(conv2d_backward_weight, c) {
    const struct convolution v = conv2d_of(c->dims);
    const int64_t size = v.y.size * v.x.size, outputs = v.y.outputs * v.x.outputs;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t kx = i % v.x.taps, ky = i / v.x.taps % v.y.taps;
        const int64_t window = i / (v.x.taps * v.y.taps), channel = window / v.cin_group;
        const int64_t group = channel / (v.cout / v.groups);
        const int64_t from = group * v.cin_group + window % v.cin_group;
        double magnitude = 0;
        int64_t terms = 0;
        real sum = 0;
        bool open = false;
        for (int64_t image = 0; image < c->dims[N]; image++)
            sum += tap_sum(c->in[0] + (image * v.cin + from) * size, c->in[1] + (image * v.cout + channel) * outputs,
                &v, ky, kx, &magnitude, &terms, &open);
        if (open)
            emit(c, i, sum, magnitude, INFINITY);
        else
            emit_products(c, i, sum, magnitude, terms);
    }
}

REFERENCE(conv2d_backward_bias, c) {
    const int64_t channels = c->dims[1], size = c->dims[2] * c->dims[3];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        double magnitude = 0;
        real sum = 0;
        for (int64_t image = 0; image < c->dims[0]; image++)
            sum += sum_of(c->in[0] + (image * channels + i) * size, size, &magnitude);
        emit(c, i, sum, magnitude, TRUTH ? bound_sum_of(c, c->dims[0] * size - 1) : 0);
    }
}

COST(products_flops, 2 * D(N) * D(COUT) * D(OH) * D(OW) * D(CIN_GROUP) * D(KH) * D(KW))
COST(conv2d_backward_bias_flops, D(1) * (D(0) * D(2) * D(3) - 1))

#define CONV2D_GRADIENT .systems = "LT"
#define PRODUCTS_BOUND                                                                                                 \
    "as matvec: ULP at the sum of the products' absolute values, an addition for each product "                        \
    "inside the picture, and two basic operations for the products"
#define CONV2D_CONVENTIONS "NCHW and OIHW, as conv2d; operations on the zeros outside count as useful, as there"

OPERATOR(conv2d_backward_input) = {
    NAMED(conv2d_backward_input, "convolution"),
    CONV2D_GRADIENT,
    .summary = "gradient of conv2d with respect to its input",
    .formula = "dx[n, c, r, s] = sum over o and i, u with i stride + u dilation - pad = r and j, v "
               "with j stride + v dilation - pad = s of dy[n, o, i, j] weight[o, c, u, v]",
    .source = "the derivative of conv2d; PyTorch, torch.nn.grad.conv2d_input",
    .conventions = CONV2D_CONVENTIONS,
    CONV2D_DIMS,
    .operands = {{"dy", ROLE_IN, .shape = {"n", "cout", "oh", "ow"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"weight", ROLE_IN, .shape = {"cout", "cin_group", "kh", "kw"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"dx", ROLE_OUT, .shape = {"n", "cin", "h", "w"}}},
    .flops = products_flops,
    .bound = PRODUCTS_BOUND,
};

OPERATOR(conv2d_backward_weight) = {
    NAMED(conv2d_backward_weight, "convolution"),
    CONV2D_GRADIENT,
    .summary = "gradient of conv2d with respect to its weights",
    .formula = "dweight[o, c, u, v] = sum over n, i, j of dy[n, o, i, j] x[n, g(o) + c, i stride + u "
               "dilation - pad, j stride + v dilation - pad]",
    .source = "the derivative of conv2d; PyTorch, torch.nn.grad.conv2d_weight",
    .conventions = CONV2D_CONVENTIONS,
    CONV2D_DIMS,
    .operands = {{"x", ROLE_IN, .shape = {"n", "cin", "h", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"dy", ROLE_IN, .shape = {"n", "cout", "oh", "ow"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"dweight", ROLE_OUT, .shape = {"cout", "cin_group", "kh", "kw"}}},
    .flops = products_flops,
    .bound = PRODUCTS_BOUND,
};

OPERATOR(conv2d_backward_bias) = {
    NAMED(conv2d_backward_bias, "convolution"),
    CONV2D_GRADIENT,
    .summary = "gradient of conv2d with respect to its bias: the sum of each channel of the batch",
    .formula = "dbias[o] = sum over n, i, j of dy[n, o, i, j]",
    .source = "the derivative of conv2d",
    .dims = {"n", "cout", "oh", "ow"},
    .operands = {{"dy", ROLE_IN, .shape = {"n", "cout", "oh", "ow"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"dbias", ROLE_OUT, .shape = {"cout"}}},
    .flops = conv2d_backward_bias_flops,
    .bound = SUM_BOUND,
};

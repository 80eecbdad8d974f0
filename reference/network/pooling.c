// SPDX-License-Identifier: Apache-2.0
// Pooling: the largest or the mean of each window, or of each whole plane.
#include "pools.h"
#include "../rows.h"

// Computes the largest tap, or the first of equals. A window that is completely outside (possible if dilated) has the
// maximum of nothing.
static inline void max_pool(const struct call *c, const struct axis *y, const struct axis *x) {
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t plane = i / (x->outputs * y->outputs);
        const real *in = c->in[0] + plane * y->size * x->size;
        const int64_t best = window_argmax(in, y, x, i / x->outputs % y->outputs, i % x->outputs);
        emit(c, i, best < 0 ? -(real)INFINITY : in[best], 0, 0);
    }
}

static inline void avg_pool(const struct call *c, const struct axis *y, const struct axis *x) {
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t oy = i / x->outputs % y->outputs, ox = i % x->outputs;
        const int64_t plane = i / (x->outputs * y->outputs);
        const struct taps ys = taps_inside(y, oy), xs = taps_inside(x, ox);
        const int64_t top = axis_origin(y, oy), left = axis_origin(x, ox);
        const int64_t divisor = window_divisor(y, x, oy, ox, c->params[0] != 0);
        real sum = 0;
        double magnitude = 0;
        for (int64_t ky = ys.first; ky < ys.end; ky++)
            sum += sum_of(
                c->in[0] + (plane * y->size + top + ky) * x->size + left + xs.first, xs.end - xs.first, &magnitude);
        magnitude /= (double)divisor;
        const int64_t depth = taps_count(ys) * taps_count(xs) - 1;
        emit(c, i, sum / (real)divisor, magnitude, TRUTH ? mean_bound(bound_sum(depth, c->rte), magnitude, c->rte) : 0);
    }
}

REFERENCE(max_pool2d, c) {
    const struct axis y = max_pool2d_y(c->dims), x = max_pool2d_x(c->dims);
    max_pool(c, &y, &x);
}

REFERENCE(max_pool1d, c) {
    const struct axis y = POINT, x = max_pool1d_x(c->dims);
    max_pool(c, &y, &x);
}

REFERENCE(avg_pool2d, c) {
    const struct axis y = avg_pool2d_y(c->dims), x = avg_pool2d_x(c->dims);
    avg_pool(c, &y, &x);
}

REFERENCE(avg_pool1d, c) {
    const struct axis y = POINT, x = avg_pool1d_x(c->dims);
    avg_pool(c, &y, &x);
}

REFERENCE(global_avg_pool, c) {
    const int64_t size = c->dims[2] * c->dims[3];
    for (int64_t i = c->first; i < c->first + c->count; i++) mean_row(c, i, c->in[0] + i * size, size);
}

static const char *max_pool1d_derive(int64_t *dims) {
    const struct axis x = max_pool1d_x(dims);
    return pool_outputs(&x, dims[7], &dims[8]);
}

static const char *avg_pool1d_derive(int64_t *dims) {
    const struct axis x = avg_pool1d_x(dims);
    return pool_outputs(&x, dims[6], &dims[7]);
}

static const char *global_avg_pool_derive(int64_t *dims) {
    return __builtin_mul_overflow(dims[0], dims[1], &dims[4]) || __builtin_mul_overflow(dims[2], dims[3], &dims[5])
               ? "an operand's size overflows"
               : NULL;
}

// A comparison or an addition for each tap except the first; a mean's division makes up for that.
COST(max_pool2d_flops, D(0) * D(1) * D(10) * D(11) * (D(4) * D(5) - 1))
COST(max_pool1d_flops, D(0) * D(1) * D(8) * (D(3) - 1))
COST(avg_pool2d_flops, D(0) * D(1) * D(9) * D(10) * D(4) * D(5))
COST(avg_pool1d_flops, D(0) * D(1) * D(7) * D(3))
COST(global_avg_pool_flops, D(0) * D(1) * D(2) * D(3))

OPERATOR(max_pool1d) = {
    NAMED(max_pool1d, "convolution"),
    .summary = "largest element of each window along the last axis",
    .formula = "y[n, c, j] = max over v inside of x[n, c, j stride + v dilation - pad]",
    .source = "PyTorch, torch.nn.MaxPool1d",
    .conventions = MAX_POOL_CONVENTIONS,
    .systems = "TS CF LT",
    .dims = {"n", "c", "w", "kw", "stride", "pad", "dilation", "ceil"},
    .options = {POOL_OPTIONS, OPTION("dilation", 1, 2, 3)},
    .derived = {"ow"},
    .derive = max_pool1d_derive,
    .zero_ok = {"pad", "ceil"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "w"}, MAX_POOL_FILL}, {"y", ROLE_OUT, .shape = {"n", "c", "ow"}}},
    .flops = max_pool1d_flops,
    .bound = "exact: one of the inputs",
};

OPERATOR(max_pool2d) = {
    NAMED(max_pool2d, "convolution"),
    .summary = "largest element of each window of a picture",
    .formula = "y[n, c, i, j] = max over u, v inside of x[n, c, i stride + u dilation - pad, j "
               "stride + v dilation - pad]",
    .source = "PyTorch, torch.nn.MaxPool2d",
    .conventions = MAX_POOL_CONVENTIONS,
    .systems = "TS CF LT",
    MAX_POOL2D_DIMS,
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, MAX_POOL_FILL},
        {"y", ROLE_OUT, .shape = {"n", "c", "oh", "ow"}}},
    .flops = max_pool2d_flops,
    .bound = "exact: one of the inputs",
};

OPERATOR(avg_pool1d) = {
    NAMED(avg_pool1d, "convolution"),
    .summary = "mean of each window along the last axis",
    .formula = "y[n, c, j] = (sum over v inside of x[n, c, j stride + v - pad]) / count",
    .source = "PyTorch, torch.nn.AvgPool1d",
    .conventions = AVG_POOL_CONVENTIONS,
    .systems = "TS CF LT",
    .dims = {"n", "c", "w", "kw", "stride", "pad", "ceil"},
    .options = {POOL_OPTIONS},
    .derived = {"ow"},
    .derive = avg_pool1d_derive,
    .zero_ok = {"pad", "ceil"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"y", ROLE_OUT, .shape = {"n", "c", "ow"}}},
    .params = {COUNT_INCLUDE_PAD},
    .flops = avg_pool1d_flops,
    .bound = MEAN_BOUND,
};

OPERATOR(avg_pool2d) = {
    NAMED(avg_pool2d, "convolution"),
    .summary = "mean of each window of a picture",
    .formula = "y[n, c, i, j] = (sum over u, v inside of x[n, c, i stride + u - pad, j stride + v - "
               "pad]) / count",
    .source = "PyTorch, torch.nn.AvgPool2d",
    .conventions = AVG_POOL_CONVENTIONS,
    .systems = "TS CF LT",
    AVG_POOL2D_DIMS,
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"y", ROLE_OUT, .shape = {"n", "c", "oh", "ow"}}},
    .params = {COUNT_INCLUDE_PAD},
    .flops = avg_pool2d_flops,
    .bound = MEAN_BOUND,
};

OPERATOR(global_avg_pool) = {
    NAMED(global_avg_pool, "convolution"),
    .summary = "mean of each channel of each image",
    .formula = "y[n, c] = mean over i, j of x[n, c, i, j]",
    .source = "M. Lin, Q. Chen and S. Yan, Network in network, arXiv:1312.4400 (2013); PyTorch, "
              "torch.nn.AdaptiveAvgPool2d(1)",
    .conventions = "y is [n, c]: the axes of length 1 are left out",
    .systems = "TS",
    .dims = {"n", "c", "h", "w"},
    .derived = {"rows", "cols"}, // planes are rows of a matrix, for kernels that reduce rows
    .derive = global_avg_pool_derive,
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, .low = -0.25, .high = 1, .lines = LINES_ANY,
                     .line_axes = 2},
        {"y", ROLE_OUT, .shape = {"n", "c"}}},
    .mean_over = {"h", "w"},
    .flops = global_avg_pool_flops,
    .bound = MEAN_BOUND,
};

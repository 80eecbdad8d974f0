// SPDX-License-Identifier: Apache-2.0
// Convolution as in neural networks: a cross-correlation. Also the matrix of windows that turns it into a product of
// matrices.
#include "convolution.h"

static inline bool within(struct taps taps, int64_t tap) {
    return tap >= taps.first && tap < taps.end;
}

// Returns whether weights outside of the picture matter. They meet the padding's zeros or are skipped; both are right
// for 0 times an infinity or NaN.
static inline bool padding_tells(
    const struct call *c, const struct convolution *v, int64_t channel, struct taps ys, struct taps xs) {
    if (!TRUTH || (taps_count(ys) == v->y.taps && taps_count(xs) == v->x.taps)) return false;
    const real *window = c->in[1] + channel * v->cin_group * v->y.taps * v->x.taps;
    for (int64_t i = 0; i < v->cin_group; i++)
        for (int64_t ky = 0; ky < v->y.taps; ky++)
            for (int64_t kx = 0; kx < v->x.taps; kx++, window++)
                if (!isfinite(*window) && !(within(ys, ky) && within(xs, kx))) return true;
    return false;
}

// Computes one output: its sum over channels and taps, and its number of products.
static inline real window_sum(const struct call *c, const struct convolution *v, int64_t image, int64_t channel,
    int64_t oy, int64_t ox, double *magnitude, int64_t *terms) {
    const int64_t group = channel / (v->cout / v->groups);
    const int64_t top = axis_origin(&v->y, oy), left = axis_origin(&v->x, ox);
    const struct taps ys = taps_inside(&v->y, oy), xs = taps_inside(&v->x, ox);
    real sum = c->in[2][channel];
    if (TRUTH) *magnitude = size_of(sum);
    *terms = v->cin_group * taps_count(ys) * taps_count(xs);
    for (int64_t i = 0; i < v->cin_group; i++) {
        const int64_t plane = (image * v->cin + group * v->cin_group + i) * v->y.size;
        const real *window = c->in[1] + (channel * v->cin_group + i) * v->y.taps * v->x.taps;
        for (int64_t ky = ys.first; ky < ys.end; ky++) {
            const real *row = c->in[0] + (plane + top + ky * v->y.dilation) * v->x.size;
            for (int64_t kx = xs.first; kx < xs.end; kx++) {
                real term = row[left + kx * v->x.dilation] * window[ky * v->x.taps + kx];
                sum += term;
                if (TRUTH) *magnitude += size_of(term);
            }
        }
    }
    return sum;
}

static inline void convolve(const struct call *c, const struct convolution *v) {
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t ox = i % v->x.outputs, oy = i / v->x.outputs % v->y.outputs;
        const int64_t plane = i / (v->x.outputs * v->y.outputs);
        double magnitude = 0;
        int64_t terms;
        real sum = window_sum(c, v, plane / v->cout, plane % v->cout, oy, ox, &magnitude, &terms);
        if (padding_tells(c, v, plane % v->cout, taps_inside(&v->y, oy), taps_inside(&v->x, ox)))
            emit(c, i, sum, magnitude, INFINITY);
        else
            emit_products(c, i, sum, magnitude, terms);
    }
}

enum { L_CIN = 1, L_W, L_COUT, L_KW, L_STRIDE, L_PAD, L_DILATION, L_GROUPS, L_OW, L_CIN_GROUP };

static inline struct convolution conv1d_of(const int64_t *d) {
    return (struct convolution){d[L_CIN], d[L_COUT], d[L_GROUPS], d[L_CIN_GROUP], POINT,
        {d[L_W], d[L_KW], d[L_STRIDE], d[L_PAD], d[L_DILATION], d[L_OW]}};
}

REFERENCE(conv2d, c) {
    const struct convolution v = conv2d_of(c->dims);
    convolve(c, &v);
}

REFERENCE(conv1d, c) {
    const struct convolution v = conv1d_of(c->dims);
    convolve(c, &v);
}

enum { U_C = 1, U_H, U_W, U_KH, U_KW, U_STRIDE, U_PAD, U_DILATION, U_OH, U_OW, U_ROWS, U_COLS };

static inline struct convolution im2col_of(const int64_t *d) {
    return (struct convolution){d[U_C], d[U_C], 1, d[U_C],
        {d[U_H], d[U_KH], d[U_STRIDE], d[U_PAD], d[U_DILATION], d[U_OH]},
        {d[U_W], d[U_KW], d[U_STRIDE], d[U_PAD], d[U_DILATION], d[U_OW]}};
}

REFERENCE(im2col, c) {
    const struct convolution v = im2col_of(c->dims);
    const int64_t outputs = v.x.outputs * v.y.outputs, taps = v.x.taps * v.y.taps;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t tap = i / outputs % taps, plane = i / (outputs * taps);
        const int64_t oy = i % outputs / v.x.outputs, ox = i % v.x.outputs;
        const int64_t row = axis_origin(&v.y, oy) + tap / v.x.taps * v.y.dilation;
        const int64_t col = axis_origin(&v.x, ox) + tap % v.x.taps * v.x.dilation;
        const bool inside = row >= 0 && row < v.y.size && col >= 0 && col < v.x.size;
        emit(c, i, inside ? c->in[0][(plane * v.y.size + row) * v.x.size + col] : 0, 0, 0);
    }
}

static const char *conv1d_derive(int64_t *dims) {
    const struct convolution v = conv1d_of(dims);
    if (!axis_outputs(&v.x, &dims[L_OW])) return WINDOW_TOO_LONG;
    dims[L_CIN_GROUP] = v.cin / v.groups;
    return channels_refused(&v);
}

static double convolution_flops(const struct convolution *v, int64_t n) {
    double outputs = (double)n * (double)v->cout * (double)v->y.outputs * (double)v->x.outputs;
    return outputs * (2 * (double)v->cin_group * (double)v->y.taps * (double)v->x.taps + 1);
}

static double conv2d_flops(const int64_t *d) {
    const struct convolution v = conv2d_of(d);
    return convolution_flops(&v, d[N]);
}

static double conv1d_flops(const int64_t *d) {
    const struct convolution v = conv1d_of(d);
    return convolution_flops(&v, d[N]);
}

#define CONVOLUTION_BOUND                                                                                              \
    "as matvec: ULP at the sum of the products' and the bias's absolute values, an addition for "                      \
    "each product inside the picture, and two basic operations for the products"

OPERATOR(conv1d) = {
    NAMED(conv1d, "convolution"),
    .along = "cout",
    .along_parts = "groups",
    .summary = "one-dimensional convolution with bias, stride, padding, dilation and groups",
    .formula = "y[n, o, j] = bias[o] + sum over c, v of x[n, g(o) + c, j stride + v dilation - pad] "
               "weight[o, c, v]",
    .source = "PyTorch, torch.nn.Conv1d",
    .conventions = "cross-correlation (the window is not flipped), NCW and OIW, zeros outside; operations on these "
                   "zeros count as useful, as usual",
    .systems = "CF",
    .dims = {"n", "cin", "w", "cout", "kw", "stride", "pad", "dilation", "groups"},
    .options = {OPTION("kw", 1, 2, 3), WINDOW_OPTIONS, OPTION("groups", 1, 2, 4)},
    .derived = {"ow", "cin_group"},
    .derive = conv1d_derive,
    .zero_ok = {"pad"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "cin", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"weight", ROLE_IN, .shape = {"cout", "cin_group", "kw"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"bias", ROLE_IN, .shape = {"cout"}, .lines = LINES_BROKEN}, {"y", ROLE_OUT, .shape = {"n", "cout", "ow"}}},
    .flops = conv1d_flops,
    .bound = CONVOLUTION_BOUND,
};

OPERATOR(conv2d) = {
    NAMED(conv2d, "convolution"),
    .along = "cout",
    .along_parts = "groups",
    .summary = "two-dimensional convolution with bias, stride, padding, dilation and groups",
    .formula = "y[n, o, i, j] = bias[o] + sum over c, u, v of x[n, g(o) + c, i stride + u "
               "dilation - pad, j stride + v dilation - pad] weight[o, c, u, v]",
    .source = "PyTorch, torch.nn.Conv2d",
    .conventions = "cross-correlation (the window is not flipped), NCHW and OIHW, zeros outside; operations on these "
                   "zeros count as useful, as usual",
    .systems = "TS CF LT",
    CONV2D_DIMS,
    .operands = {{"x", ROLE_IN, .shape = {"n", "cin", "h", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"weight", ROLE_IN, .shape = {"cout", "cin_group", "kh", "kw"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"bias", ROLE_IN, .shape = {"cout"}, .lines = LINES_BROKEN},
        {"y", ROLE_OUT, .shape = {"n", "cout", "oh", "ow"}}},
    .flops = conv2d_flops,
    .bound = CONVOLUTION_BOUND,
};

static const char *im2col_derive(int64_t *dims) {
    const struct convolution v = im2col_of(dims);
    if (!axis_outputs(&v.y, &dims[U_OH]) || !axis_outputs(&v.x, &dims[U_OW])) return WINDOW_TOO_LONG;
    if (__builtin_mul_overflow(dims[U_C], dims[U_KH], &dims[U_ROWS]) ||
        __builtin_mul_overflow(dims[U_ROWS], dims[U_KW], &dims[U_ROWS]) ||
        __builtin_mul_overflow(dims[U_OH], dims[U_OW], &dims[U_COLS]))
        return "an operand's size overflows";
    return NULL;
}

OPERATOR(im2col) = {
    NAMED(im2col, "convolution"),
    .summary = "a matrix of windows: a row for each channel and tap, a column for each output",
    .formula = "y[n, (c, u, v), (i, j)] = x[n, c, i stride + u dilation - pad, j stride + v "
               "dilation - pad]",
    .source = "PyTorch, torch.nn.Unfold",
    .conventions = "zeros outside; rows have the order of the weights of conv2d",
    .systems = "",
    .dims = {"n", "c", "h", "w", "kh", "kw", "stride", "pad", "dilation"},
    .options = {OPTION("kh", 1, 2, 3), OPTION("kw", 1, 3), WINDOW_OPTIONS},
    .derived = {"oh", "ow", "rows", "cols"},
    .derive = im2col_derive,
    .zero_ok = {"pad"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "c", "h", "w"}, MOVED},
        {"y", ROLE_OUT, .shape = {"n", "rows", "cols"}, MOVED}},
    NOTHING_COMPUTED,
};

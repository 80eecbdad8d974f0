// SPDX-License-Identifier: Apache-2.0
// Convolution as neural networks have it: a cross-correlation.
#include "bounds.h"
#include "reference.h"

// Dims in the operator's order, given and then derived.
enum { N, CIN, H, W, COUT, KH, KW, STRIDE, PAD, DILATION, GROUPS, OH, OW, CIN_GROUP };

// The part of a window's taps [0, taps) along one axis that falls inside [0, size) when the first
// is at `origin`.
struct taps {
    int64_t first, end;
};

static struct taps taps_inside(int64_t origin, int64_t taps, int64_t dilation, int64_t size) {
    struct taps inside = {origin < 0 ? (-origin + dilation - 1) / dilation : 0, taps};
    if (origin + (taps - 1) * dilation >= size)
        inside.end = origin < size ? (size - 1 - origin) / dilation + 1 : 0;
    return inside;
}

// One output: where its window lies, and its sum over channels and taps.
static real conv2d_sum(const struct call *c, const int64_t *d, int64_t image, int64_t channel,
    int64_t oy, int64_t ox, double *magnitude) {
    const int64_t group = channel / (d[COUT] / d[GROUPS]);
    const int64_t top = oy * d[STRIDE] - d[PAD], left = ox * d[STRIDE] - d[PAD];
    const struct taps ys = taps_inside(top, d[KH], d[DILATION], d[H]);
    const struct taps xs = taps_inside(left, d[KW], d[DILATION], d[W]);
    real sum = c->in[2][channel];
    if (TRUTH) *magnitude = (double)fabs(sum);
    for (int64_t i = 0; i < d[CIN_GROUP]; i++) {
        const int64_t plane = (image * d[CIN] + group * d[CIN_GROUP] + i) * d[H];
        const real *window = c->in[1] + (channel * d[CIN_GROUP] + i) * d[KH] * d[KW];
        for (int64_t ky = ys.first; ky < ys.end; ky++) {
            const real *x = c->in[0] + (plane + top + ky * d[DILATION]) * d[W];
            for (int64_t kx = xs.first; kx < xs.end; kx++) {
                real term = x[left + kx * d[DILATION]] * window[ky * d[KW] + kx];
                sum += term;
                if (TRUTH) *magnitude += (double)fabs(term);
            }
        }
    }
    return sum;
}

static void conv2d_reference(const struct call *c) {
    const int64_t *d = c->dims;
    const double bound = bound_dot(depth_of(c, d[CIN_GROUP] * d[KH] * d[KW]), c->rte);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t ox = i % d[OW], oy = i / d[OW] % d[OH];
        const int64_t channel = i / (d[OW] * d[OH]) % d[COUT];
        const int64_t image = i / (d[OW] * d[OH] * d[COUT]);
        double magnitude = 0;
        real sum = conv2d_sum(c, d, image, channel, oy, ox, &magnitude);
        emit(c, i, sum, magnitude, bound);
    }
}
REFERENCE(conv2d_reference)

#if VKASSAY_TABLE
// Outputs along one axis: floor((size + 2 pad - dilation (taps - 1) - 1) / stride) + 1. False when
// the window does not fit or a product overflows.
static bool output_size(int64_t size, int64_t taps, const int64_t *dims, int64_t *outputs) {
    int64_t padded, reach;
    if (__builtin_mul_overflow(dims[PAD], 2, &padded) ||
        __builtin_add_overflow(padded, size, &padded) ||
        __builtin_mul_overflow(taps - 1, dims[DILATION], &reach) || reach >= padded)
        return false;
    *outputs = (padded - reach - 1) / dims[STRIDE] + 1;
    return true;
}

static const char *conv2d_derive(int64_t *dims) {
    if (dims[CIN] % dims[GROUPS] != 0) return "cin must be a multiple of groups";
    if (dims[COUT] % dims[GROUPS] != 0) return "cout must be a multiple of groups";
    if (!output_size(dims[H], dims[KH], dims, &dims[OH]))
        return "the window is taller than the padded input";
    if (!output_size(dims[W], dims[KW], dims, &dims[OW]))
        return "the window is wider than the padded input";
    dims[CIN_GROUP] = dims[CIN] / dims[GROUPS];
    return NULL;
}

static double conv2d_flops(const int64_t *d) {
    double outputs = (double)d[N] * (double)d[COUT] * (double)d[OH] * (double)d[OW];
    return outputs * (2 * (double)d[CIN_GROUP] * (double)d[KH] * (double)d[KW] + 1);
}

const struct operator operator_conv2d = {
    .name = "conv2d",
    .family = "convolution",
    .summary = "two-dimensional convolution with bias, stride, padding, dilation and groups",
    .formula = "y[n, o, i, j] = bias[o] + sum over c, u, v of x[n, g(o) + c, i stride + u "
               "dilation - pad, j stride + v dilation - pad] weight[o, c, u, v]",
    .source = "PyTorch, torch.nn.Conv2d",
    .conventions = "cross-correlation (the window is not flipped), NCHW and OIHW, zeros outside; "
                   "operations on those zeros count as useful, as is usual",
    .seeds = "TS CF LT",
    .dims = {"n", "cin", "h", "w", "cout", "kh", "kw", "stride", "pad", "dilation", "groups"},
    .derived = {"oh", "ow", "cin_group"},
    .derive = conv2d_derive,
    .zero_ok = {"pad"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "cin", "h", "w"}, .low = -0.25, .high = 1},
        {"weight", ROLE_IN, .shape = {"cout", "cin_group", "kh", "kw"}, .low = -0.25, .high = 1},
        {"bias", ROLE_IN, .shape = {"cout"}}, {"y", ROLE_OUT, .shape = {"n", "cout", "oh", "ow"}}},
    .flops = conv2d_flops,
    .bound = "as matvec: ULP at the sum of the products' and the bias's absolute values, an "
             "addition for each product, and two basic operations for the products",
    REFERENCES(conv2d_reference),
};
#endif

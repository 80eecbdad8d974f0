// SPDX-License-Identifier: Apache-2.0
// Transposed convolution, the layer that enlarges pictures.
#include "spread.h"

// Dims in the operators' order, given and then derived.
// clang-format off
enum { N, CIN, H, W, COUT, KH, KW, STRIDE, PAD, OUTPUT_PAD, DILATION, GROUPS, OH, OW, COUT_GROUP };
enum { L_CIN = 1, L_W, L_COUT, L_KW, L_STRIDE, L_PAD, L_OUTPUT_PAD, L_DILATION, L_GROUPS, L_OW,
       L_COUT_GROUP };
// clang-format on

static inline struct spread conv_transpose2d_of(const int64_t *d) {
    return (struct spread){d[CIN], d[COUT], d[GROUPS], {d[OH], d[KH], d[STRIDE], d[PAD], d[DILATION], d[H]},
        {d[OW], d[KW], d[STRIDE], d[PAD], d[DILATION], d[W]}};
}

static inline struct spread conv_transpose1d_of(const int64_t *d) {
    return (struct spread){
        d[L_CIN], d[L_COUT], d[L_GROUPS], POINT, {d[L_OW], d[L_KW], d[L_STRIDE], d[L_PAD], d[L_DILATION], d[L_W]}};
}

REFERENCE(conv_transpose2d, c) {
    const struct spread v = conv_transpose2d_of(c->dims);
    spread_out(c, &v, c->in[2]);
}

REFERENCE(conv_transpose1d, c) {
    const struct spread v = conv_transpose1d_of(c->dims);
    spread_out(c, &v, c->in[2]);
}

// Computes (outputs - 1) stride - 2 pad + dilation (taps - 1) + output_pad + 1, at least 1.
static bool spread_size(const struct axis *axis, int64_t output_pad, int64_t *size) {
    int64_t reach, pads;
    return !__builtin_mul_overflow(axis->outputs - 1, axis->stride, size) &&
           !__builtin_mul_overflow(axis->taps - 1, axis->dilation, &reach) &&
           !__builtin_mul_overflow(axis->pad, 2, &pads) && !__builtin_add_overflow(*size, reach, size) &&
           !__builtin_add_overflow(*size, output_pad, size) && !__builtin_sub_overflow(*size, pads - 1, size) &&
           *size > 0;
}

static const char *spread_refused(const struct spread *v, int64_t output_pad) {
    if (v->cin % v->groups != 0) return "cin must be a multiple of groups";
    if (v->cout % v->groups != 0) return "cout must be a multiple of groups";
    if (output_pad >= v->x.stride && output_pad >= v->x.dilation)
        return "output_pad must be less than the stride or the dilation";
    return NULL;
}

#define NOTHING_LEFT "the padding leaves no output, or a size overflows"

static const char *conv_transpose2d_derive(int64_t *dims) {
    const struct spread v = conv_transpose2d_of(dims);
    if (!spread_size(&v.y, dims[OUTPUT_PAD], &dims[OH]) || !spread_size(&v.x, dims[OUTPUT_PAD], &dims[OW]))
        return NOTHING_LEFT;
    dims[COUT_GROUP] = v.cout / v.groups;
    return spread_refused(&v, dims[OUTPUT_PAD]);
}

static const char *conv_transpose1d_derive(int64_t *dims) {
    const struct spread v = conv_transpose1d_of(dims);
    if (!spread_size(&v.x, dims[L_OUTPUT_PAD], &dims[L_OW])) return NOTHING_LEFT;
    dims[L_COUT_GROUP] = v.cout / v.groups;
    return spread_refused(&v, dims[L_OUTPUT_PAD]);
}

// Returns the operations, including the bias of each output.
static double conv_transpose2d_flops(const int64_t *d) {
    const struct spread v = conv_transpose2d_of(d);
    return spread_flops(&v, d[N]) + (double)d[N] * (double)d[COUT] * (double)d[OH] * (double)d[OW];
}

static double conv_transpose1d_flops(const int64_t *d) {
    const struct spread v = conv_transpose1d_of(d);
    return spread_flops(&v, d[N]) + (double)d[N] * (double)d[L_COUT] * (double)d[L_OW];
}

#define TRANSPOSED_BOUND                                                                                               \
    "as matvec: ULP at the sum of the products' and the bias's absolute values, an addition for "                      \
    "each product that reaches the output, and two basic operations for the products"

#define SPREAD_OPTIONS                                                                                                 \
    OPTION("stride", 1, 2, 3), OPTION("pad", 0, 1, 2), OPTION("output_pad", 0, 1), OPTION("dilation", 1, 2, 3),        \
        OPTION("groups", 1, 2, 4)

OPERATOR(conv_transpose1d) = {
    NAMED(conv_transpose1d, "convolution"),
    .summary = "transposed one-dimensional convolution, with bias",
    .formula = "y[n, o, j] = bias[o] + sum over c, i, v with i stride + v dilation - pad = j of "
               "x[n, c, i] weight[c, o, v]",
    .source = "PyTorch, torch.nn.ConvTranspose1d",
    .conventions = "NCW, weights IOW; output_pad lengthens the output at its end and adds no terms; "
                   "ow = (w - 1) stride - 2 pad + dilation (kw - 1) + output_pad + 1",
    .systems = "CF",
    .dims = {"n", "cin", "w", "cout", "kw", "stride", "pad", "output_pad", "dilation", "groups"},
    .options = {OPTION("kw", 1, 2, 3), SPREAD_OPTIONS},
    .derived = {"ow", "cout_group"},
    .derive = conv_transpose1d_derive,
    .zero_ok = {"pad", "output_pad"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "cin", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"weight", ROLE_IN, .shape = {"cin", "cout_group", "kw"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"bias", ROLE_IN, .shape = {"cout"}, .lines = LINES_BROKEN}, {"y", ROLE_OUT, .shape = {"n", "cout", "ow"}}},
    .flops = conv_transpose1d_flops,
    .bound = TRANSPOSED_BOUND,
};

OPERATOR(conv_transpose2d) = {
    NAMED(conv_transpose2d, "convolution"),
    .summary = "transposed two-dimensional convolution, with bias",
    .formula = "y[n, o, r, s] = bias[o] + sum over c and i, u with i stride + u dilation - pad = r "
               "and j, v with j stride + v dilation - pad = s of x[n, c, i, j] weight[c, o, u, v]",
    .source = "V. Dumoulin and F. Visin, A guide to convolution arithmetic for deep learning, "
              "arXiv:1603.07285 (2016); PyTorch, torch.nn.ConvTranspose2d",
    .conventions = "NCHW, weights IOHW; output_pad lengthens the output at its end and adds no "
                   "terms; oh = (h - 1) stride - 2 pad + dilation (kh - 1) + output_pad + 1",
    .systems = "CF",
    .dims = {"n", "cin", "h", "w", "cout", "kh", "kw", "stride", "pad", "output_pad", "dilation", "groups"},
    .options = {OPTION("kh", 1, 2, 3), OPTION("kw", 1, 3), SPREAD_OPTIONS},
    .derived = {"oh", "ow", "cout_group"},
    .derive = conv_transpose2d_derive,
    .zero_ok = {"pad", "output_pad"},
    .operands = {{"x", ROLE_IN, .shape = {"n", "cin", "h", "w"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"weight", ROLE_IN, .shape = {"cin", "cout_group", "kh", "kw"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"bias", ROLE_IN, .shape = {"cout"}, .lines = LINES_BROKEN},
        {"y", ROLE_OUT, .shape = {"n", "cout", "oh", "ow"}}},
    .flops = conv_transpose2d_flops,
    .bound = TRANSPOSED_BOUND,
};

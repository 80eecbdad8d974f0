// SPDX-License-Identifier: Apache-2.0
// Shared parts of pooling and its gradients: the axes made of the operators' dims, the largest tap, and the divisor
// of a mean.
#ifndef VKASSAY_REFERENCE_POOLS_H
#define VKASSAY_REFERENCE_POOLS_H

#include "windows.h"

// Dims in the operators' order, given and then derived: n, c, [h,] w, [kh,] kw, stride, pad, [dilation,] ceil, [oh,]
// ow. A mean's window is not dilated.
static inline struct axis max_pool2d_y(const int64_t *d) {
    return (struct axis){d[2], d[4], d[6], d[7], d[8], d[10]};
}
static inline struct axis max_pool2d_x(const int64_t *d) {
    return (struct axis){d[3], d[5], d[6], d[7], d[8], d[11]};
}
static inline struct axis avg_pool2d_y(const int64_t *d) {
    return (struct axis){d[2], d[4], d[6], d[7], 1, d[9]};
}
static inline struct axis avg_pool2d_x(const int64_t *d) {
    return (struct axis){d[3], d[5], d[6], d[7], 1, d[10]};
}
static inline struct axis max_pool1d_x(const int64_t *d) {
    return (struct axis){d[2], d[3], d[4], d[5], d[6], d[8]};
}
static inline struct axis avg_pool1d_x(const int64_t *d) {
    return (struct axis){d[2], d[3], d[4], d[5], 1, d[7]};
}

// Returns the position in its plane of a window's largest tap, the first of equals. Returns -1 if all are outside or
// NaN.
static inline int64_t window_argmax(
    const real *plane, const struct axis *y, const struct axis *x, int64_t oy, int64_t ox) {
    const struct taps ys = taps_inside(y, oy), xs = taps_inside(x, ox);
    const int64_t top = axis_origin(y, oy), left = axis_origin(x, ox);
    real best = -(real)INFINITY;
    int64_t place = -1;
    for (int64_t ky = ys.first; ky < ys.end; ky++)
        for (int64_t kx = xs.first; kx < xs.end; kx++) {
            const int64_t at = (top + ky * y->dilation) * x->size + left + kx * x->dilation;
            if (!(plane[at] > best || (place < 0 && plane[at] == best))) continue;
            best = plane[at];
            place = at;
        }
    return place;
}

// Returns whether this position is `at`, an element of the window. It stops at the first larger element.
static inline bool window_largest_is(
    const real *plane, const struct axis *y, const struct axis *x, int64_t oy, int64_t ox, int64_t at) {
    const struct taps ys = taps_inside(y, oy), xs = taps_inside(x, ox);
    const int64_t top = axis_origin(y, oy), left = axis_origin(x, ox);
    for (int64_t ky = ys.first; ky < ys.end; ky++)
        for (int64_t kx = xs.first; kx < xs.end; kx++) {
            const int64_t other = (top + ky * y->dilation) * x->size + left + kx * x->dilation;
            if (plane[other] > plane[at] || (other < at && plane[other] == plane[at])) return false;
        }
    return plane[at] == plane[at];
}

static inline int64_t window_divisor(
    const struct axis *y, const struct axis *x, int64_t oy, int64_t ox, bool padding_counts) {
    if (padding_counts) return taps_padded(y, oy) * taps_padded(x, ox);
    return taps_count(taps_inside(y, oy)) * taps_count(taps_inside(x, ox));
}

// Computes the outputs along one axis. The ceil form has one more if the stride does not divide the slack. No window
// may begin in the padding after the picture. Returns NULL, or the reason for having no outputs.
static inline const char *pool_outputs(const struct axis *axis, int64_t up, int64_t *outputs) {
    int64_t slack;
    if (up > 1) return "ceil must be 0 or 1";
    if (axis->pad > axis->taps / 2) return "the padding is more than half of the window";
    if (!axis_slack(axis, &slack)) return WINDOW_TOO_LONG;
    *outputs = slack / axis->stride + 1;
    const int64_t most = (axis->size + axis->pad - 1) / axis->stride + 1;
    if (up && slack % axis->stride && *outputs < most) ++*outputs;
    return NULL;
}

static inline const char *max_pool2d_derive(int64_t *dims) {
    const struct axis y = max_pool2d_y(dims), x = max_pool2d_x(dims);
    const char *why = pool_outputs(&y, dims[9], &dims[10]);
    return why ? why : pool_outputs(&x, dims[9], &dims[11]);
}

static inline const char *avg_pool2d_derive(int64_t *dims) {
    const struct axis y = avg_pool2d_y(dims), x = avg_pool2d_x(dims);
    const char *why = pool_outputs(&y, dims[8], &dims[9]);
    return why ? why : pool_outputs(&x, dims[8], &dims[10]);
}

#define POOL_OPTIONS OPTION("kw", 1, 2, 3), OPTION("stride", 1, 2, 3), OPTION("pad", 0, 1), OPTION("ceil", 0, 1)
#define MAX_POOL2D_DIMS                                                                                                \
    .options = {POOL_OPTIONS, OPTION("kh", 1, 3), OPTION("dilation", 1, 2, 3)},                                        \
    .dims = {"n", "c", "h", "w", "kh", "kw", "stride", "pad", "dilation", "ceil"}, .derived = {"oh", "ow"},            \
    .derive = max_pool2d_derive, .zero_ok = {"pad", "ceil"}
#define AVG_POOL2D_DIMS                                                                                                \
    .options = {POOL_OPTIONS, OPTION("kh", 1, 3)}, .dims = {"n", "c", "h", "w", "kh", "kw", "stride", "pad", "ceil"},  \
    .derived = {"oh", "ow"}, .derive = avg_pool2d_derive, .zero_ok = {"pad", "ceil"}
#define POOL_OUTPUTS                                                                                                   \
    "outputs are floor((size + 2 pad - dilation (k - 1) - 1) / stride) + 1, or with ceil = 1 rounded up, except if "   \
    "the last window would begin behind the picture's end"
// Planes of equal elements, and planes with stretches of -inf or of NaN.
#define MAX_POOL_FILL .lines = LINES_ORDERED, .line_axes = 2
#define MAX_POOL_CONVENTIONS                                                                                           \
    "padding is -inf and never wins, NaN is never the larger; pad is at most half of the "                             \
    "window; " POOL_OUTPUTS
#define AVG_POOL_CONVENTIONS                                                                                           \
    "count is of the taps in the picture and its padding (count_include_pad = 1) or only in the picture (0), never "   \
    "beyond both; pad is at most half of the window; " POOL_OUTPUTS
#define COUNT_INCLUDE_PAD                                                                                              \
    { "count_include_pad", .standard = 1, .integer = true, .low = 0, .high = 1, TELLING(0) }

#endif

// SPDX-License-Identifier: Apache-2.0
// Windows sliding over pictures, axis by axis: the positions of the taps, and the number of windows.
//
// An operator over one axis is an operator over two with POINT as the first axis: one position, one tap.
#ifndef VKASSAY_REFERENCE_WINDOWS_H
#define VKASSAY_REFERENCE_WINDOWS_H

#include "../sums.h"
#include "../reference.h"

struct axis {
    int64_t size, taps, stride, pad, dilation, outputs;
};

#define POINT                                                                                                          \
    { .size = 1, .taps = 1, .stride = 1, .dilation = 1, .outputs = 1 }

// Taps [first, end) of a window.
struct taps {
    int64_t first, end;
};

static inline int64_t taps_count(struct taps taps) {
    return taps.end > taps.first ? taps.end - taps.first : 0;
}

// Returns the position of the first tap of output `at`; it may be outside.
static inline int64_t axis_origin(const struct axis *axis, int64_t at) {
    return at * axis->stride - axis->pad;
}

// Returns the taps of output `at` inside [0, size).
static inline struct taps taps_inside(const struct axis *axis, int64_t at) {
    const int64_t origin = axis_origin(axis, at), dilation = axis->dilation;
    struct taps inside = {origin < 0 ? (-origin + dilation - 1) / dilation : 0, axis->taps};
    if (origin + (axis->taps - 1) * dilation >= axis->size)
        inside.end = origin < axis->size ? (axis->size - 1 - origin) / dilation + 1 : 0;
    return inside;
}

// Returns the number of taps of output `at` in the picture or its padding, for a window that is not dilated. In ceil
// form the last window may reach beyond both.
static inline int64_t taps_padded(const struct axis *axis, int64_t at) {
    const int64_t left = axis->size + axis->pad - axis_origin(axis, at);
    return left < axis->taps ? left : axis->taps;
}

// Returns the output whose tap `tap` is at position `at`, or -1.
static inline int64_t output_at(const struct axis *axis, int64_t at, int64_t tap) {
    const int64_t origin = at + axis->pad - tap * axis->dilation;
    if (origin < 0 || origin % axis->stride != 0) return -1;
    return origin / axis->stride < axis->outputs ? origin / axis->stride : -1;
}

// Writes a sum of `terms` products.
static inline void emit_products(const struct call *c, int64_t i, real sum, double magnitude, int64_t terms) {
    emit(c, i, sum, magnitude, TRUTH ? bound_dot_within(c, terms) : 0);
}

#define WINDOW_TOO_LONG "the window is longer than the padded input"

// Computes the padded length beyond the window, size + 2 pad - dilation (taps - 1) - 1: the distance it can slide.
// Returns false if the window does not fit or a product overflows.
static inline bool axis_slack(const struct axis *axis, int64_t *slack) {
    int64_t padded, reach;
    if (__builtin_mul_overflow(axis->pad, 2, &padded) || __builtin_add_overflow(padded, axis->size, &padded) ||
        __builtin_mul_overflow(axis->taps - 1, axis->dilation, &reach) || reach >= padded)
        return false;
    *slack = padded - reach - 1;
    return true;
}

// Computes the outputs of a convolution along one axis.
static inline bool axis_outputs(const struct axis *axis, int64_t *outputs) {
    int64_t slack;
    if (!axis_slack(axis, &slack)) return false;
    *outputs = slack / axis->stride + 1;
    return true;
}

#endif

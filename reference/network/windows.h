// SPDX-License-Identifier: Apache-2.0
// Windows that slide over pictures, axis by axis: where the taps of one fall, and how many fit.
//
// An operator over one axis is one over two whose first axis is POINT: one place, one tap.
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

// Where the first tap of output `at` stands; it may be outside.
static inline int64_t axis_origin(const struct axis *axis, int64_t at) {
    return at * axis->stride - axis->pad;
}

// Those taps of output `at` that fall inside [0, size).
static inline struct taps taps_inside(const struct axis *axis, int64_t at) {
    const int64_t origin = axis_origin(axis, at), dilation = axis->dilation;
    struct taps inside = {origin < 0 ? (-origin + dilation - 1) / dilation : 0, axis->taps};
    if (origin + (axis->taps - 1) * dilation >= axis->size)
        inside.end = origin < axis->size ? (axis->size - 1 - origin) / dilation + 1 : 0;
    return inside;
}

// How many taps of output `at` stand in the picture or its padding, of a window that is not
// dilated: in ceil form the last window may reach beyond both.
static inline int64_t taps_padded(const struct axis *axis, int64_t at) {
    const int64_t left = axis->size + axis->pad - axis_origin(axis, at);
    return left < axis->taps ? left : axis->taps;
}

// The output whose tap `tap` falls on place `at`, or -1.
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

// The padded length beyond the window, size + 2 pad - dilation (taps - 1) - 1: how far it can
// slide. False when the window does not fit or a product overflows.
static inline bool axis_slack(const struct axis *axis, int64_t *slack) {
    int64_t padded, reach;
    if (__builtin_mul_overflow(axis->pad, 2, &padded) || __builtin_add_overflow(padded, axis->size, &padded) ||
        __builtin_mul_overflow(axis->taps - 1, axis->dilation, &reach) || reach >= padded)
        return false;
    *slack = padded - reach - 1;
    return true;
}

// Outputs of a convolution along one axis.
static inline bool axis_outputs(const struct axis *axis, int64_t *outputs) {
    int64_t slack;
    if (!axis_slack(axis, &slack)) return false;
    *outputs = slack / axis->stride + 1;
    return true;
}

#endif

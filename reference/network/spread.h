// SPDX-License-Identifier: Apache-2.0
// The transpose of a convolution: each input spreads over a window of outputs. It is written as a sum for each output
// over the inputs with windows that reach it. It is a layer of its own, and the gradient of a convolution with
// respect to its input.
#ifndef VKASSAY_REFERENCE_SPREAD_H
#define VKASSAY_REFERENCE_SPREAD_H

#include "windows.h"

// A transposed convolution, with the axes of the original one. The original slides over y, the larger tensor, and its
// outputs are the positions of x.
struct spread {
    int64_t cin, cout, groups;
    struct axis y, x;
};

// Returns the weights of the first input channel of an output channel. The weights of the next input channels follow,
// each cout / groups windows later.
static inline const real *channel_windows(const struct call *c, const struct spread *v, int64_t channel) {
    const int64_t cin_group = v->cin / v->groups, cout_group = v->cout / v->groups, taps = v->y.taps * v->x.taps;
    return c->in[1] + (channel / cout_group * cin_group * cout_group + channel % cout_group) * taps;
}

// Returns one output without bias: its sum over the channels of its group and the taps that reach it.
static inline real reached_sum(const struct call *c, const struct spread *v, int64_t image, int64_t channel,
    int64_t row, int64_t col, double *magnitude, int64_t *terms) {
    const int64_t cin_group = v->cin / v->groups, cout_group = v->cout / v->groups;
    const int64_t group = channel / cout_group, taps = v->y.taps * v->x.taps;
    const int64_t size = v->y.outputs * v->x.outputs;
    const real *planes = c->in[0] + (image * v->cin + group * cin_group) * size;
    const real *windows = channel_windows(c, v, channel);
    real sum = 0;
    for (int64_t ky = 0; ky < v->y.taps; ky++) {
        const int64_t iy = output_at(&v->y, row, ky);
        if (iy < 0) continue;
        for (int64_t kx = 0; kx < v->x.taps; kx++) {
            const int64_t ix = output_at(&v->x, col, kx);
            if (ix < 0) continue;
            for (int64_t i = 0; i < cin_group; i++) {
                real term =
                    planes[i * size + iy * v->x.outputs + ix] * windows[i * cout_group * taps + ky * v->x.taps + kx];
                sum += term;
                if (TRUTH) *magnitude += size_of(term);
            }
            *terms += cin_group;
        }
    }
    return sum;
}

// Returns whether any weight of this tap for the channel is infinite or NaN.
static inline bool is_broken_tap(const struct call *c, const struct spread *v, int64_t channel, int64_t tap) {
    const int64_t cin_group = v->cin / v->groups, taps = v->y.taps * v->x.taps;
    const real *windows = channel_windows(c, v, channel);
    for (int64_t i = 0; i < cin_group; i++)
        if (!isfinite(windows[i * (v->cout / v->groups) * taps + tap])) return true;
    return false;
}

// Returns whether taps that reach no input matter. Their weights meet zeros between and around the inputs, or are
// skipped. Both are right for 0 times an infinity or NaN.
static inline bool gap_tells(const struct call *c, const struct spread *v, int64_t channel, int64_t row, int64_t col) {
    for (int64_t tap = 0; tap < v->y.taps * v->x.taps; tap++) {
        if (output_at(&v->y, row, tap / v->x.taps) >= 0 && output_at(&v->x, col, tap % v->x.taps) >= 0) continue;
        if (is_broken_tap(c, v, channel, tap)) return true;
    }
    return false;
}

// Computes all outputs; `bias` may be NULL.
static inline void spread_out(const struct call *c, const struct spread *v, const real *bias) {
    int64_t seen = -1;
    bool broken = false;
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int64_t col = i % v->x.size, row = i / v->x.size % v->y.size;
        const int64_t plane = i / (v->x.size * v->y.size), channel = plane % v->cout;
        double magnitude = 0;
        int64_t terms = 0;
        real sum = reached_sum(c, v, plane / v->cout, channel, row, col, &magnitude, &terms);
        if (bias) {
            sum += bias[channel];
            if (TRUTH) magnitude += size_of(bias[channel]);
        }
        broken = broken && channel == seen;
        for (int64_t tap = 0; TRUTH && channel != seen && !broken && tap < v->y.taps * v->x.taps; tap++)
            broken = is_broken_tap(c, v, channel, tap);
        seen = channel;
        if (broken && gap_tells(c, v, channel, row, col))
            emit(c, i, sum, magnitude, INFINITY);
        else
            emit_products(c, i, sum, magnitude, terms);
    }
}

// Returns the operations: each input times each weight of its channel, added.
static inline double spread_flops(const struct spread *v, int64_t n) {
    double inputs = (double)n * (double)v->cin * (double)v->y.outputs * (double)v->x.outputs;
    double windows = (double)v->cout / (double)v->groups * (double)v->y.taps * (double)v->x.taps;
    return 2 * inputs * windows;
}

#endif

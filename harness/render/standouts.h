// SPDX-License-Identifier: Apache-2.0
// What a reader acts on first: what is furthest below the device's roof, what comes nearest to it, and which shapes
// lose most. Private to harness/render.
#ifndef VKASSAY_RENDER_STANDOUTS_H
#define VKASSAY_RENDER_STANDOUTS_H

#include "view.h"

enum { STANDOUTS = 5 };

// A kernel at one size; or, of gains, a shape that is in use there.
struct standout {
    const struct view_kernel *kernel;
    const struct view_case *c;
    const struct record *record; // the best of the case; of gains the shape in use
    double figure;               // its share of the roof; of gains its time over that of the best shape
};

struct standouts {
    struct standout far[STANDOUTS], near[STANDOUTS], gains[STANDOUTS];
    size_t far_count, near_count, gain_count;
    size_t rated;         // problems of which the share is known: far and near are of these
    double half;          // the share that half of them reach; NaN: none is rated
    struct standout most; // of those bound by what computes, the one with the most operations; c NULL: none is
};

// Of each operator and type the fastest kernel at its largest size takes part in far and near, unless its time is that
// of starting a dispatch for a good part, or it measures the roof itself: a kernel that another one beats is not what
// there is to gain. Gains are of kernels whose default shape, or that of a system, was shown to lose against the best
// of the same size, each where that is most.
void standouts_make(const struct view *view, struct standouts *out);

// All that take part in far and near, in the order of the view; `out` has room for as many as the view has kernels.
// Returns how many there are.
size_t rated_problems(const struct view *view, struct standout *out);

// Points of which the 95 % interval of the compute time is wider than +-5 %, of those that were timed.
enum { WIDE_PERCENT = 5 };
struct wide {
    size_t points, timed;
};
struct wide wide_of(const struct result *result);

#endif

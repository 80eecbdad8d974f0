// SPDX-License-Identifier: Apache-2.0
// Finds the figures to act on first: kernels furthest below and nearest to the device's roof, and the costliest shapes.
// Private to harness/readers/render.
#ifndef VKASSAY_RENDER_HIGHLIGHTS_H
#define VKASSAY_RENDER_HIGHLIGHTS_H

#include "view.h"

enum { HIGHLIGHTS = 5 };

// A kernel at one size; in `gains`, a shape in use there.
struct highlight {
    const struct view_kernel *kernel;
    const struct view_case *c;
    const struct record *record; // the best of the case; in `gains`, the shape in use
    double figure;               // its share of the roof; in `gains`, its time over that of the best shape
};

struct highlights {
    struct highlight far[HIGHLIGHTS], near[HIGHLIGHTS], gains[HIGHLIGHTS];
    size_t far_count, near_count, gain_count;
    size_t rated;          // problems with a known share; far and near are among them
    double half;           // at least half of the rated problems reach this share; NaN if none is rated
    struct highlight most; // the rated problem bound by arithmetic with the most operations; c is NULL if there is none
};

// Fills `out`. Only the fastest kernel of each operator and type, at its largest size, can be in far and near: tuning a
// slower alternative gains nothing. Dispatches so short that launching them counts, and measurements of the roof
// itself, are excluded. `gains` holds kernels with a default or system shape shown to be slower than the best shape.
// Each appears at the size with its greatest loss.
void highlights_make(const struct view *view, struct highlights *out);

// Lists all candidates of far and near in the order of the view. `out` must have room for one per kernel. Returns
// their number.
size_t rated_problems(const struct view *view, struct highlight *out);

// The noise of a result: timed points, and those with a 95 % interval of the compute time wider than +-5 %.
enum { WIDE_PERCENT = 5 };
struct wide {
    size_t points, timed;
    double half; // half of the points have an interval of at most +- this share; NaN: none was timed
    double load; // largest share of the host's cores used by others while a point was timed; NaN: unknown
    bool busy;   // that is enough to disturb the times
};
struct wide wide_of(const struct result *result);

#endif

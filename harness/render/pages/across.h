// SPDX-License-Identifier: Apache-2.0
// Several devices: what the best shape of one costs on another. Private to harness/render.
#ifndef VKASSAY_RENDER_ACROSS_H
#define VKASSAY_RENDER_ACROSS_H

#include "../view.h"

// The best shape of a case on one device, run on another where the case has a choice too.
struct carried {
    const struct view_kernel *kernel;
    const struct view_case *from, *on;
    const struct record *record; // there, or NULL: not in that result
    double loss;                 // against the best there; NaN: not right, or not timed
};

// All cases that two devices share.
struct crossing {
    struct carried *items;
    size_t count;
    size_t timed, ties, wrong, missing; // of the items; ties are not shown to differ from the best there; missing: not
                                        // in that result, or skipped
    double mean, worst;                 // geometric mean and largest of the losses; NaN when timed is 0
};

// Items live in the arena.
void crossing_make(const struct view *from, const struct view *on, struct arena *arena, struct crossing *out);

#endif

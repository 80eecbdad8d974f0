// SPDX-License-Identifier: Apache-2.0
// Cuts a plan into lots. A worker takes a whole lot, so the driver compiles the lot's shader only once.
#ifndef VKASSAY_SUPERVISE_LOTS_H
#define VKASSAY_SUPERVISE_LOTS_H

#include "../plan/suite.h"

// Points of one kernel, dtype and shape, by their places in the plan.
struct lot {
    size_t *points;
    size_t count;
    double work; // of host and device: operations and elements, over all draws
};

struct lots {
    struct lot *items; // in the arena
    size_t count;
};

// Makes lots of all points without `skip` (by place in the plan), in the order of each lot's first point.
struct lots lots_make(struct arena *arena, const struct plan *plan, const bool *skip);

// Sorts lots by falling work, so workers end together. Lots of one kernel then start at different times, so one
// worker compiles the shaders for all.
void lots_longest_first(struct lots *lots);

#endif

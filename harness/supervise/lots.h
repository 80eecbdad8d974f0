// SPDX-License-Identifier: Apache-2.0
// A plan cut into pieces that a worker takes whole: what a driver makes of a shader serves all points of a lot.
#ifndef VKASSAY_SUPERVISE_LOTS_H
#define VKASSAY_SUPERVISE_LOTS_H

#include "../plan/suite.h"

// Points of one kernel, type and shape, by their places in the plan.
struct lot {
    size_t *points;
    size_t count;
    double work; // of the host and the device over it: operations and elements, of all draws
};

struct lots {
    struct lot *items; // in the arena
    size_t count;
};

// The points of which `skip` (by place in the plan) says nothing, in the order of the first of each lot.
struct lots lots_make(struct arena *arena, const struct plan *plan, const bool *skip);

// Lots of most work first, so that workers end together; and those of one kernel are begun at different times, so that
// one worker compiles its shaders for all.
void lots_longest_first(struct lots *lots);

#endif

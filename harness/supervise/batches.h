// SPDX-License-Identifier: Apache-2.0
// Cuts a plan into batches. A worker takes a whole batch, so the driver compiles the batch's shader only once.
#ifndef VKASSAY_SUPERVISE_BATCHES_H
#define VKASSAY_SUPERVISE_BATCHES_H

#include "../plan/suite.h"

// Points of one kernel, dtype and shape, by their places in the plan.
struct batch {
    size_t *points;
    size_t count;
    double work; // of host and device: operations and elements, over all draws
};

struct batches {
    struct batch *items; // in the arena
    size_t count;
};

// Returns the work of a point, as in struct batch.
double point_work(const struct point *point);

// Makes batches of all points without `skip` (by place in the plan), in the order of each batch's first point.
struct batches batches_make(struct arena *arena, const struct plan *plan, const bool *skip);

// Sorts batches by falling work, so workers end together. Batches of one kernel then start at different times, so one
// worker compiles the shaders for all.
void batches_longest_first(struct batches *batches);

#endif

// SPDX-License-Identifier: Apache-2.0
// The queue of untimed work: a plan in batches. A worker takes a whole batch, so the driver compiles the batch's shader
// only once. When all batches are begun, workers join those with points left.
#ifndef VKASSAY_SUPERVISE_BATCHES_H
#define VKASSAY_SUPERVISE_BATCHES_H

#include "../plan/suite.h"

// Points of one kernel, dtype and shape, or mutants of one kernel, by their places in the plan.
struct batch {
    size_t *points;
    size_t count, taken;
    double work; // of host and device: operations and elements, over all draws
};

struct batches {
    struct batch *items; // in the arena
    size_t count, begun;
};

// Returns the work of a point, as in struct batch.
double point_work(const struct point *point);

// Makes batches of all points without `skip` (by place in the plan), in the order of each batch's first point.
struct batches batches_make(struct arena *arena, const struct plan *plan, const bool *skip);

// Sorts batches by falling work, so workers end together. Batches of one kernel then start at different times, so one
// worker compiles the shaders for all.
void batches_longest_first(struct batches *batches);

// Returns how many workers the batches can keep at work.
size_t batches_workers(const struct batches *batches);
// Takes a worker's next point. *own is its batch, NULL at first. Returns false if there is nothing left for it.
bool batches_take(struct batches *batches, struct batch **own, size_t *point);

#endif

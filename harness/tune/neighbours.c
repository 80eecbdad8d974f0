// SPDX-License-Identifier: Apache-2.0
#include "neighbours.h"

#include "../plan/legal.h"
#include "../plan/problem.h"

enum { LEAST_SIZE = 8 };

// The point with dim `changed` moved by `step`; false when there is no such problem.
static bool move(struct arena *arena, const struct point *from, int changed, int step, struct point *out) {
    const struct op *op = from->kernel->op;
    *out = (struct point){.kernel = from->kernel, .dtype = from->dtype, .shape = from->shape, .systems = ""};
    struct problem_setter setter = problem_setter(arena, out);
    for (int i = 0; i < operator_dims(op); i++)
        if (problem_set(&setter, op->dims[i], (double)(from->dims[i] + (i == changed ? step : 0)))) return false;
    for (int i = 0; i < operator_params(op); i++)
        if (from->params[i] != op->params[i].standard && problem_set(&setter, op->params[i].name, from->params[i]))
            return false;
    return !problem_derive(&setter);
}

static bool legal(
    struct arena *arena, const struct point *point, const struct device_info *device, double memory_share) {
    struct trial trial = trial_of(point, device, memory_share, arena);
    return !trial_both(&trial, &point->shape);
}

struct point *neighbours_of(struct arena *arena, const struct point *point, const struct device_info *device,
    double memory_share, size_t *count) {
    int dims = operator_dims(point->kernel->op);
    struct point *out = arena_alloc(arena, (size_t)dims * 2 + 1, sizeof *out);
    *count = 0;
    for (int i = 0; i < dims; i++)
        for (int step = -1; step <= 1; step += 2) {
            struct point *moved = &out[*count];
            if (point->dims[i] < LEAST_SIZE || !move(arena, point, i, step, moved) ||
                !legal(arena, moved, device, memory_share))
                continue;
            point_name(arena, moved);
            ++*count;
        }
    return out;
}

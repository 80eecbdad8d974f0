// SPDX-License-Identifier: Apache-2.0
#include "suite.h"

#include "legal.h"
#include "problem.h"
#include "shapes.h"
#include "../../../reference/operator.h"

#include <string.h>

// ---- planning

struct sweeping {
    struct arena *arena;
    const struct device_info *device;
    const struct exhaustive_request *request;
    struct plan *out;
    size_t capacity;
    struct error *err;
};

static void add(struct sweeping *s, struct point *point, uint64_t first, uint64_t last) {
    struct plan *plan = s->out;
    point->inputs_first = first;
    point->inputs_count = last - first + 1;
    point_name(s->arena, point);
    plan->points = arena_grow(s->arena, plan->points, plan->count, &s->capacity, sizeof *point);
    plan->points[plan->count++] = *point;
}

// Adds the points of a range. Chunks end at multiples of EXHAUSTIVE_CHUNK, so a part of the inputs is cut like the
// whole.
static void add_chunks(struct sweeping *s, struct point *point, uint64_t first, uint64_t last) {
    if (point->refused) add(s, point, first, last);
    for (uint64_t at = first; !point->refused && at <= last;) {
        uint64_t end = (at / EXHAUSTIVE_CHUNK + 1) * EXHAUSTIVE_CHUNK;
        add(s, point, at, end <= last ? end - 1 : last);
        at = end;
    }
}

static bool exhaustive_case(struct sweeping *s, const struct kernel *kernel, enum dtype dtype) {
    int bits = exhaustive_bits(kernel, dtype);
    if (!bits || (exhaustive_operands(kernel->op) > 1 && !s->request->pairs)) return true;
    uint64_t whole = ((uint64_t)1 << bits) - 1, first = 0, last = whole;
    if (bits == EXHAUSTIVE_BITS) first = s->request->first, last = s->request->last;
    uint64_t n = last - first < EXHAUSTIVE_PIECE ? last - first + 1 : EXHAUSTIVE_PIECE;
    struct point point = {.kernel = kernel, .dtype = dtype, .is_default = true};
    point.shape = kernel_default_shape(kernel, s->device);
    point.systems = shape_systems(s->arena, kernel, &point.shape);
    struct problem_setter setter = problem_setter(s->arena, &point);
    const char *why = problem_set(&setter, "n", (double)n);
    if (!why) why = problem_derive(&setter);
    if (why) return error_set(s->err, STATUS_FAULT, "%s: %s", kernel->name, why);
    struct trial trial = trial_of(&point, s->device, s->request->memory_share, s->arena);
    point.refused = trial_both(&trial, &point.shape);
    add_chunks(s, &point, first, last);
    return true;
}

bool plan_exhaustive(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const struct exhaustive_request *request, struct plan *out, struct error *err) {
    struct sweeping sweeping = {.arena = arena, .device = device, .request = request, .out = out, .err = err};
    *out = (struct plan){0};
    for (size_t i = 0; i < kernels->count; i++)
        for (int dtype = 0; dtype < DTYPE_COUNT; dtype++)
            if (kernels->items[i]->dtypes[dtype] && !exhaustive_case(&sweeping, kernels->items[i], (enum dtype)dtype))
                return false;
    return select_points(arena, out, kernels, request->select, request->select_count, err);
}

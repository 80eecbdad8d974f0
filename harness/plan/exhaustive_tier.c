// SPDX-License-Identifier: Apache-2.0
#include "exhaustive_tier.h"

#include "legal.h"
#include "problem.h"
#include "shapes.h"
#include "../../reference/operator.h"

#include <string.h>

// ---- cases with few enough inputs

enum { MOST_OPERANDS = 2 };

// Counts the input operands; 0: the operator is not elementwise. Only elementwise operators have special values.
// Random operators are excluded, because their outputs depend on an element's place, too.
int exhaustive_operands(const struct op *op) {
    int in = 0, out = 0;
    if (operator_dims(op) != 1 || strcmp(op->family, "random") == 0) return 0;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        bool input = operand->role == ROLE_IN && operand->specials;
        const bool along_n = operand->shape[0] && strcmp(operand->shape[0], "n") == 0 && !operand->shape[1];
        if (!along_n || (!input && operand->role != ROLE_OUT) || operand->granule[0]) return 0;
        if (input)
            in++;
        else
            out++;
    }
    return out == 1 && in <= MOST_OPERANDS ? in : 0;
}

int exhaustive_bits(const struct kernel *kernel, enum dtype dtype) {
    const struct op *op = kernel->op;
    int bits = 0;
    if (!exhaustive_operands(op)) return 0;
    if (kernel->leaves[LEAVE_NAN] || kernel->leaves[LEAVE_SUBNORMALS]) return 0; // all inputs include them
    for (int i = 0; i < operator_operands(op); i++) {
        if (op->operands[i].role != ROLE_IN) continue;
        if (kernel->is_fixed[i]) return 0;
        if (kernel->layouts) return 0;
        const struct dtype_info *info = dtype_info(kernel_operand_dtype(kernel, i, dtype));
        if (!info->is_float || info->elements != 1) return 0;
        bits += info->bytes * 8;
    }
    return bits <= EXHAUSTIVE_BITS ? bits : 0;
}

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

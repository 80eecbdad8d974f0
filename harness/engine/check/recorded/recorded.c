// SPDX-License-Identifier: Apache-2.0
#include "recorded.h"

#include "../../../../reference/operator.h"
#include "../../../device/device_info.h"
#include "../../../record/record.h"
#include "../check_parts.h"

#include <math.h>
#include <string.h>

// Returns whether an element differs between two contents.
static bool differs(const struct operand_data *operand, const void *a, const void *b, int64_t index) {
    const size_t bytes = (size_t)dtype_info(operand->dtype)->bytes;
    return memcmp((const char *)a + (size_t)index * bytes, (const char *)b + (size_t)index * bytes, bytes) != 0;
}

static double distance(enum dtype dtype, double got, double want) {
    if (isnan(got) && isnan(want)) return 0;
    if (!isfinite(got) || !isfinite(want)) return got == want ? 0 : INFINITY;
    return dtype_info(dtype)->is_float ? fabs(got - want) / dtype_ulp(dtype, fmax(fabs(got), fabs(want)))
                                       : fabs(got - want);
}

static void compare(const struct problem *problem, int index, struct record *record) {
    const struct operand_data *operand = &problem->operands[index];
    for (int64_t i = 0; i < operand->elements; i++) {
        if (!differs(operand, operand->got, operand->after, i)) continue;
        const double got = dtype_load(operand->dtype, operand->got, i),
                     want = dtype_load(operand->dtype, operand->after, i), ulp = distance(operand->dtype, got, want);
        if (!record->recorded.differing++ || ulp > record->recorded.max_ulp) {
            record->recorded.operand = problem->op->operands[index].name;
            record->recorded.index = i;
            record->recorded.got = got;
            record->recorded.want = want;
            record->recorded.max_ulp = ulp;
        }
    }
}

// ---- numbers that are not finite

static bool is_broken(const struct operand_data *operand, const void *contents, int64_t i) {
    return !isfinite(dtype_load(operand->dtype, contents, i));
}

static bool inputs_are_finite(const struct problem *problem) {
    for (int o = 0; o < problem->operand_count; o++) {
        const struct operand_data *operand = &problem->operands[o];
        if (operand->role == ROLE_OUT || !dtype_info(operand->dtype)->is_float) continue;
        for (int64_t i = 0; i < operand->elements; i++)
            if (is_broken(operand, operand->before, i)) return false;
    }
    return true;
}

// Returns the first element of an output that was written and is not finite; -1: none.
static int64_t first_broken(const struct operand_data *operand) {
    if (operand->role == ROLE_IN || !dtype_info(operand->dtype)->is_float) return -1;
    for (int64_t i = 0; i < operand->elements; i++)
        if (is_broken(operand, operand->got, i) && differs(operand, operand->got, operand->before, i)) return i;
    return -1;
}

static void check_finite(const struct problem *problem, struct arena *arena, struct record *record) {
    int o = 0;
    int64_t at = -1;
    while (o < problem->operand_count && (at = first_broken(&problem->operands[o])) < 0) o++;
    if (at < 0 || !inputs_are_finite(problem)) return;
    check_fail(record, arena, CHECK_FINITE,
        arena_format(arena, "%s[%lld] is %g, though all numbers in its inputs are finite",
            problem->op->operands[o].name, (long long)at,
            dtype_load(problem->operands[o].dtype, problem->operands[o].got, at)));
}

// ---- the record

// Returns whether this is the device and driver of the recording, as far as it names them.
static bool is_same_device(const struct recordings *recorded, const struct device_info *info) {
    return strcmp(recorded->device, info->name) == 0 && strcmp(recorded->driver_name, info->driver_name) == 0 &&
           strcmp(recorded->driver_info, info->driver_info) == 0;
}

static const char *device_text(struct arena *arena, const struct recordings *recorded) {
    if (!*recorded->device) return "an unknown device";
    return arena_format(arena, "%s (%s %s)", recorded->device, recorded->driver_name, recorded->driver_info);
}

void check_recorded(const struct check_request *r, struct arena *arena, struct record *record) {
    const struct problem *problem = r->problem;
    const struct recordings *recorded = r->point->kernel->recorded;
    const bool same = is_same_device(recorded, gpu_info(r->gpu));
    record->recorded.device = same ? NULL : device_text(arena, recorded);
    record->check.worst_index = -1;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_IN) continue;
        record->check.elements += operand->elements;
        if (!operand->after) continue;
        record->recorded.compared += operand->elements;
        compare(problem, i, record);
    }
    record->check.checked = same ? record->recorded.compared : 0; // bits of another driver are no verdict
    if (same && record->recorded.differing)
        check_fail(record, arena, CHECK_RECORDED,
            arena_format(arena,
                "%lld of %lld elements have other bits than in the recording; worst %s[%lld]: got %.9g, recorded %.9g",
                (long long)record->recorded.differing, (long long)record->recorded.compared, record->recorded.operand,
                (long long)record->recorded.index, record->recorded.got, record->recorded.want));
    check_finite(problem, arena, record);
}

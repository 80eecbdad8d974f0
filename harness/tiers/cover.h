// SPDX-License-Identifier: Apache-2.0
// What the points of a plan that ran have covered.
#ifndef VKASSAY_PLAN_COVER_H
#define VKASSAY_PLAN_COVER_H

#include "../record/covered.h"
#include "../plan/suite.h"

struct cover_request {
    const struct plan *plan;
    const struct device_info *device;
    double memory_share;
    uint64_t seed;
    struct json_object *const *records; // of the plan's points, in any order; each may be shed (record/result.h)
    size_t record_count;
};

// A row for each kernel and type of the plan, in its order; in the arena. Points without a record are not counted.
struct covered *cover_make(struct arena *arena, const struct cover_request *request, size_t *count);

// Returns which kernels and types have no point that can run and whose operands have more than COVERED_LARGE elements
// together, with the largest there is: "relu.mine f32: at most 24 elements". In the arena; NULL: none.
const char *cover_small(struct arena *arena, const struct plan *plan);

#endif

// SPDX-License-Identifier: Apache-2.0
// Coverage: the shapes, sizes and values covered by the executed points of a plan.
#ifndef VKASSAY_TIERS_COVER_H
#define VKASSAY_TIERS_COVER_H

#include "../../record/covered.h"
#include "../plan/suite.h"

struct cover_request {
    const struct plan *plan;
    const struct device_info *device;
    double memory_share;
    uint64_t seed;
    struct json_object *const *records; // of the plan's points, in any order; each may be evicted (record/result.h)
    size_t record_count;
};

// Makes a row for each kernel and type of the plan, in its order and in the arena. Points without a record are not
// counted.
struct covered *cover_make(struct arena *arena, const struct cover_request *request, size_t *count);

// Lists the kernels and types with small points only: no point that can run has more than COVERED_LARGE elements in
// all operands together. The largest size is included: "relu.mine f32: at most 24 elements". The text is in the
// arena; NULL: there are none.
const char *cover_small(struct arena *arena, const struct plan *plan);

#endif

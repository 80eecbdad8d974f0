// SPDX-License-Identifier: Apache-2.0
// The sampled tier: every kernel and type in several shapes, each with sizes at the edges of the shape's tiles, and
// random cases. The plan follows from the seed, and every point is an ordinary one.
#ifndef VKASSAY_TIERS_SAMPLED_TIER_H
#define VKASSAY_TIERS_SAMPLED_TIER_H

#include "../plan/suite.h"
#include "../../shader/spirv/analyses.h"
#include "../../record/covered.h"

struct sample_request {
    const struct suite *suite; // its points are planned too, and sizes are varied from their dims
    const struct kernels *kernels;
    const struct device_info *device;
    uint64_t seed;
    int shapes;      // most shapes of a kernel and type, including the default
    int sizes;       // cases for each shape; the default shape has three times as many
    int random;      // additional cases of a kernel and type, with any shape and dims
    bool deepen;     // a selection of few kernels gets all pairs of tunables, and larger sizes
    bool each_alone; // so does any selection: each kernel's points are those of a check of it alone
    // Lists numbers that a point's shaders compare with (program/shaders.h). NULL: they are not known.
    int (*numbers)(const void *source, const struct point *point, const struct numbers_wanted *wanted,
        uint32_t numbers[COMPARED_NUMBERS]);
    const void *source;
    const char *const *select; // as for plan_build
    size_t select_count;
};

// How many shapes the device accepts, and how many are planned, over all kernels and types.
struct sample_counts {
    size_t shapes, legal;
};

// Returns whether the plan has so few kernels that each is checked deeply.
bool plan_is_deep(const struct plan *plan);

// Sets the usual numbers of shapes and sizes for a device. A CPU gets 2 shapes, because a driver such as lavapipe
// compiles one in a third of a second. A GPU gets 16.
void sample_standard(const struct device_info *device, struct sample_request *request);

// Plans the points of the suite in its order, then by kernel and by shape. Errors are those of plan_build.
bool sample_plan(struct arena *arena, const struct sample_request *request, struct plan *out,
    struct sample_counts *counts, struct error *err);

// ---- coverage: the shapes, sizes and values covered by the executed points of a plan

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

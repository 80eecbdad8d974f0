// SPDX-License-Identifier: Apache-2.0
// Compares the needs of a kernel with the limits and features of its device, and with a profile.
#include "../../shader/manifest/dispatches.h"
#include "needs.h"
#include "../../device/device_info.h"
#include "../../device/profile.h"

// ---- the device

// Returns whether the device allows the amount.
static bool allows(const struct trial *t, const struct need *need) {
    const struct device_info *device = t->device;
    const enum limit_index limit = need->row->limit;
    const int64_t allowed = (int64_t)device_limit(device, limit, need->axis);
    uint32_t groups[3];
    if (!allowed) return true; // unknown
    if (need->folded) return grid_fold(need->amount, need->folded, device->max_groups, groups);
    return device_limits[limit].sense == LIMIT_LEAST ? need->amount >= allowed : need->amount <= allowed;
}

static const struct refusal *refused(const struct trial *t, const struct need *need, enum refusal_kind kind) {
    const double allowed = (double)device_limit(t->device, need->row->limit, need->axis);
    if (kind == REFUSAL_DEVICE_LIMIT)
        return REFUSED(t->arena, .kind = kind, .words = {device_limits[need->row->limit].name},
            .figures = {(double)need->amount, allowed});
    return REFUSED(t->arena, .kind = kind, .pass = need->pass, .words = {need->words[0], need->words[1]},
        .figures = {(double)need->amount, allowed});
}

// Refuses a required subgroup size, or too many subgroups of it. It must be a power of two
// (VUID-VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-requiredSubgroupSize-02760). A size that the device always
// has is not required.
static const struct refusal *subgroup_refusal(const struct trial *t, const struct need *need) {
    const struct device_info *device = t->device;
    const int64_t size = shape_value(t->kernel, need->part->shape, "SUBGROUP", 0);
    if (subgroup_size_is_constant(device, size)) return NULL;
    if (!device->features[FEATURE_SUBGROUP_SIZE])
        return REFUSED(t->arena, .kind = REFUSAL_SUBGROUP_FEATURE, .words = {feature_name(FEATURE_SUBGROUP_SIZE)},
            .figures = {(double)size});
    if (size > 0 && (size & (size - 1)) == 0 && allows(t, need)) return NULL;
    if (need->row->beyond == REFUSAL_SUBGROUP_SIZE)
        return REFUSED(t->arena, .kind = REFUSAL_SUBGROUP_SIZE,
            .figures = {(double)size, device->min_subgroup_size, device->max_subgroup_size});
    return REFUSED(t->arena, .kind = REFUSAL_SUBGROUP_COUNT,
        .figures = {(double)most_invocations(t, need->part->shape), (double)size, device->max_subgroups});
}

static const struct refusal *compare_with_device(void *context, const struct need *need) {
    (void)context;
    if (need->mistake) return need->mistake;
    const struct trial *t = need->part->trial;
    const struct limit_need *row = need->row;
    if (row->of_subgroup) return subgroup_refusal(t, need);
    if (need->amount < 0 && row->overflow) return refused(t, need, row->overflow);
    if (need->amount == 0 && row->empty) return refused(t, need, row->empty);
    if (allows(t, need)) return NULL;
    if (!need->folded) return refused(t, need, row->beyond);
    const uint32_t *most = t->device->max_groups;
    return REFUSED(t->arena, .kind = REFUSAL_GRID_FOLDED, .pass = need->pass,
        .figures = {(double)need->amount, most[0], most[1], most[2]});
}

const struct refusal *trial_limits(const struct trial *t, const struct shape *shape, enum need_of of) {
    return needs_visit(t, shape, of, compare_with_device, NULL);
}

// ---- profiles

static bool collect_feature(void *context, enum feature feature) {
    struct needs *out = context;
    out->features[feature] = true;
    return false;
}

// Collects the largest amounts. A folded grid fits any limit, and mistakes are refused elsewhere. A kernel does not
// need a buffer that no shader binds.
static const struct refusal *collect(void *context, const struct need *need) {
    struct needs *out = context;
    if (need->mistake || need->amount < 0 || need->folded || need->unbound) return NULL;
    if (need->row->of_subgroup) out->features[FEATURE_SUBGROUP_SIZE] = true;
    const struct limit *limit = &device_limits[need->row->limit];
    void *member = (char *)&out->limits + limit->value;
    if ((uint64_t)need->amount > limit_number(limit, member, need->axis))
        limit_set(limit, member, need->axis, (uint64_t)need->amount);
    return NULL;
}

void trial_needs(const struct trial *t, const struct shape *shape, struct needs *out) {
    static const enum need_of of_case[] = {NEED_OF_PASS, NEED_OF_BUFFER},
                              of_shape[] = {NEED_OF_WORKGROUP, NEED_OF_SHAPE, NEED_OF_DISPATCH};
    *out = (struct needs){0};
    features_visit(t, collect_feature, out);
    for (size_t i = 0; i < sizeof of_case / sizeof *of_case; i++) needs_visit(t, shape, of_case[i], collect, out);
    for (size_t i = 0; shape && i < sizeof of_shape / sizeof *of_shape; i++)
        needs_visit(t, shape, of_shape[i], collect, out);
}

const struct refusal *trial_profile(const struct trial *t, const struct shape *shape) {
    const struct profile *profile = &t->device->profile;
    struct needs needs;
    struct excess excess;
    if (!*profile->name || t->peak || t->kernel->probe) return NULL;
    trial_needs(t, shape, &needs);
    return profile_fits(profile, &needs, &excess) ? NULL : refusal_of_excess(t->arena, profile, &excess);
}

const struct refusal *trial_memory(const struct trial *t, const struct shape *shape) {
    uint64_t total = 0;
    const struct refusal *why = trial_limits(t, shape, NEED_OF_BUFFER);
    for (int i = 0; !why && i < case_buffers(t, shape); i++) {
        struct case_buffer buffer;
        why = case_buffer(t, shape, i, &buffer);
        if (!why && __builtin_add_overflow(total, buffer.bytes, &total))
            return REFUSED(t->arena, .kind = REFUSAL_BUFFER_OVERFLOW, .words = {buffer.kind, buffer.name});
    }
    double memory = (double)device_memory(t->device), allowed = memory * t->memory_share;
    if (why || (double)total <= allowed) return why;
    return REFUSED(t->arena, .kind = REFUSAL_MEMORY, .figures = {(double)total, t->memory_share, memory, allowed});
}

// SPDX-License-Identifier: Apache-2.0
// Computes the limits and features needed by a kernel, and compares them with a profile.
#include "../manifest/dispatches.h"
#include "../manifest/layout.h"
#include "legal.h"
#include "../manifest/words.h"

static void most(uint32_t *at, int64_t value) {
    if (value > *at) *at = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

static void need_feature(struct needs *out, const char *name) {
    int feature = name ? feature_named(name) : -1;
    if (feature >= 0) out->features[feature] = true;
}

static void need_buffer(struct needs *out, enum dtype dtype, int64_t elements) {
    uint64_t bytes;
    need_feature(out, dtype_info(dtype)->storage_feature);
    if (elements < 1 || !dtype_bytes(dtype, elements, &bytes) || bytes > INT64_MAX) return;
    if (bytes > out->limits.storage_range) out->limits.storage_range = out->limits.largest_allocation = bytes;
}

static void need_operands(const struct trial *t, struct needs *out) {
    const struct op *op = t->kernel->op;
    for (int i = 0; i < operator_operands(op); i++) {
        const struct operand *operand = &op->operands[i];
        struct placing placing;
        int64_t elements = operand_elements(op, operand, t->dims);
        if (t->kernel->is_fixed[i] || layout_place(t->kernel, i, t->dims, &placing) != PLACING_GOOD) continue;
        need_buffer(out, operand_dtype(operand, t->dtype), placing.axes && elements > 0 ? placing.extent : elements);
    }
}

static void need_bindings(const struct kernel *kernel, struct needs *out) {
    for (int p = 0; p < kernel->pass_count; p++) {
        most(&out->limits.push_bytes, pass_push_bytes(&kernel->passes[p]));
        most(&out->limits.storage_buffers, pass_storage_buffers(&kernel->passes[p]));
    }
}

static void need_workgroup(
    const struct trial *t, const struct pass *pass, const struct shape *shape, struct needs *out) {
    uint32_t wg[3];
    int64_t flat = 0;
    if (!pass_workgroup(t->kernel, pass, shape, wg)) return;
    for (int axis = 0; axis < 3; axis++) most(&out->limits.max_size[axis], wg[axis]);
    if (!__builtin_mul_overflow((int64_t)wg[0] * wg[1], (int64_t)wg[2], &flat))
        most(&out->limits.max_invocations, flat);
}

struct need_visit {
    const struct trial *trial;
    struct needs *out;
};

// Collects the groups on each axis. A folded grid fits any limit.
static bool need_groups(void *context, const struct dispatch *d) {
    struct need_visit *v = context;
    const struct pass *pass = &v->trial->kernel->passes[d->pass];
    for (int axis = 0; axis < 3 && !pass->fold; axis++)
        most(&v->out->limits.max_groups[axis],
            quotient_value(v->trial->kernel, &pass->grid[axis], v->trial->dims, &d->shape));
    return true;
}

static void need_shape(const struct trial *t, const struct shape *shape, struct needs *out) {
    const int64_t shared = kernel_shared_bytes(t->kernel, t->dims, shape);
    for (int p = 0; p < t->kernel->pass_count; p++) need_workgroup(t, &t->kernel->passes[p], shape, out);
    dispatches_visit(t->kernel, t->dims, shape, need_groups, &(struct need_visit){t, out});
    if (shared < 0) return;
    most(&out->limits.shared_bytes, shared);
    if (shape_value(t->kernel, shape, "SUBGROUP", 0)) out->features[FEATURE_SUBGROUP_SIZE] = true;
    for (int i = 0; i < t->kernel->scratch_count; i++)
        need_buffer(out, t->kernel->scratch[i].dtype,
            quotient_value(t->kernel, &t->kernel->scratch[i].elements, t->dims, shape));
}

void trial_needs(const struct trial *t, const struct shape *shape, struct needs *out) {
    *out = (struct needs){.known = true};
    for (int i = 0; i < FEATURE_COUNT; i++) out->features[i] = t->kernel->features[i];
    need_feature(out, dtype_info(t->kernel->arithmetic)->arithmetic_feature);
    need_operands(t, out);
    need_bindings(t->kernel, out);
    if (shape) need_shape(t, shape, out);
}

const struct refusal *trial_profile(const struct trial *t, const struct shape *shape) {
    const struct profile *profile = &t->device->profile;
    struct needs needs;
    struct excess excess;
    if (!*profile->name || t->peak || t->kernel->probe) return NULL;
    trial_needs(t, shape, &needs);
    return profile_fits(profile, &needs, &excess) ? NULL : refusal_of_excess(t->arena, profile, &excess);
}

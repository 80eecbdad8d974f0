// SPDX-License-Identifier: Apache-2.0
#include "legal.h"

#include "reason.h"
#include "product.h"

static int named(const char *feature) {
    return feature ? feature_named(feature) : -1;
}

static int storage_feature(enum dtype dtype) {
    return named(dtype_info(dtype)->storage_feature);
}

static bool lacks(const struct device_info *device, int feature) {
    return feature >= 0 && !device->features[feature];
}

const char *kernel_missing_feature(const struct kernel *kernel, enum dtype dtype, const struct device_info *device) {
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (kernel->features[i] && lacks(device, i)) return feature_name((enum feature)i);
    int arithmetic = named(dtype_info(kernel->arithmetic)->arithmetic_feature);
    if (lacks(device, arithmetic)) return feature_name((enum feature)arithmetic);
    for (int i = 0; i < operator_operands(kernel->op); i++) {
        int feature = storage_feature(operand_dtype(&kernel->op->operands[i], dtype));
        if (lacks(device, feature)) return feature_name((enum feature)feature);
    }
    for (int i = 0; i < kernel->scratch_count; i++) {
        int feature = storage_feature(kernel->scratch[i].dtype);
        if (lacks(device, feature)) return feature_name((enum feature)feature);
    }
    return NULL;
}

static const char *push_refusal(const struct trial *t) {
    for (int p = 0; p < t->kernel->pass_count; p++) {
        const struct pass *pass = &t->kernel->passes[p];
        uint32_t bytes = 4 * (uint32_t)pass->push_count;
        if (!pass->uniform && bytes > t->device->push_bytes)
            return REASON(t->arena, "%u bytes of push constants; the device allows %u", bytes, t->device->push_bytes);
        for (int i = 0; i < pass->push_count; i++) {
            int dim = operator_dim_index(t->kernel->op, pass->push[i]);
            if (dim >= 0 && (t->dims[dim] < 0 || t->dims[dim] > UINT32_MAX))
                return REASON(t->arena, "%s %s is %lld; it is passed in 32 bits",
                    pass->uniform ? "uniform parameter" : "push constant", pass->push[i], (long long)t->dims[dim]);
        }
    }
    return NULL;
}

// Of one shader; a limit of 0 is not known (a device from a file).
static const char *bindings_refusal(const struct trial *t) {
    uint32_t allowed = t->device->storage_buffers;
    for (int p = 0; p < t->kernel->pass_count && allowed; p++)
        if ((uint32_t)t->kernel->passes[p].binding_count > allowed)
            return REASON(
                t->arena, "%d storage buffers; the device allows %u", t->kernel->passes[p].binding_count, allowed);
    return NULL;
}

const char *trial_case(const struct trial *t) {
    const char *feature = kernel_missing_feature(t->kernel, t->dtype, t->device);
    if (feature && feature_named(feature) == FEATURE_COOPERATIVE_MATRIX) return cooperative_lack(t);
    if (feature) return REASON(t->arena, "the device lacks the feature %s", feature);
    const char *why = bindings_refusal(t);
    if (!why) why = push_refusal(t);
    return why ? why : trial_memory(t, NULL);
}

static const char *workgroup_refusal(const struct trial *t, const struct shape *shape) {
    static const char *const names[3] = {"WG_X", "WG_Y", "WG_Z"};
    int64_t invocations = 1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t size = shape_value(t->kernel, shape, names[axis], 1);
        if (size < 1) return REASON(t->arena, "%s is %lld; at least 1", names[axis], (long long)size);
        if (size > t->device->max_size[axis])
            return REASON(
                t->arena, "%s is %lld; the device allows %u", names[axis], (long long)size, t->device->max_size[axis]);
        if (__builtin_mul_overflow(invocations, size, &invocations)) return "the workgroup's size overflows";
    }
    if (invocations <= t->device->max_invocations) return NULL;
    return REASON(
        t->arena, "%lld invocations; the device allows %u", (long long)invocations, t->device->max_invocations);
}

static const char *subgroup_refusal(const struct trial *t, const struct shape *shape) {
    int64_t size = shape_value(t->kernel, shape, "SUBGROUP", 0);
    if (size == 0) return NULL;
    if (!t->device->features[FEATURE_SUBGROUP_SIZE])
        return REASON(t->arena, "SUBGROUP is %lld; the device lacks the feature %s", (long long)size,
            feature_name(FEATURE_SUBGROUP_SIZE));
    bool power = size > 0 && (size & (size - 1)) == 0; // VUID-...-requiredSubgroupSize-02760
    if (!power || size < t->device->min_subgroup_size || size > t->device->max_subgroup_size)
        return REASON(t->arena, "SUBGROUP is %lld; the device allows powers of two from %u to %u", (long long)size,
            t->device->min_subgroup_size, t->device->max_subgroup_size);
    uint32_t wg[3];
    shape_workgroup(t->kernel, shape, wg);
    int64_t invocations = (int64_t)wg[0] * wg[1] * wg[2];            // within the device's limits by now
    if (invocations <= size * t->device->max_subgroups) return NULL; // VUID-...-pNext-02756
    return REASON(t->arena, "%lld invocations in subgroups of %lld; the device allows %u subgroups in a workgroup",
        (long long)invocations, (long long)size, t->device->max_subgroups);
}

static const char *shared_refusal(const struct trial *t, const struct shape *shape) {
    int64_t bytes = 0;
    for (int i = 0; i < t->kernel->shared_count; i++) {
        int64_t term = product_value(t->kernel, &t->kernel->shared[i], t->dims, shape);
        if (term < 0 || __builtin_add_overflow(bytes, term, &bytes)) return "its bytes of shared memory overflow";
    }
    if (bytes <= t->device->shared_bytes) return NULL;
    return REASON(
        t->arena, "%lld bytes of shared memory; the device allows %u", (long long)bytes, t->device->shared_bytes);
}

static bool rule_holds(enum rule_kind kind, int64_t of, int64_t by) {
    switch (kind) {
    case RULE_MULTIPLE:
        return by > 0 && of % by == 0;
    case RULE_AT_MOST:
        return of <= by;
    case RULE_EQUAL:
        return of == by;
    }
    return false;
}

const char *trial_rules(const struct trial *t, const struct shape *shape, bool with_dims) {
    static const char *const broken[] = {
        [RULE_MULTIPLE] = "is no multiple of", [RULE_AT_MOST] = "is above", [RULE_EQUAL] = "differs from"};
    for (int i = 0; i < t->kernel->rule_count; i++) {
        const struct rule *rule = &t->kernel->rules[i];
        bool has_dims = product_has_dims(t->kernel, &rule->of) || product_has_dims(t->kernel, &rule->by);
        if (has_dims != with_dims) continue;
        int64_t of = product_value(t->kernel, &rule->of, t->dims, shape);
        int64_t by = product_value(t->kernel, &rule->by, t->dims, shape);
        const char *of_text = product_text(t->arena, &rule->of), *by_text = product_text(t->arena, &rule->by);
        if (of < 0 || by < 0) return REASON(t->arena, "%s overflows: %s", of < 0 ? of_text : by_text, rule->why);
        if (rule_holds(rule->kind, of, by)) continue;
        return REASON(t->arena, "%s = %lld %s %s = %lld: %s", of_text, (long long)of, broken[rule->kind], by_text,
            (long long)by, rule->why);
    }
    return NULL;
}

const char *trial_shape(const struct trial *t, const struct shape *shape, bool *by_dims) {
    *by_dims = false;
    const char *why = workgroup_refusal(t, shape);
    if (!why) why = subgroup_refusal(t, shape);
    if (!why) why = shared_refusal(t, shape);
    if (!why) why = trial_cooperative(t, shape);
    if (!why) why = trial_rules(t, shape, false);
    if (!why) why = trial_grid(t, shape);
    if (!why) why = trial_memory(t, shape);
    if (why) return why;
    why = trial_rules(t, shape, true);
    *by_dims = why != NULL;
    return why;
}

bool shape_legal(const struct kernel *kernel, const struct shape *shape, enum dtype dtype, const int64_t *dims,
    const struct device_info *device, struct arena *arena, const char **why) {
    struct trial trial = {
        .kernel = kernel, .dtype = dtype, .dims = dims, .device = device, .memory_share = 1, .arena = arena};
    bool by_dims;
    *why = trial_case(&trial);
    if (!*why) *why = trial_shape(&trial, shape, &by_dims);
    return !*why;
}

// SPDX-License-Identifier: Apache-2.0
#include "legal.h"

#include "../manifest/dispatches.h"
#include "../manifest/rules.h"
#include "../manifest/words.h"

static int named(const char *feature) {
    return feature ? feature_named(feature) : -1;
}

static int storage_feature(enum dtype dtype) {
    return named(dtype_info(dtype)->storage_feature);
}

static bool lacks(const struct device_info *device, int feature) {
    return feature >= 0 && !device->features[feature];
}

// Returns the first feature needed by the kernel for this dtype and missing on the device; -1: none is missing.
static int missing_feature(const struct trial *t) {
    const struct kernel *kernel = t->kernel;
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (kernel->features[i] && lacks(t->device, i)) return i;
    int arithmetic = named(dtype_info(kernel->arithmetic)->arithmetic_feature);
    if (lacks(t->device, arithmetic)) return arithmetic;
    for (int i = 0; i < operator_operands(kernel->op); i++) {
        int feature = storage_feature(operand_dtype(&kernel->op->operands[i], t->dtype));
        if (lacks(t->device, feature)) return feature;
    }
    for (int i = 0; i < kernel->scratch_count; i++) {
        int feature = storage_feature(kernel->scratch[i].dtype);
        if (lacks(t->device, feature)) return feature;
    }
    return -1;
}

static const struct refusal *push_refusal(const struct trial *t) {
    for (int p = 0; p < t->kernel->pass_count; p++) {
        const uint32_t bytes = pass_push_bytes(&t->kernel->passes[p]);
        if (bytes > t->device->push_bytes)
            return REFUSED(t->arena, .kind = REFUSAL_PUSH_BYTES, .figures = {bytes, t->device->push_bytes});
    }
    return NULL;
}

static double word_figure(const struct trial *t, const struct word *word, const struct shape *shape) {
    const struct op *op = t->kernel->op;
    if (word->kind == WORD_LENGTH) return (double)operand_elements(op, &op->operands[word->operand], t->dims);
    if (word->kind == WORD_NAME) return (double)t->dims[operator_dim_index(op, word->name)];
    return (double)quotient_value(t->kernel, &word->quotient, t->dims, shape);
}

// Returns whether the word follows from dims and its other inputs are known.
static bool is_told(const struct trial *t, const struct word *word, const struct shape *shape) {
    if (word->kind == WORD_NAME) return operator_dim_index(t->kernel->op, word->name) >= 0;
    return word->kind == WORD_LENGTH || (word->kind == WORD_QUOTIENT && shape);
}

static const struct refusal *block_refusal(
    const struct trial *t, const struct block *block, const struct shape *shape) {
    const char *what = block->kind == BLOCK_PUSH      ? "push constant"
                       : block->kind == BLOCK_UNIFORM ? "uniform parameter"
                                                      : "storage parameter";
    for (int i = 0; i < block->count; i++) {
        if (!is_told(t, &block->words[i], shape)) continue;
        double figure = word_figure(t, &block->words[i], shape);
        if (figure < 0 || figure > UINT32_MAX)
            return REFUSED(
                t->arena, .kind = REFUSAL_PUSH_VALUE, .words = {what, block->words[i].text}, .figures = {figure});
    }
    return NULL;
}

static const struct refusal *pass_words_refusal(const struct trial *t, int pass, const struct shape *shape) {
    const struct refusal *why = NULL;
    for (int b = 0; !why && b < t->kernel->passes[pass].block_count; b++)
        why = block_refusal(t, &t->kernel->passes[pass].blocks[b], shape);
    return why;
}

struct words_visit {
    const struct trial *trial;
    const struct refusal *why;
};

static bool visit_words(void *context, const struct dispatch *d) {
    struct words_visit *v = context;
    v->why = pass_words_refusal(v->trial, d->pass, &d->shape);
    return !v->why;
}

// Refuses values beyond their words. With a shape it also checks the values depending on the shape.
static const struct refusal *words_refusal(const struct trial *t, const struct shape *shape) {
    struct words_visit v = {.trial = t};
    for (int p = 0; !shape && !v.why && p < t->kernel->pass_count; p++) v.why = pass_words_refusal(t, p, NULL);
    if (shape) dispatches_visit(t->kernel, t->dims, shape, visit_words, &v);
    return v.why;
}

// Checks the storage buffers of each shader. A limit of 0 is unknown (a device read from a file).
static const struct refusal *bindings_refusal(const struct trial *t) {
    uint32_t allowed = t->device->storage_buffers;
    for (int p = 0; p < t->kernel->pass_count && allowed; p++) {
        const uint32_t count = pass_storage_buffers(&t->kernel->passes[p]);
        if (count > allowed) return REFUSED(t->arena, .kind = REFUSAL_STORAGE_BUFFERS, .figures = {count, allowed});
    }
    return NULL;
}

const struct refusal *trial_case(const struct trial *t) {
    const struct refusal *beyond = trial_profile(t, NULL);
    if (beyond) return beyond;
    int feature = missing_feature(t);
    if (feature == FEATURE_COOPERATIVE_MATRIX) return cooperative_lack(t);
    if (feature >= 0) return REFUSED(t->arena, .kind = REFUSAL_FEATURE, .words = {feature_name((enum feature)feature)});
    const struct refusal *why = bindings_refusal(t);
    if (!why) why = push_refusal(t);
    if (!why) why = words_refusal(t, NULL);
    return why ? why : trial_memory(t, NULL);
}

static const struct refusal *size_refusal(const struct trial *t, const uint32_t wg[3]) {
    static const char *const names[3] = {"WG_X", "WG_Y", "WG_Z"};
    int64_t invocations = 1;
    for (int axis = 0; axis < 3; axis++) {
        int64_t size = wg[axis];
        if (size < 1)
            return REFUSED(
                t->arena, .kind = REFUSAL_WORKGROUP_EMPTY, .words = {names[axis]}, .figures = {(double)size});
        if (size > t->device->max_size[axis])
            return REFUSED(t->arena, .kind = REFUSAL_WORKGROUP_AXIS, .words = {names[axis]},
                .figures = {(double)size, t->device->max_size[axis]});
        if (__builtin_mul_overflow(invocations, size, &invocations))
            return REFUSED(t->arena, .kind = REFUSAL_WORKGROUP_OVERFLOW);
    }
    if (invocations <= t->device->max_invocations) return NULL;
    return REFUSED(t->arena, .kind = REFUSAL_INVOCATIONS, .figures = {(double)invocations, t->device->max_invocations});
}

static const struct refusal *workgroup_refusal(const struct trial *t, const struct shape *shape) {
    const struct refusal *why = NULL;
    for (int p = 0; !why && p < t->kernel->pass_count; p++) {
        uint32_t wg[3];
        why = pass_workgroup(t->kernel, &t->kernel->passes[p], shape, wg)
                  ? size_refusal(t, wg)
                  : REFUSED(t->arena, .kind = REFUSAL_WORKGROUP_OVERFLOW);
    }
    return why;
}

static const struct refusal *subgroup_refusal(const struct trial *t, const struct shape *shape) {
    const struct device_info *device = t->device;
    int64_t size = shape_value(t->kernel, shape, "SUBGROUP", 0);
    if (size == 0 || subgroup_size_is_constant(device, size)) return NULL;
    if (!device->features[FEATURE_SUBGROUP_SIZE])
        return REFUSED(t->arena, .kind = REFUSAL_SUBGROUP_FEATURE, .words = {feature_name(FEATURE_SUBGROUP_SIZE)},
            .figures = {(double)size});
    bool power = size > 0 && (size & (size - 1)) == 0; // VUID-...-requiredSubgroupSize-02760
    if (!power || size < device->min_subgroup_size || size > device->max_subgroup_size)
        return REFUSED(t->arena, .kind = REFUSAL_SUBGROUP_SIZE,
            .figures = {(double)size, device->min_subgroup_size, device->max_subgroup_size});
    int64_t invocations = 0; // within the device's limits by now
    for (int p = 0; p < t->kernel->pass_count; p++) {
        uint32_t wg[3];
        pass_workgroup(t->kernel, &t->kernel->passes[p], shape, wg);
        if ((int64_t)wg[0] * wg[1] * wg[2] > invocations) invocations = (int64_t)wg[0] * wg[1] * wg[2];
    }
    if (invocations <= size * device->max_subgroups) return NULL; // VUID-...-pNext-02756
    return REFUSED(t->arena, .kind = REFUSAL_SUBGROUP_COUNT,
        .figures = {(double)invocations, (double)size, device->max_subgroups});
}

static const struct refusal *shared_refusal(const struct trial *t, const struct shape *shape) {
    const int64_t bytes = kernel_shared_bytes(t->kernel, t->dims, shape);
    if (bytes < 0) return REFUSED(t->arena, .kind = REFUSAL_SHARED_OVERFLOW);
    if (bytes <= t->device->shared_bytes) return NULL;
    return REFUSED(t->arena, .kind = REFUSAL_SHARED_BYTES, .figures = {(double)bytes, t->device->shared_bytes});
}

// Checks the rules with dims, or the rules without.
static const struct refusal *rules_refusal(const struct trial *t, const struct shape *shape, bool with_dims) {
    static const enum refusal_kind kinds[] = {[RULE_MULTIPLE] = REFUSAL_RULE_MULTIPLE,
        [RULE_AT_MOST] = REFUSAL_RULE_AT_MOST,
        [RULE_EQUAL] = REFUSAL_RULE_EQUAL};
    for (int i = 0; i < t->kernel->rule_count; i++) {
        const struct rule *rule = &t->kernel->rules[i];
        bool has_dims = product_dim(t->kernel, &rule->of) || product_dim(t->kernel, &rule->by);
        if (has_dims != with_dims) continue;
        int64_t of = product_value(t->kernel, &rule->of, t->dims, shape);
        int64_t by = product_value(t->kernel, &rule->by, t->dims, shape);
        if (of < 0 || by < 0)
            return REFUSED(t->arena, .kind = REFUSAL_RULE_OVERFLOW, .by_dims = with_dims,
                .words = {product_text(t->arena, of < 0 ? &rule->of : &rule->by), rule->why});
        if (!rule_holds(t->kernel, rule, t->dims, shape))
            return REFUSED(t->arena, .kind = kinds[rule->kind], .by_dims = with_dims,
                .words = {product_text(t->arena, &rule->of), product_text(t->arena, &rule->by), rule->why},
                .figures = {(double)of, (double)by});
    }
    return NULL;
}

const struct refusal *trial_shape(const struct trial *t, const struct shape *shape) {
    const struct refusal *why = trial_profile(t, shape);
    if (!why) why = workgroup_refusal(t, shape);
    if (!why) why = subgroup_refusal(t, shape);
    if (!why) why = shared_refusal(t, shape);
    if (!why) why = trial_cooperative(t, shape);
    if (!why) why = rules_refusal(t, shape, false);
    if (!why) why = trial_grid(t, shape);
    if (!why) why = words_refusal(t, shape);
    if (!why) why = trial_memory(t, shape);
    return why ? why : rules_refusal(t, shape, true);
}

const struct refusal *trial_both(const struct trial *t, const struct shape *shape) {
    const struct refusal *why = trial_case(t);
    return why ? why : trial_shape(t, shape);
}

struct trial trial_of(
    const struct point *point, const struct device_info *device, double memory_share, struct arena *arena) {
    return (struct trial){.kernel = point->kernel,
        .dtype = point->dtype,
        .dims = point->dims,
        .device = device,
        .memory_share = memory_share,
        .peak = point->peak != NULL,
        .arena = arena};
}

// SPDX-License-Identifier: Apache-2.0
#include "limits.h"
#include "../base/text.h"
#include "device_info.h"

#include <stddef.h>
#include <string.h>

static const char *const feature_names[FEATURE_COUNT] = {
    [FEATURE_STORAGE16] = "storage16",
    [FEATURE_FLOAT16] = "float16",
    [FEATURE_STORAGE8] = "storage8",
    [FEATURE_INT8] = "int8",
    [FEATURE_INT16] = "int16",
    [FEATURE_INT64] = "int64",
    [FEATURE_FLOAT64] = "float64",
    [FEATURE_SUBGROUP_BASIC] = "subgroup_basic",
    [FEATURE_SUBGROUP_ARITHMETIC] = "subgroup_arithmetic",
    [FEATURE_SUBGROUP_SHUFFLE] = "subgroup_shuffle",
    [FEATURE_SUBGROUP_SIZE] = "subgroup_size",
    [FEATURE_ATOMIC_FLOAT_ADD] = "atomic_float_add",
    [FEATURE_COOPERATIVE_MATRIX] = "cooperative_matrix",
    [FEATURE_COOPERATIVE_MATRIX_KHR] = "cooperative_matrix_khr",
    [FEATURE_COOPERATIVE_MATRIX_NV] = "cooperative_matrix_nv",
    [FEATURE_MATRIX2_WORKGROUP] = "matrix2_workgroup",
    [FEATURE_MATRIX2_FLEXIBLE] = "matrix2_flexible",
    [FEATURE_MATRIX2_REDUCTIONS] = "matrix2_reductions",
    [FEATURE_MATRIX2_CONVERSIONS] = "matrix2_conversions",
    [FEATURE_MATRIX2_PER_ELEMENT] = "matrix2_per_element",
    [FEATURE_MATRIX2_TENSOR] = "matrix2_tensor",
    [FEATURE_MATRIX2_BLOCK_LOADS] = "matrix2_block_loads",
    [FEATURE_BFLOAT16] = "bfloat16",
    [FEATURE_BFLOAT16_DOT] = "bfloat16_dot",
    [FEATURE_BFLOAT16_MATRIX] = "bfloat16_matrix",
    [FEATURE_FLOAT8] = "float8",
    [FEATURE_FLOAT8_MATRIX] = "float8_matrix",
    [FEATURE_INTEGER_DOT] = "integer_dot",
    [FEATURE_PIPELINE_STATISTICS] = "pipeline_statistics",
    [FEATURE_BUFFER_ADDRESS] = "buffer_address",
    [FEATURE_SHADER_CLOCK] = "shader_clock",
    [FEATURE_ZERO_SHARED] = "zero_shared",
    [FEATURE_RTE_F32] = "rte_f32",
    [FEATURE_RTE_F16] = "rte_f16",
    [FEATURE_SPECIALS_F32] = "specials_f32",
    [FEATURE_SPECIALS_F16] = "specials_f16",
    [FEATURE_DENORMS_F32] = "denorms_f32",
    [FEATURE_DENORMS_F16] = "denorms_f16",
};

static const char *const kind_names[] = {
    [DEVICE_OTHER] = "other",
    [DEVICE_INTEGRATED] = "integrated",
    [DEVICE_DISCRETE] = "discrete",
    [DEVICE_VIRTUAL] = "virtual",
    [DEVICE_CPU] = "cpu",
};

static const char *const component_names[COMPONENT_COUNT] = {
    [COMPONENT_F16] = "f16",
    [COMPONENT_F32] = "f32",
    [COMPONENT_F64] = "f64",
    [COMPONENT_I8] = "i8",
    [COMPONENT_I16] = "i16",
    [COMPONENT_I32] = "i32",
    [COMPONENT_I64] = "i64",
    [COMPONENT_U8] = "u8",
    [COMPONENT_U16] = "u16",
    [COMPONENT_U32] = "u32",
    [COMPONENT_U64] = "u64",
    [COMPONENT_BF16] = "bf16",
    [COMPONENT_E4M3] = "e4m3",
    [COMPONENT_E5M2] = "e5m2",
};

static const char *const scope_names[SCOPE_COUNT] = {
    [SCOPE_SUBGROUP] = "subgroup",
    [SCOPE_WORKGROUP] = "workgroup",
    [SCOPE_DEVICE] = "device",
    [SCOPE_QUEUE_FAMILY] = "queue_family",
};

#define LIMIT_ROW(FORM, SENSE, NAME, VULKAN, ...)                                                                      \
    {#NAME, LIMIT_##FORM, LIMIT_##SENSE, offsetof(struct device_info, NAME), offsetof(struct limit_values, NAME),      \
        __VA_ARGS__},
const struct limit device_limits[LIMIT_COUNT] = {DEVICE_LIMITS(LIMIT_ROW)};

int limit_parts(const struct limit *limit) {
    return limit->form == LIMIT_U32_3 ? 3 : 1;
}

uint64_t limit_number(const struct limit *limit, const void *member, int part) {
    return limit->form == LIMIT_U64 ? *(const uint64_t *)member : ((const uint32_t *)member)[part];
}

void limit_set(const struct limit *limit, void *member, int part, uint64_t number) {
    if (limit->form == LIMIT_U64)
        *(uint64_t *)member = number < INT64_MAX ? number : INT64_MAX;
    else
        ((uint32_t *)member)[part] = number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

uint64_t device_limit(const struct device_info *info, enum limit_index limit, int part) {
    return limit_number(&device_limits[limit], (const char *)info + device_limits[limit].offset, part);
}

void device_unlimited(struct device_info *info) {
    for (int l = 0; l < LIMIT_COUNT; l++) {
        const struct limit *limit = &device_limits[l];
        for (int i = 0; i < limit_parts(limit); i++)
            limit_set(limit, (char *)info + limit->offset, i, limit->sense == LIMIT_LEAST ? 1 : UINT64_MAX);
    }
}

void limit_append(struct text *text, const struct limit *limit, const struct device_info *info, const char *between) {
    const void *at = (const char *)info + limit->offset;
    const uint32_t *values = at;
    const uint64_t *bytes = at;
    if (limit->form == LIMIT_U32) text_format(text, "%u", values[0]);
    if (limit->form == LIMIT_U32_3) text_format(text, "%u%s%u%s%u", values[0], between, values[1], between, values[2]);
    if (limit->form == LIMIT_U64) text_format(text, "%llu MiB", (unsigned long long)*bytes >> 20);
}

static int position(const char *const *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return i;
    return -1;
}

static const char *const queue_flag_names[QUEUE_FLAGS] = {"graphics", "compute", "transfer", "sparse binding",
    "protected", "video decode", "video encode", NULL, "optical flow", NULL, "data graph"};

const char *queue_flag_name(int bit) {
    return queue_flag_names[bit];
}

bool queue_draws(const struct device_info *info) {
    return info->queue_flags & 1;
}

void queue_append(struct text *text, const struct device_info *info) {
    const char *before = " (";
    text_format(text, "family %u", info->queue_family);
    for (int bit = 0; bit < QUEUE_FLAGS; bit++) {
        if (!(info->queue_flags >> bit & 1) || !queue_flag_names[bit]) continue;
        text_format(text, "%s%s", before, queue_flag_names[bit]);
        before = ", ";
    }
    if (*before == ',') text_append(text, ")");
    if (info->graphics_queue) text_append(text, ", and one for graphics");
}

const char *feature_name(enum feature feature) {
    return feature_names[feature];
}

int feature_named(const char *name) {
    return position(feature_names, FEATURE_COUNT, name);
}

const char *component_name(enum component component) {
    return component_names[component];
}

int component_named(const char *name) {
    return position(component_names, COMPONENT_COUNT, name);
}

const char *matrix_scope_name(enum matrix_scope scope) {
    return scope_names[scope];
}

static bool same_types(const struct cooperative *has, const struct cooperative *wanted) {
    return has->a == wanted->a && has->b == wanted->b && has->c == wanted->c && has->result == wanted->result &&
           has->scope == wanted->scope && has->saturating == wanted->saturating;
}

static bool fits(uint32_t side, uint32_t granularity, uint32_t most) {
    return side && granularity && side % granularity == 0 && (!most || side <= most);
}

bool device_multiplies(const struct device_info *info, const struct cooperative *wanted) {
    const uint32_t most = info->matrix2_side;
    for (int i = 0; i < info->cooperative_count; i++) {
        const struct cooperative *has = &info->cooperative[i];
        if (has->m == wanted->m && has->n == wanted->n && has->k == wanted->k && same_types(has, wanted)) return true;
    }
    for (int i = 0; wanted->scope != SCOPE_SUBGROUP && i < info->flexible_count; i++) {
        const struct cooperative *has = &info->flexible[i];
        if (same_types(has, wanted) && fits(wanted->m, has->m, most) && fits(wanted->n, has->n, most) &&
            fits(wanted->k, has->k, most) && (!has->invocations || has->invocations == wanted->invocations))
            return true;
    }
    return false;
}

const char *device_kind_name(enum device_kind kind) {
    return kind_names[kind];
}

uint64_t device_memory(const struct device_info *info) {
    uint64_t local = 0, any = 0;
    for (int i = 0; i < info->heap_count; i++) {
        uint64_t bytes = info->heaps[i].bytes;
        if (bytes > any) any = bytes;
        if (info->heaps[i].device_local && bytes > local) local = bytes;
    }
    return local ? local : any;
}

bool subgroup_size_is_constant(const struct device_info *info, int64_t size) {
    return info->subgroup_size == size && info->min_subgroup_size == size && info->max_subgroup_size == size;
}

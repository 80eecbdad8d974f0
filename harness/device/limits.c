// SPDX-License-Identifier: Apache-2.0
#include "limits.h"

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
    [FEATURE_SHADER_CLOCK] = "shader_clock",
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

const char *feature_name(enum feature feature) {
    return feature_names[feature];
}

int feature_named(const char *name) {
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (strcmp(feature_names[i], name) == 0) return i;
    return -1;
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

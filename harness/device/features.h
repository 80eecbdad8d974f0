// SPDX-License-Identifier: Apache-2.0
// Features and cooperative matrices that a kernel can require, without the device.
#ifndef VKASSAY_DEVICE_FEATURES_H
#define VKASSAY_DEVICE_FEATURES_H

#include <stdbool.h>
#include <stdint.h>

// Features that a kernel or a dtype can require by name. The table in limits.c gives the names; manifests use them in
// "features".
enum feature {
    FEATURE_STORAGE16,           // "storage16": 16-bit types in storage buffers (f16, bf16 operands)
    FEATURE_FLOAT16,             // "float16": 16-bit float arithmetic
    FEATURE_STORAGE8,            // "storage8": 8-bit types in storage buffers
    FEATURE_INT8,                // "int8": 8-bit integer arithmetic
    FEATURE_INT16,               // "int16"
    FEATURE_INT64,               // "int64"
    FEATURE_FLOAT64,             // "float64"
    FEATURE_SUBGROUP_BASIC,      // "subgroup_basic"
    FEATURE_SUBGROUP_ARITHMETIC, // "subgroup_arithmetic": vote and arithmetic in compute
    FEATURE_SUBGROUP_SHUFFLE,    // "subgroup_shuffle": shuffle and relative shuffle in compute
    FEATURE_SUBGROUP_SIZE,       // "subgroup_size": requiredSubgroupSize in compute
    FEATURE_ATOMIC_FLOAT_ADD,    // "atomic_float_add": 32-bit add in buffers
    // "cooperative_matrix": the device has the KHR extension, or only the NV one and the shader compiler knows it
    FEATURE_COOPERATIVE_MATRIX,
    FEATURE_COOPERATIVE_MATRIX_KHR, // "cooperative_matrix_khr": VK_KHR_cooperative_matrix
    FEATURE_COOPERATIVE_MATRIX_NV,  // "cooperative_matrix_nv": VK_NV_cooperative_matrix
    // "matrix2_workgroup" and so on: one switch each of VK_NV_cooperative_matrix2
    FEATURE_MATRIX2_WORKGROUP,
    FEATURE_MATRIX2_FLEXIBLE,
    FEATURE_MATRIX2_REDUCTIONS,
    FEATURE_MATRIX2_CONVERSIONS,
    FEATURE_MATRIX2_PER_ELEMENT,
    FEATURE_MATRIX2_TENSOR,
    FEATURE_MATRIX2_BLOCK_LOADS,
    FEATURE_BFLOAT16,            // "bfloat16": VK_KHR_shader_bfloat16, the type
    FEATURE_BFLOAT16_DOT,        // "bfloat16_dot": its dot products
    FEATURE_BFLOAT16_MATRIX,     // "bfloat16_matrix": cooperative matrices of it
    FEATURE_FLOAT8,              // "float8": VK_EXT_shader_float8, the types
    FEATURE_FLOAT8_MATRIX,       // "float8_matrix": cooperative matrices of them
    FEATURE_INTEGER_DOT,         // "integer_dot": dot products of 8-bit integers
    FEATURE_PIPELINE_STATISTICS, // "pipeline_statistics": VK_KHR_pipeline_executable_properties
    FEATURE_BUFFER_ADDRESS,      // "buffer_address": shaders may use pointers to buffers
    FEATURE_SHADER_CLOCK,        // "shader_clock": VK_KHR_shader_clock, subgroup clock
    FEATURE_ZERO_SHARED,         // "zero_shared": shared memory may be initialised to zero
    FEATURE_RTE_F32,             // "rte_f32": RoundingModeRTE may be declared
    FEATURE_RTE_F16,             // "rte_f16"
    FEATURE_SPECIALS_F32,        // "specials_f32": SignedZeroInfNanPreserve may be declared
    FEATURE_SPECIALS_F16,        // "specials_f16"
    FEATURE_DENORMS_F32,         // "denorms_f32": DenormPreserve may be declared
    FEATURE_DENORMS_F16,         // "denorms_f16"
    FEATURE_COUNT
};

const char *feature_name(enum feature feature);
int feature_named(const char *name); // -1 when there is none

// Element types of cooperative matrices. Values up to COMPONENT_U64 equal those of VkComponentTypeKHR.
enum component {
    COMPONENT_F16,
    COMPONENT_F32,
    COMPONENT_F64,
    COMPONENT_I8,
    COMPONENT_I16,
    COMPONENT_I32,
    COMPONENT_I64,
    COMPONENT_U8,
    COMPONENT_U16,
    COMPONENT_U32,
    COMPONENT_U64,
    COMPONENT_BF16,
    COMPONENT_E4M3, // 8-bit floats: 4 bits of exponent and 3 of mantissa; E5M2 has 5 and 2
    COMPONENT_E5M2,
    COMPONENT_COUNT
};
const char *component_name(enum component component); // "f16"
int component_named(const char *name);                // -1 when there is none

// The invocations that hold a matrix together.
enum matrix_scope { SCOPE_SUBGROUP, SCOPE_WORKGROUP, SCOPE_DEVICE, SCOPE_QUEUE_FAMILY, SCOPE_COUNT };
const char *matrix_scope_name(enum matrix_scope scope); // "subgroup", "workgroup", "device", "queue_family"

// Sides and types of a matrix multiplication: result[m, n] = a[m, k] b[k, n] + c[m, n].
struct cooperative {
    uint32_t m, n, k;
    enum component a, b, c, result;
    enum matrix_scope scope;
    bool saturating; // sums of integers saturate at the limits of their type
    // In lists of VK_NV_cooperative_matrix2 the sides above are granularities. There, this is the number of
    // invocations required in a workgroup (workgroup scope); 0: any number.
    uint32_t invocations;
};

#endif

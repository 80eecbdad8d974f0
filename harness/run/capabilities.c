// SPDX-License-Identifier: Apache-2.0
#include "agree_parts.h"

// SPIR-V specification 1.6, 3.31 "Capability"; which feature each needs: Vulkan specification, appendix "Vulkan
// Environment for SPIR-V", "Capabilities".
static const struct capability capabilities[] = {
    {0, "Matrix", -1},
    {1, "Shader", -1},
    {9, "Float16", FEATURE_FLOAT16},
    {10, "Float64", FEATURE_FLOAT64},
    {11, "Int64", FEATURE_INT64},
    {22, "Int16", FEATURE_INT16},
    {39, "Int8", FEATURE_INT8},
    {50, "ImageQuery", -1},
    {61, "GroupNonUniform", FEATURE_SUBGROUP_BASIC},
    {62, "GroupNonUniformVote", FEATURE_SUBGROUP_ARITHMETIC},
    {63, "GroupNonUniformArithmetic", FEATURE_SUBGROUP_ARITHMETIC},
    {64, "GroupNonUniformBallot", FEATURE_SUBGROUP_BASIC},
    {65, "GroupNonUniformShuffle", FEATURE_SUBGROUP_SHUFFLE},
    {66, "GroupNonUniformShuffleRelative", FEATURE_SUBGROUP_SHUFFLE},
    {67, "GroupNonUniformClustered", FEATURE_SUBGROUP_BASIC},
    {68, "GroupNonUniformQuad", FEATURE_SUBGROUP_BASIC},
    {4433, "StorageBuffer16BitAccess", FEATURE_STORAGE16},
    {4448, "StorageBuffer8BitAccess", FEATURE_STORAGE8},
    {4464, "DenormPreserve", -1},
    {4466, "SignedZeroInfNanPreserve", -1},
    {4467, "RoundingModeRTE", -1},
    {5055, "ShaderClockKHR", FEATURE_SHADER_CLOCK},
    {5345, "VulkanMemoryModel", -1},
    {5346, "VulkanMemoryModelDeviceScope", -1},
    {5357, "CooperativeMatrixNV", FEATURE_COOPERATIVE_MATRIX_NV},
    {6022, "CooperativeMatrixKHR", FEATURE_COOPERATIVE_MATRIX_KHR},
    {6033, "AtomicFloat32AddEXT", FEATURE_ATOMIC_FLOAT_ADD},
};

const struct capability *capability_numbered(uint32_t number) {
    for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
        if (capabilities[i].number == number) return &capabilities[i];
    return NULL;
}

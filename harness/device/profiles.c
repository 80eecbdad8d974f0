// SPDX-License-Identifier: Apache-2.0
// The built-in profiles.
#include "profile.h"

// Features without a word in WGSL or a feature in WebGPU.
#define NOT_IN_WGSL                                                                                                    \
    [FEATURE_STORAGE8] = true, [FEATURE_INT8] = true, [FEATURE_INT16] = true, [FEATURE_INT64] = true,                  \
    [FEATURE_FLOAT64] = true, [FEATURE_SUBGROUP_SIZE] = true, [FEATURE_ATOMIC_FLOAT_ADD] = true,                       \
    [FEATURE_COOPERATIVE_MATRIX] = true, [FEATURE_COOPERATIVE_MATRIX_KHR] = true,                                      \
    [FEATURE_COOPERATIVE_MATRIX_NV] = true, [FEATURE_SHADER_CLOCK] = true
#define ASKED_FOR                                                                                                      \
    [FEATURE_SUBGROUP_ARITHMETIC] = true, [FEATURE_SUBGROUP_SHUFFLE] = true, [FEATURE_STORAGE16] = true,               \
    [FEATURE_FLOAT16] = true

const struct profile_info profiles[] = {
    [PROFILE_MOBILE] = {"the minimum that Vulkan 1.1 guarantees: 128 invocations, 4 storage buffers, no arithmetic of "
                        "subgroups, no f16",
        {.name = "vulkan-1.1-mobile",
            .limits = {.max_invocations = 128, // the Vulkan specification's table of required limits
                .max_size = {128, 128, 64},
                .max_groups = {65535, 65535, 65535},
                .shared_bytes = 16384,
                .storage_range = 1 << 27,
                .storage_alignment = 256,
                .storage_buffers = 4,
                .push_bytes = 128,
                .largest_allocation = 1 << 30},
            .without = {NOT_IN_WGSL, ASKED_FOR}}},
    [PROFILE_WEBGPU] =
        {"WebGPU's default limits: 256 invocations, 16384 bytes shared, bindings of 128 MiB, no subgroups, no f16",
            {.name = "webgpu",
                .limits = {.max_invocations = 256, // the WebGPU specification, "Limits"
                    .max_size = {256, 256, 64},
                    .max_groups = {65535, 65535, 65535},
                    .shared_bytes = 16384,
                    .storage_range = 1 << 27,
                    .storage_alignment = 256,
                    .storage_buffers = 8,
                    .largest_allocation = 1 << 28},
                .without = {[FEATURE_SUBGROUP_BASIC] = true, NOT_IN_WGSL, ASKED_FOR}}},
    [PROFILE_WEBGPU_MAX] =
        {"the maximum that browsers grant on request: 1024 invocations, 32768 bytes shared, subgroups, f16",
            {.name = "webgpu-max",
                .limits = {.max_invocations = 1024,
                    .max_size = {1024, 1024, 64},
                    .max_groups = {65535, 65535, 65535},
                    .shared_bytes = 32768,
                    .storage_range = ((uint64_t)1 << 31) - 4,
                    .storage_alignment = 256,
                    .storage_buffers = 10,
                    .largest_allocation = (uint64_t)1 << 31},
                .without = {NOT_IN_WGSL}}},
    [PROFILES] = {0},
};

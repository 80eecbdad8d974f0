// SPDX-License-Identifier: Apache-2.0
// The limits of devices, as a table and as plain data.
#ifndef VKASSAY_DEVICE_LIMITS_H
#define VKASSAY_DEVICE_LIMITS_H

#include "features.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The most bindings, specialization constants, bytes of push constants and descriptor sets of a program.
enum { PROGRAM_BINDINGS = 16, PROGRAM_CONSTANTS = 40, PROGRAM_PUSH_BYTES = 256 };
enum { PROGRAM_SETS = 4 }; // every device has that many (maxBoundDescriptorSets)

// The limits, one row each: form, sense, name here and in JSON, and source in Vulkan (an expression of properties.c).
// Then follow its line in `vkassay devices`, the text before and after it there, and its name on a page. A NULL line or
// page name: not shown there. The senses: MOST and SIZE are the most allowed, and needs of SIZE follow from the size of
// tensors. A larger number of LEAST allows less. plan/needs.c has a row for each limit: the needs of kernels.
//
// Subgroup limits are printed by other code. Without control of the subgroup size, the least and the largest size
// equal the size, unless the device reports a range. The limit max_subgroups is the most subgroups of a workgroup
// with a required size; without size control it is 0. The matrix2 limits are 0 without VK_NV_cooperative_matrix2.
// They are the most invocations of a workgroup with matrices, their longest side, and the shared memory reserved for
// them.
// clang-format off
#define DEVICE_LIMITS(X)                                                                                               \
    X(U32, MOST, max_invocations, core->maxComputeWorkGroupInvocations, "workgroup", "", " invocations",               \
        "invocations a workgroup")                                                                                     \
    X(U32_3, MOST, max_size, core->maxComputeWorkGroupSize, "workgroup", "at most ", "", "workgroup size")             \
    X(U32_3, SIZE, max_groups, core->maxComputeWorkGroupCount, "workgroup", "grid ", "", NULL)                         \
    X(U32, MOST, shared_bytes, core->maxComputeSharedMemorySize, "workgroup", "", " bytes shared", "shared bytes")     \
    X(U64, SIZE, storage_range, core->maxStorageBufferRange, "buffers", "storage range ", "", NULL)                    \
    X(U32, LEAST, storage_alignment, core->minStorageBufferOffsetAlignment, "buffers", "offset alignment ", "", NULL)  \
    X(U32, MOST, storage_buffers, core->maxPerStageDescriptorStorageBuffers, "buffers", "at most ", " in a shader",    \
        "storage buffers a shader")                                                                                    \
    X(U32, MOST, push_bytes, core->maxPushConstantsSize, "buffers", "push constants ", " bytes", NULL)                 \
    X(U64, SIZE, largest_allocation, chain->maintenance3.maxMemoryAllocationSize, "buffers", "largest allocation ",    \
        "", NULL)                                                                                                      \
    X(U32, MOST, subgroup_size, chain->subgroup.subgroupSize, NULL, "", "", "subgroup size")                           \
    X(U32, LEAST, min_subgroup_size, chain->subgroup.subgroupSize, NULL, "", "", NULL)                                 \
    X(U32, MOST, max_subgroup_size, chain->subgroup.subgroupSize, NULL, "", "", NULL)                                  \
    X(U32, MOST, max_subgroups, 0, NULL, "", "", NULL)                                                                 \
    X(U32, MOST, matrix2_invocations, chain->matrix2.workgroupScopeMaxWorkgroupSize, NULL, "", "", NULL)               \
    X(U32, MOST, matrix2_side, chain->matrix2.flexibleDimensionsMaxDimension, NULL, "", "", NULL)                      \
    X(U32, LEAST, matrix2_shared_bytes, chain->matrix2.workgroupScopeReservedSharedMemory, NULL, "", "", NULL)
// clang-format on
#define DECLARE_LIMIT_U32(NAME) uint32_t NAME;
#define DECLARE_LIMIT_U32_3(NAME) uint32_t NAME[3];
#define DECLARE_LIMIT_U64(NAME) uint64_t NAME; // bytes, at most INT64_MAX so that JSON holds them; shown in MiB

#define DECLARE_LIMIT(FORM, SENSE, NAME, ...) DECLARE_LIMIT_##FORM(NAME)

// Limits without a device: allowed values or needed values; 0: not stated.
struct limit_values {
    DEVICE_LIMITS(DECLARE_LIMIT)
};

// The same rows as data, by index: LIMIT_max_invocations and so on. A limit of 0 is unknown: the file is older than the
// limit.
#define LIMIT_INDEX(FORM, SENSE, NAME, ...) LIMIT_##NAME,
enum limit_index { DEVICE_LIMITS(LIMIT_INDEX) LIMIT_COUNT };
struct limit {
    const char *name;
    enum { LIMIT_U32, LIMIT_U32_3, LIMIT_U64 } form;
    enum { LIMIT_MOST, LIMIT_SIZE, LIMIT_LEAST } sense;
    size_t offset; // in struct device_info
    size_t value;  // in struct limit_values
    const char *line, *before, *after, *page;
};
extern const struct limit device_limits[LIMIT_COUNT];

int limit_parts(const struct limit *limit); // 1 or 3
// Read and set one part of a limit's member. A number beyond the member's form saturates.
uint64_t limit_number(const struct limit *limit, const void *member, int part);
void limit_set(const struct limit *limit, void *member, int part, uint64_t number);

// Limits and features that a backend ships to. Shapes keep to them in addition to the device's own (profile.h).
enum { PROFILE_NAME = 64 };
struct profile {
    char name[PROFILE_NAME];    // "webgpu"; "": no profile
    struct limit_values limits; // 0: not limited by the profile
    bool without[FEATURE_COUNT];
};

#endif

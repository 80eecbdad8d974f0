// SPDX-License-Identifier: Apache-2.0
// The optional switches of Vulkan used by this program: the structure of each, and the feature that it gives.
#include "internal.h"

#include <stddef.h>
#include <string.h>

#define LINK(member, type, extension, core)                                                                            \
    {                                                                                                                  \
        offsetof(struct feature_chain, member), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_##type,                              \
            VK_##extension##_EXTENSION_NAME, core                                                                      \
    }

// A structure of the chain, its extension, and the version that took it into core.
static const struct link {
    size_t offset;
    VkStructureType type;
    const char *extension;
    uint32_t core;
} links[] = {
    LINK(storage16, 16BIT_STORAGE_FEATURES, KHR_16BIT_STORAGE, VK_API_VERSION_1_1),
    LINK(storage8, 8BIT_STORAGE_FEATURES, KHR_8BIT_STORAGE, VK_API_VERSION_1_2),
    LINK(float16_int8, SHADER_FLOAT16_INT8_FEATURES, KHR_SHADER_FLOAT16_INT8, VK_API_VERSION_1_2),
    LINK(subgroup_size, SUBGROUP_SIZE_CONTROL_FEATURES, EXT_SUBGROUP_SIZE_CONTROL, VK_API_VERSION_1_3),
    LINK(subgroup_types, SHADER_SUBGROUP_EXTENDED_TYPES_FEATURES, KHR_SHADER_SUBGROUP_EXTENDED_TYPES,
        VK_API_VERSION_1_2),
    LINK(atomic_float, SHADER_ATOMIC_FLOAT_FEATURES_EXT, EXT_SHADER_ATOMIC_FLOAT, 0),
    LINK(cooperative_nv, COOPERATIVE_MATRIX_FEATURES_NV, NV_COOPERATIVE_MATRIX, 0),
    {offsetof(struct feature_chain, cooperative_khr), KHR_COOPERATIVE_MATRIX_FEATURES, KHR_COOPERATIVE_MATRIX_NAME, 0},
    {offsetof(struct feature_chain, cooperative_2), NV_COOPERATIVE_MATRIX_2_FEATURES, NV_COOPERATIVE_MATRIX_2_NAME, 0},
    {offsetof(struct feature_chain, bfloat16), KHR_SHADER_BFLOAT16_FEATURES, KHR_SHADER_BFLOAT16_NAME, 0},
    {offsetof(struct feature_chain, float8), EXT_SHADER_FLOAT8_FEATURES, EXT_SHADER_FLOAT8_NAME, 0},
    LINK(integer_dot, SHADER_INTEGER_DOT_PRODUCT_FEATURES, KHR_SHADER_INTEGER_DOT_PRODUCT, VK_API_VERSION_1_3),
    LINK(buffer_address, BUFFER_DEVICE_ADDRESS_FEATURES, KHR_BUFFER_DEVICE_ADDRESS, VK_API_VERSION_1_2),
    LINK(maintenance4, MAINTENANCE_4_FEATURES, KHR_MAINTENANCE_4, VK_API_VERSION_1_3),
    LINK(executables, PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, KHR_PIPELINE_EXECUTABLE_PROPERTIES, 0),
    LINK(clock, SHADER_CLOCK_FEATURES_KHR, KHR_SHADER_CLOCK, 0),
    LINK(memory_model, VULKAN_MEMORY_MODEL_FEATURES, KHR_VULKAN_MEMORY_MODEL, VK_API_VERSION_1_2),
    LINK(zero_shared, ZERO_INITIALIZE_WORKGROUP_MEMORY_FEATURES, KHR_ZERO_INITIALIZE_WORKGROUP_MEMORY,
        VK_API_VERSION_1_3),
};
enum { LINKS = sizeof links / sizeof *links };

// Extensions without a feature structure, enabled if the device has them.
static const struct {
    const char *name;
    uint32_t core; // part of core since this version, and then not enabled by name
} plain_extensions[] = {
    {VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME, VK_API_VERSION_1_2},
    {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, 0},
    {VK_EXT_PIPELINE_CREATION_FEEDBACK_EXTENSION_NAME, VK_API_VERSION_1_3},
};
enum { PLAIN_EXTENSIONS = sizeof plain_extensions / sizeof *plain_extensions };
_Static_assert((int)LINKS + (int)PLAIN_EXTENSIONS <= (int)FEATURE_EXTENSIONS, "room for every extension's name");

#define SWITCH(feature, member)                                                                                        \
    { feature, offsetof(struct feature_chain, member) }
enum { NO_NAME = -1 }; // enabled for other features: no kernel requires it by name

// A feature is present if any of its switches is.
static const struct {
    int feature;
    size_t offset;
} switches[] = {
    SWITCH(FEATURE_STORAGE16, storage16.storageBuffer16BitAccess), SWITCH(FEATURE_FLOAT16, float16_int8.shaderFloat16),
    SWITCH(FEATURE_STORAGE8, storage8.storageBuffer8BitAccess), SWITCH(FEATURE_INT8, float16_int8.shaderInt8),
    SWITCH(FEATURE_INT16, core.features.shaderInt16), SWITCH(FEATURE_INT64, core.features.shaderInt64),
    SWITCH(FEATURE_FLOAT64, core.features.shaderFloat64),
    SWITCH(FEATURE_SUBGROUP_SIZE, subgroup_size.subgroupSizeControl),
    SWITCH(FEATURE_ATOMIC_FLOAT_ADD, atomic_float.shaderBufferFloat32AtomicAdd),
    SWITCH(FEATURE_COOPERATIVE_MATRIX_NV, cooperative_nv.cooperativeMatrix),
    SWITCH(FEATURE_COOPERATIVE_MATRIX_KHR, cooperative_khr.cooperativeMatrix),
    SWITCH(FEATURE_MATRIX2_WORKGROUP, cooperative_2.workgroupScope),
    SWITCH(FEATURE_MATRIX2_FLEXIBLE, cooperative_2.flexibleDimensions),
    SWITCH(FEATURE_MATRIX2_REDUCTIONS, cooperative_2.reductions),
    SWITCH(FEATURE_MATRIX2_CONVERSIONS, cooperative_2.conversions),
    SWITCH(FEATURE_MATRIX2_PER_ELEMENT, cooperative_2.perElementOperations),
    SWITCH(FEATURE_MATRIX2_TENSOR, cooperative_2.tensorAddressing),
    SWITCH(FEATURE_MATRIX2_BLOCK_LOADS, cooperative_2.blockLoads), SWITCH(FEATURE_BFLOAT16, bfloat16.type),
    SWITCH(FEATURE_BFLOAT16_DOT, bfloat16.dotProduct), SWITCH(FEATURE_BFLOAT16_MATRIX, bfloat16.cooperativeMatrix),
    SWITCH(FEATURE_FLOAT8, float8.type), SWITCH(FEATURE_FLOAT8_MATRIX, float8.cooperativeMatrix),
    SWITCH(FEATURE_INTEGER_DOT, integer_dot.shaderIntegerDotProduct),
    SWITCH(FEATURE_PIPELINE_STATISTICS, executables.pipelineExecutableInfo),
    SWITCH(FEATURE_BUFFER_ADDRESS, buffer_address.bufferDeviceAddress),
    SWITCH(FEATURE_SHADER_CLOCK, clock.shaderSubgroupClock),
    SWITCH(FEATURE_ZERO_SHARED, zero_shared.shaderZeroInitializeWorkgroupMemory),
    SWITCH(NO_NAME,
        subgroup_types.shaderSubgroupExtendedTypes), // subgroup arithmetic on 16-bit floats
    SWITCH(NO_NAME, memory_model.vulkanMemoryModel), // cooperative matrices are written against this model
    SWITCH(NO_NAME, memory_model.vulkanMemoryModelDeviceScope), SWITCH(NO_NAME, subgroup_size.computeFullSubgroups),
    SWITCH(NO_NAME, maintenance4.maintenance4), // SPIR-V 1.6 sizes workgroups by LocalSizeId
};
enum { SWITCHES = sizeof switches / sizeof *switches };

static VkBool32 *switch_in(struct feature_chain *chain, size_t offset) {
    return (VkBool32 *)((char *)chain + offset);
}

static void chain_link(const struct extensions *extensions, struct feature_chain *chain) {
    memset(chain, 0, sizeof *chain);
    chain->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    VkBaseOutStructure *last = (VkBaseOutStructure *)&chain->core;
    for (int i = 0; i < LINKS; i++) {
        if (!extensions_offer(extensions, links[i].extension, links[i].core)) continue;
        VkBaseOutStructure *next = (VkBaseOutStructure *)((char *)chain + links[i].offset);
        next->sType = links[i].type;
        last->pNext = next;
        last = next;
    }
}

void features_read(VkPhysicalDevice physical, const struct extensions *extensions, struct feature_chain *out) {
    struct feature_chain all;
    chain_link(extensions, &all);
    vkGetPhysicalDeviceFeatures2(physical, &all.core);
    chain_link(extensions, out);
    for (int i = 0; i < SWITCHES; i++) *switch_in(out, switches[i].offset) = *switch_in(&all, switches[i].offset);
}

void features_name(const struct feature_chain *chain, bool features[FEATURE_COUNT]) {
    for (int i = 0; i < SWITCHES; i++)
        if (switches[i].feature != NO_NAME && *(const VkBool32 *)((const char *)chain + switches[i].offset))
            features[switches[i].feature] = true;
}

uint32_t features_extensions(const struct extensions *extensions, const char *names[FEATURE_EXTENSIONS]) {
    uint32_t count = 0;
    for (int i = 0; i < LINKS; i++)
        if (!(links[i].core && extensions->api_version >= links[i].core) &&
            extensions_named(extensions, links[i].extension))
            names[count++] = links[i].extension;
    for (int i = 0; i < PLAIN_EXTENSIONS; i++)
        if (!(plain_extensions[i].core && extensions->api_version >= plain_extensions[i].core) &&
            extensions_named(extensions, plain_extensions[i].name))
            names[count++] = plain_extensions[i].name;
    return count;
}

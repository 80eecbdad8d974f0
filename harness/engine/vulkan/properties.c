// SPDX-License-Identifier: Apache-2.0
// Reads identity and limits of a physical device as plain data.
#include "../../device/host_link.h"
#include "internal.h"

#include <stdio.h>
#include <string.h>

struct property_chain {
    VkPhysicalDeviceProperties2 core;
    VkPhysicalDeviceIDProperties id;
    VkPhysicalDeviceSubgroupProperties subgroup;
    VkPhysicalDeviceMaintenance3Properties maintenance3;
    VkPhysicalDeviceDriverProperties driver;
    VkPhysicalDeviceFloatControlsProperties controls;
    VkPhysicalDeviceSubgroupSizeControlProperties subgroup_size;
    VkPhysicalDevicePCIBusInfoPropertiesEXT pci;
    nv_cooperative_matrix_2_properties matrix2;
};

static void chain_add(struct property_chain *chain, void *structure, VkStructureType type) {
    VkBaseOutStructure *next = structure;
    next->sType = type;
    next->pNext = chain->core.pNext;
    chain->core.pNext = next;
}

static void chain_read(VkPhysicalDevice physical, const struct extensions *extensions, struct property_chain *chain) {
    memset(chain, 0, sizeof *chain);
    chain->core.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    chain_add(chain, &chain->id, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES);
    chain_add(chain, &chain->subgroup, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
    chain_add(chain, &chain->maintenance3, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES);
    if (extensions_offer(extensions, VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME, VK_API_VERSION_1_2))
        chain_add(chain, &chain->driver, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES);
    if (extensions_offer(extensions, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME, VK_API_VERSION_1_2))
        chain_add(chain, &chain->controls, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES);
    if (extensions_offer(extensions, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, VK_API_VERSION_1_3))
        chain_add(chain, &chain->subgroup_size, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);
    if (extensions_named(extensions, VK_EXT_PCI_BUS_INFO_EXTENSION_NAME))
        chain_add(chain, &chain->pci, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT);
    if (extensions_named(extensions, NV_COOPERATIVE_MATRIX_2_NAME))
        chain_add(chain, &chain->matrix2, NV_COOPERATIVE_MATRIX_2_PROPERTIES);
    vkGetPhysicalDeviceProperties2(physical, &chain->core);
}

static void hexadecimal(const uint8_t *bytes, char out[33]) {
    for (size_t i = 0; i < VK_UUID_SIZE; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

static enum device_kind kind_of(VkPhysicalDeviceType type) {
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
        return DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
        return DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
        return DEVICE_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
        return DEVICE_CPU;
    default:
        return DEVICE_OTHER;
    }
}

static void identity(const struct property_chain *chain, struct device_info *info) {
    const VkPhysicalDeviceProperties *core = &chain->core.properties;
    snprintf(info->name, sizeof info->name, "%s", core->deviceName);
    info->kind = kind_of(core->deviceType);
    info->vendor_id = core->vendorID;
    info->device_id = core->deviceID;
    info->api_version = core->apiVersion;
    info->driver_version = core->driverVersion;
    snprintf(info->driver_name, sizeof info->driver_name, "%s", chain->driver.driverName);
    snprintf(info->driver_info, sizeof info->driver_info, "%s", chain->driver.driverInfo);
    hexadecimal(chain->id.deviceUUID, info->device_uuid);
    hexadecimal(chain->id.driverUUID, info->driver_uuid);
    if (chain->pci.sType)
        snprintf(info->pci, sizeof info->pci, "%04x:%02x:%02x.%x", chain->pci.pciDomain & 0xffff,
            chain->pci.pciBus & 0xff, chain->pci.pciDevice & 0xff, chain->pci.pciFunction & 0xf);
    info->link = host_link_read(HOST_LINK_FOLDER, info->pci);
}

// Vulkan's numbers may be too wide for a form; they saturate.
#define READ_U32(NAME, VULKAN) info->NAME = (uint64_t)(VULKAN) < UINT32_MAX ? (uint32_t)(VULKAN) : UINT32_MAX;
#define READ_U32_3(NAME, VULKAN) memcpy(info->NAME, VULKAN, sizeof info->NAME);
#define READ_U64(NAME, VULKAN) info->NAME = (uint64_t)(VULKAN) < INT64_MAX ? (VULKAN) : INT64_MAX;
#define READ(FORM, SENSE, NAME, VULKAN, ...) READ_##FORM(NAME, VULKAN)

static void limits(const struct property_chain *chain, struct device_info *info) {
    const VkPhysicalDeviceLimits *core = &chain->core.properties.limits;
    DEVICE_LIMITS(READ)
    info->timestamp_period_ns = (double)core->timestampPeriod;
}

static void subgroups(const struct property_chain *chain, struct device_info *info) {
    const VkPhysicalDeviceSubgroupProperties *subgroup = &chain->subgroup;
    const VkPhysicalDeviceSubgroupSizeControlProperties *control = &chain->subgroup_size;
    bool compute = subgroup->supportedStages & VK_SHADER_STAGE_COMPUTE_BIT;
    VkSubgroupFeatureFlags can = compute ? subgroup->supportedOperations : 0;
    VkSubgroupFeatureFlags arithmetic = VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT;
    VkSubgroupFeatureFlags shuffle = VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    info->features[FEATURE_SUBGROUP_BASIC] = can & VK_SUBGROUP_FEATURE_BASIC_BIT;
    info->features[FEATURE_SUBGROUP_ARITHMETIC] = (can & arithmetic) == arithmetic;
    info->features[FEATURE_SUBGROUP_SHUFFLE] = (can & shuffle) == shuffle;
    if (control->requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT && info->features[FEATURE_SUBGROUP_SIZE]) {
        info->min_subgroup_size = control->minSubgroupSize;
        info->max_subgroup_size = control->maxSubgroupSize;
        info->max_subgroups = control->maxComputeWorkgroupSubgroups;
    } else {
        info->features[FEATURE_SUBGROUP_SIZE] = false;
        if (control->maxSubgroupSize > control->minSubgroupSize) { // the size varies and cannot be required
            info->min_subgroup_size = control->minSubgroupSize;
            info->max_subgroup_size = control->maxSubgroupSize;
        }
    }
}

// If the device wants one behaviour for all widths (independence NONE), a shader with both widths may declare it for
// both or for neither. A kernel includes one file of declarations for all its types. So a behaviour available for
// only one width is not used at all.
static void agree(VkShaderFloatControlsIndependence independence, bool both_widths, bool *f32, bool *f16) {
    if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE && both_widths && *f32 != *f16) *f32 = *f16 = false;
}

static void float_controls(const struct property_chain *chain, struct device_info *info) {
    const VkPhysicalDeviceFloatControlsProperties *has = &chain->controls;
    bool *features = info->features, both = features[FEATURE_FLOAT16];
    features[FEATURE_RTE_F32] = has->shaderRoundingModeRTEFloat32;
    features[FEATURE_RTE_F16] = both && has->shaderRoundingModeRTEFloat16;
    features[FEATURE_SPECIALS_F32] = has->shaderSignedZeroInfNanPreserveFloat32;
    features[FEATURE_SPECIALS_F16] = both && has->shaderSignedZeroInfNanPreserveFloat16;
    features[FEATURE_DENORMS_F32] = has->shaderDenormPreserveFloat32;
    features[FEATURE_DENORMS_F16] = both && has->shaderDenormPreserveFloat16;
    agree(has->roundingModeIndependence, both, &features[FEATURE_RTE_F32], &features[FEATURE_RTE_F16]);
    agree(has->denormBehaviorIndependence, both, &features[FEATURE_DENORMS_F32], &features[FEATURE_DENORMS_F16]);
}

static void heaps(VkPhysicalDevice physical, struct device_info *info) {
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    info->heap_count = (int)memory.memoryHeapCount;
    for (uint32_t i = 0; i < memory.memoryHeapCount; i++) {
        uint64_t bytes = memory.memoryHeaps[i].size;
        info->heaps[i].bytes = bytes < INT64_MAX ? bytes : INT64_MAX;
        info->heaps[i].device_local = memory.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
    }
}
_Static_assert((int)DEVICE_HEAPS >= (int)VK_MAX_MEMORY_HEAPS, "room for every heap");

void properties_read(VkPhysicalDevice physical, const struct extensions *extensions, struct device_info *info) {
    struct property_chain chain;
    chain_read(physical, extensions, &chain);
    identity(&chain, info);
    limits(&chain, info);
    subgroups(&chain, info);
    float_controls(&chain, info);
    heaps(physical, info);
}

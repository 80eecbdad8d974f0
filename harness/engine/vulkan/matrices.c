// SPDX-License-Identifier: Apache-2.0
// Lists the cooperative matrices that a device multiplies. Three extensions list them, in structures with different
// last members.
#include "internal.h"
#include "../../shader/compile/shader.h"

// The most entries read from a driver's list.
enum { MOST_LISTED = 512 };

// Converts a VkComponentTypeKHR. False: the type has no name here, and its matrices are left out.
static bool component_of(uint32_t type, enum component *out) {
    static const struct {
        uint32_t type;
        enum component component;
    } later[] = {
        {TYPE_BFLOAT16, COMPONENT_BF16}, {TYPE_FLOAT8_E4M3, COMPONENT_E4M3}, {TYPE_FLOAT8_E5M2, COMPONENT_E5M2}};
    *out = (enum component)type;
    if (type <= COMPONENT_U64) return true;
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        if (later[i].type != type) continue;
        *out = later[i].component;
        return true;
    }
    return false;
}

// Converts a VkScopeKHR.
static bool scope_of(uint32_t scope, enum matrix_scope *out) {
    static const int scopes[] = {
        [1] = SCOPE_DEVICE + 1, SCOPE_WORKGROUP + 1, SCOPE_SUBGROUP + 1, [5] = SCOPE_QUEUE_FAMILY + 1};
    if (scope >= sizeof scopes / sizeof *scopes || !scopes[scope]) return false;
    *out = (enum matrix_scope)(scopes[scope] - 1);
    return true;
}

static void add(
    struct cooperative *list, int *count, int most, struct cooperative found, uint32_t scope, const uint32_t types[4]) {
    if (*count == most || !scope_of(scope, &found.scope) || !component_of(types[0], &found.a) ||
        !component_of(types[1], &found.b) || !component_of(types[2], &found.c) ||
        !component_of(types[3], &found.result))
        return;
    list[(*count)++] = found;
}

static VkResult list_khr(VkInstance instance, VkPhysicalDevice physical, struct device_info *info) {
    khr_list_cooperative_matrices list = (khr_list_cooperative_matrices)vkGetInstanceProcAddr(
        instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    khr_cooperative_matrix_properties items[MOST_LISTED];
    uint32_t count = MOST_LISTED;
    for (int i = 0; i < MOST_LISTED; i++)
        items[i] = (khr_cooperative_matrix_properties){.sType = KHR_COOPERATIVE_MATRIX_PROPERTIES};
    info->features[FEATURE_COOPERATIVE_MATRIX_KHR] = list != NULL;
    VkResult result = list ? list(physical, &count, items) : VK_SUCCESS;
    if (!list || result < VK_SUCCESS) return result;
    for (uint32_t i = 0; i < count; i++) {
        const khr_cooperative_matrix_properties *p = &items[i];
        add(info->cooperative, &info->cooperative_count, DEVICE_COOPERATIVE,
            (struct cooperative){.m = p->MSize, .n = p->NSize, .k = p->KSize, .saturating = p->saturatingAccumulation},
            p->scope, (uint32_t[4]){p->AType, p->BType, p->CType, p->ResultType});
    }
    return VK_SUCCESS;
}

static VkResult list_nv(VkInstance instance, VkPhysicalDevice physical, struct device_info *info) {
    PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV list =
        (PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV)vkGetInstanceProcAddr(
            instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV");
    VkCooperativeMatrixPropertiesNV items[MOST_LISTED];
    uint32_t count = MOST_LISTED;
    for (int i = 0; i < MOST_LISTED; i++)
        items[i] = (VkCooperativeMatrixPropertiesNV){.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV};
    info->features[FEATURE_COOPERATIVE_MATRIX_NV] = list != NULL;
    VkResult result = list ? list(physical, &count, items) : VK_SUCCESS;
    if (!list || result < VK_SUCCESS) return result;
    for (uint32_t i = 0; i < count; i++) {
        const VkCooperativeMatrixPropertiesNV *p = &items[i];
        add(info->cooperative, &info->cooperative_count, DEVICE_COOPERATIVE,
            (struct cooperative){.m = p->MSize, .n = p->NSize, .k = p->KSize}, p->scope,
            (uint32_t[4]){p->AType, p->BType, p->CType, p->DType});
    }
    return VK_SUCCESS;
}

static VkResult list_flexible(VkInstance instance, VkPhysicalDevice physical, struct device_info *info) {
    nv_list_flexible_dimensions list = (nv_list_flexible_dimensions)vkGetInstanceProcAddr(
        instance, "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV");
    nv_flexible_dimensions_properties items[MOST_LISTED];
    uint32_t count = MOST_LISTED;
    for (int i = 0; i < MOST_LISTED; i++)
        items[i] = (nv_flexible_dimensions_properties){.sType = NV_FLEXIBLE_DIMENSIONS_PROPERTIES};
    info->features[FEATURE_MATRIX2_FLEXIBLE] = list != NULL;
    VkResult result = list ? list(physical, &count, items) : VK_SUCCESS;
    if (!list || result < VK_SUCCESS) return result;
    for (uint32_t i = 0; i < count; i++) {
        const nv_flexible_dimensions_properties *p = &items[i];
        add(info->flexible, &info->flexible_count, DEVICE_FLEXIBLE,
            (struct cooperative){.m = p->MGranularity,
                .n = p->NGranularity,
                .k = p->KGranularity,
                .saturating = p->saturatingAccumulation,
                .invocations = p->workgroupInvocations},
            p->scope, (uint32_t[4]){p->AType, p->BType, p->CType, p->ResultType});
    }
    return VK_SUCCESS;
}

bool cooperative_read(VkInstance instance, VkPhysicalDevice physical, struct device_info *info, struct error *err) {
    const char *call = "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR";
    bool *has = info->features;
    VkResult result = VK_SUCCESS;
    if (has[FEATURE_COOPERATIVE_MATRIX_KHR]) result = list_khr(instance, physical, info);
    has[FEATURE_COOPERATIVE_MATRIX] = has[FEATURE_COOPERATIVE_MATRIX_KHR];
    if (!has[FEATURE_COOPERATIVE_MATRIX_KHR] && has[FEATURE_COOPERATIVE_MATRIX_NV]) {
        call = "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV";
        result = list_nv(instance, physical, info);
        has[FEATURE_COOPERATIVE_MATRIX] =
            has[FEATURE_COOPERATIVE_MATRIX_NV] && compile_knows("GL_NV_cooperative_matrix");
    }
    if (result >= VK_SUCCESS && has[FEATURE_MATRIX2_FLEXIBLE]) {
        call = "vkGetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV";
        result = list_flexible(instance, physical, info);
    }
    return vk_check(NULL, result, call, err);
}

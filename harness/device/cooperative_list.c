// SPDX-License-Identifier: Apache-2.0
// Which cooperative matrices a device multiplies. Two extensions list them, in structures that
// differ in their last members alone.
#include "internal.h"

#include "shader.h"

#include <string.h>

// VK_KHR_cooperative_matrix came after the headers of Vulkan 1.3.239: its structure, the number of
// its type (vk.xml) and its function's type are given here.
typedef struct {
    VkStructureType sType;
    void *pNext;
    uint32_t MSize, NSize, KSize;
    uint32_t AType, BType, CType, ResultType;
    VkBool32 saturatingAccumulation;
    uint32_t scope;
} khr_properties;
#define KHR_PROPERTIES ((VkStructureType)1000506001)
typedef VkResult(VKAPI_PTR *khr_list)(VkPhysicalDevice, uint32_t *, khr_properties *);

// Of what a driver lists, no more is looked at.
enum { MOST_LISTED = 256 };

static void add(struct device_info *info, uint32_t scope, const uint32_t sides[3], const uint32_t types[4]) {
    if (scope != VK_SCOPE_SUBGROUP_NV || info->cooperative_count == DEVICE_COOPERATIVE) return;
    for (int i = 0; i < 4; i++)
        if (types[i] >= COMPONENT_COUNT) return;
    struct cooperative found = {sides[0], sides[1], sides[2], (enum component)types[0], (enum component)types[1],
        (enum component)types[2], (enum component)types[3]};
    if (!device_multiplies(info, &found)) info->cooperative[info->cooperative_count++] = found;
}

static VkResult list_khr(khr_list list, VkPhysicalDevice physical, struct device_info *info) {
    khr_properties items[MOST_LISTED];
    uint32_t count = MOST_LISTED;
    for (int i = 0; i < MOST_LISTED; i++) items[i] = (khr_properties){.sType = KHR_PROPERTIES};
    VkResult result = list(physical, &count, items);
    if (result < VK_SUCCESS) return result;
    for (uint32_t i = 0; i < count; i++) {
        const khr_properties *p = &items[i];
        if (p->saturatingAccumulation) continue;
        add(info, p->scope, (uint32_t[3]){p->MSize, p->NSize, p->KSize},
            (uint32_t[4]){p->AType, p->BType, p->CType, p->ResultType});
    }
    return VK_SUCCESS;
}

static VkResult list_nv(
    PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV list, VkPhysicalDevice physical, struct device_info *info) {
    VkCooperativeMatrixPropertiesNV items[MOST_LISTED];
    uint32_t count = MOST_LISTED;
    for (int i = 0; i < MOST_LISTED; i++)
        items[i] = (VkCooperativeMatrixPropertiesNV){.sType = VK_STRUCTURE_TYPE_COOPERATIVE_MATRIX_PROPERTIES_NV};
    VkResult result = list(physical, &count, items);
    if (result < VK_SUCCESS) return result;
    for (uint32_t i = 0; i < count; i++) {
        const VkCooperativeMatrixPropertiesNV *p = &items[i];
        add(info, p->scope, (uint32_t[3]){p->MSize, p->NSize, p->KSize},
            (uint32_t[4]){p->AType, p->BType, p->CType, p->DType});
    }
    return VK_SUCCESS;
}

bool cooperative_read(VkInstance instance, VkPhysicalDevice physical, struct device_info *info, struct error *err) {
    VkResult result = VK_SUCCESS;
    bool *khr = &info->features[FEATURE_COOPERATIVE_MATRIX_KHR];
    bool *nv = &info->features[FEATURE_COOPERATIVE_MATRIX_NV];
    khr_list of_khr = (khr_list)vkGetInstanceProcAddr(instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR");
    PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV of_nv =
        (PFN_vkGetPhysicalDeviceCooperativeMatrixPropertiesNV)vkGetInstanceProcAddr(
            instance, "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV");
    *khr = *khr && of_khr;
    *nv = *nv && of_nv;
    const bool khr_known = *khr && compile_knows("GL_KHR_cooperative_matrix");
    const bool nv_known = *nv && compile_knows("GL_NV_cooperative_matrix");
    info->features[FEATURE_COOPERATIVE_MATRIX] = khr_known || nv_known;
    const bool by_khr = khr_known || (*khr && !nv_known);
    if (by_khr)
        result = list_khr(of_khr, physical, info);
    else if (*nv)
        result = list_nv(of_nv, physical, info);
    return vk_check(NULL, result,
        by_khr ? "vkGetPhysicalDeviceCooperativeMatrixPropertiesKHR"
               : "vkGetPhysicalDeviceCooperativeMatrixPropertiesNV",
        err);
}

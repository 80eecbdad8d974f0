// SPDX-License-Identifier: Apache-2.0
// Declarations missing from the headers of Vulkan 1.3.239 (Debian 12). They have names of our own, because newer
// headers have the originals. Values and members are those of the registry (vk.xml).
#ifndef VKASSAY_DEVICE_NEWER_VULKAN_H
#define VKASSAY_DEVICE_NEWER_VULKAN_H

#include <vulkan/vulkan.h>

// ---- VK_KHR_cooperative_matrix
#define KHR_COOPERATIVE_MATRIX_NAME "VK_KHR_cooperative_matrix"
#define KHR_COOPERATIVE_MATRIX_FEATURES ((VkStructureType)1000506000)
#define KHR_COOPERATIVE_MATRIX_PROPERTIES ((VkStructureType)1000506001)
typedef struct {
    VkStructureType sType;
    void *pNext;
    VkBool32 cooperativeMatrix, cooperativeMatrixRobustBufferAccess;
} khr_cooperative_matrix_features;
typedef struct {
    VkStructureType sType;
    void *pNext;
    uint32_t MSize, NSize, KSize;
    uint32_t AType, BType, CType, ResultType;
    VkBool32 saturatingAccumulation;
    uint32_t scope;
} khr_cooperative_matrix_properties;
typedef VkResult(VKAPI_PTR *khr_list_cooperative_matrices)(
    VkPhysicalDevice, uint32_t *, khr_cooperative_matrix_properties *);

// ---- VK_NV_cooperative_matrix2
#define NV_COOPERATIVE_MATRIX_2_NAME "VK_NV_cooperative_matrix2"
#define NV_COOPERATIVE_MATRIX_2_FEATURES ((VkStructureType)1000593000)
#define NV_FLEXIBLE_DIMENSIONS_PROPERTIES ((VkStructureType)1000593001)
#define NV_COOPERATIVE_MATRIX_2_PROPERTIES ((VkStructureType)1000593002)
typedef struct {
    VkStructureType sType;
    void *pNext;
    VkBool32 workgroupScope, flexibleDimensions, reductions, conversions, perElementOperations, tensorAddressing,
        blockLoads;
} nv_cooperative_matrix_2_features;
typedef struct {
    VkStructureType sType;
    void *pNext;
    uint32_t workgroupScopeMaxWorkgroupSize, flexibleDimensionsMaxDimension, workgroupScopeReservedSharedMemory;
} nv_cooperative_matrix_2_properties;
typedef struct {
    VkStructureType sType;
    void *pNext;
    uint32_t MGranularity, NGranularity, KGranularity;
    uint32_t AType, BType, CType, ResultType;
    VkBool32 saturatingAccumulation;
    uint32_t scope;
    uint32_t workgroupInvocations;
} nv_flexible_dimensions_properties;
typedef VkResult(VKAPI_PTR *nv_list_flexible_dimensions)(
    VkPhysicalDevice, uint32_t *, nv_flexible_dimensions_properties *);

// ---- VK_KHR_shader_bfloat16, VK_EXT_shader_float8
#define KHR_SHADER_BFLOAT16_NAME "VK_KHR_shader_bfloat16"
#define KHR_SHADER_BFLOAT16_FEATURES ((VkStructureType)1000141000)
typedef struct {
    VkStructureType sType;
    void *pNext;
    VkBool32 type, dotProduct, cooperativeMatrix;
} khr_shader_bfloat16_features;
#define EXT_SHADER_FLOAT8_NAME "VK_EXT_shader_float8"
#define EXT_SHADER_FLOAT8_FEATURES ((VkStructureType)1000567000)
typedef struct {
    VkStructureType sType;
    void *pNext;
    VkBool32 type, cooperativeMatrix;
} ext_shader_float8_features;

// Values of VkComponentTypeKHR that VK_NV_cooperative_matrix did not have.
enum { TYPE_BFLOAT16 = 1000141000, TYPE_FLOAT8_E4M3 = 1000491002, TYPE_FLOAT8_E5M2 = 1000491003 };

#endif

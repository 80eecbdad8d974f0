// SPDX-License-Identifier: Apache-2.0
// The functions of a device: replaced by the layer, or only called in the next layer or driver.
#ifndef VKASSAY_CAPTURE_CALLS_H
#define VKASSAY_CAPTURE_CALLS_H

#include <vulkan/vulkan.h>

// ---- Declarations missing from the headers of Vulkan 1.3.239, with names of our own. Values are from vk.xml.

#define CAPTURE_USAGE_FLAGS_2 ((VkStructureType)1000470006) // VK_KHR_maintenance5
typedef struct {
    VkStructureType sType;
    const void *pNext;
    VkFlags64 usage;
} capture_usage_flags_2;

// VK_KHR_maintenance6
typedef struct {
    VkStructureType sType;
    const void *pNext;
    VkShaderStageFlags stageFlags;
    VkPipelineLayout layout;
    uint32_t firstSet, descriptorSetCount;
    const VkDescriptorSet *pDescriptorSets;
    uint32_t dynamicOffsetCount;
    const uint32_t *pDynamicOffsets;
} capture_bind_sets;
typedef struct {
    VkStructureType sType;
    const void *pNext;
    VkPipelineLayout layout;
    VkShaderStageFlags stageFlags;
    uint32_t offset, size;
    const void *pValues;
} capture_push_constants;
typedef struct {
    VkStructureType sType;
    const void *pNext;
    VkShaderStageFlags stageFlags;
    VkPipelineLayout layout;
    uint32_t set, descriptorWriteCount;
    const VkWriteDescriptorSet *pDescriptorWrites;
} capture_push_set;
typedef struct {
    VkStructureType sType;
    const void *pNext;
    VkDescriptorUpdateTemplate descriptorUpdateTemplate;
    VkPipelineLayout layout;
    uint32_t set;
    const void *pData;
} capture_push_template;

typedef void(VKAPI_PTR *PFN_capture_bind_sets)(VkCommandBuffer, const capture_bind_sets *);
typedef void(VKAPI_PTR *PFN_capture_push_constants)(VkCommandBuffer, const capture_push_constants *);
typedef void(VKAPI_PTR *PFN_capture_push_set)(VkCommandBuffer, const capture_push_set *);
typedef void(VKAPI_PTR *PFN_capture_push_template)(VkCommandBuffer, const capture_push_template *);
// VK_EXT_shader_object; the last argument has handles of 64 bits.
typedef void(VKAPI_PTR *PFN_capture_bind_shaders)(
    VkCommandBuffer, uint32_t, const VkShaderStageFlagBits *, const uint64_t *);

// ---- All functions. OURS(name): replaced. ALIAS(name, of): the same function by a second name. An extension's name
// comes after that of the core: it is the next one called, if it is enabled. NEWER(name, type): replaced, declared
// above. NEXT(name): only called.
#define CAPTURE_CALLS(OURS, ALIAS, NEWER, NEXT)                                                                        \
    OURS(DestroyDevice)                                                                                                \
    OURS(CreateShaderModule)                                                                                           \
    OURS(DestroyShaderModule)                                                                                          \
    OURS(CreateComputePipelines)                                                                                       \
    OURS(DestroyPipeline)                                                                                              \
    OURS(CreatePipelineLayout)                                                                                         \
    OURS(DestroyPipelineLayout)                                                                                        \
    OURS(SetDebugUtilsObjectNameEXT)                                                                                   \
    OURS(CreateBuffer)                                                                                                 \
    OURS(DestroyBuffer)                                                                                                \
    OURS(BindBufferMemory)                                                                                             \
    OURS(BindBufferMemory2)                                                                                            \
    ALIAS(BindBufferMemory2KHR, BindBufferMemory2)                                                                     \
    OURS(GetDeviceBufferMemoryRequirements)                                                                            \
    ALIAS(GetDeviceBufferMemoryRequirementsKHR, GetDeviceBufferMemoryRequirements)                                     \
    OURS(FreeMemory)                                                                                                   \
    OURS(CreateDescriptorSetLayout)                                                                                    \
    OURS(DestroyDescriptorSetLayout)                                                                                   \
    OURS(DestroyDescriptorPool)                                                                                        \
    OURS(ResetDescriptorPool)                                                                                          \
    OURS(AllocateDescriptorSets)                                                                                       \
    OURS(FreeDescriptorSets)                                                                                           \
    OURS(UpdateDescriptorSets)                                                                                         \
    OURS(CreateDescriptorUpdateTemplate)                                                                               \
    ALIAS(CreateDescriptorUpdateTemplateKHR, CreateDescriptorUpdateTemplate)                                           \
    OURS(DestroyDescriptorUpdateTemplate)                                                                              \
    ALIAS(DestroyDescriptorUpdateTemplateKHR, DestroyDescriptorUpdateTemplate)                                         \
    OURS(UpdateDescriptorSetWithTemplate)                                                                              \
    ALIAS(UpdateDescriptorSetWithTemplateKHR, UpdateDescriptorSetWithTemplate)                                         \
    OURS(CreateCommandPool)                                                                                            \
    OURS(DestroyCommandPool)                                                                                           \
    OURS(ResetCommandPool)                                                                                             \
    OURS(AllocateCommandBuffers)                                                                                       \
    OURS(FreeCommandBuffers)                                                                                           \
    OURS(BeginCommandBuffer)                                                                                           \
    OURS(ResetCommandBuffer)                                                                                           \
    OURS(CmdBindPipeline)                                                                                              \
    OURS(CmdBindDescriptorSets)                                                                                        \
    OURS(CmdPushConstants)                                                                                             \
    OURS(CmdPushDescriptorSetKHR)                                                                                      \
    ALIAS(CmdPushDescriptorSet, CmdPushDescriptorSetKHR)                                                               \
    OURS(CmdPushDescriptorSetWithTemplateKHR)                                                                          \
    ALIAS(CmdPushDescriptorSetWithTemplate, CmdPushDescriptorSetWithTemplateKHR)                                       \
    OURS(CmdSetDescriptorBufferOffsetsEXT)                                                                             \
    OURS(CmdDispatch)                                                                                                  \
    OURS(CmdDispatchBase)                                                                                              \
    ALIAS(CmdDispatchBaseKHR, CmdDispatchBase)                                                                         \
    OURS(CmdDispatchIndirect)                                                                                          \
    OURS(CmdExecuteCommands)                                                                                           \
    OURS(QueueSubmit)                                                                                                  \
    OURS(QueueSubmit2)                                                                                                 \
    ALIAS(QueueSubmit2KHR, QueueSubmit2)                                                                               \
    NEWER(CmdBindDescriptorSets2, PFN_capture_bind_sets)                                                               \
    ALIAS(CmdBindDescriptorSets2KHR, CmdBindDescriptorSets2)                                                           \
    NEWER(CmdPushConstants2, PFN_capture_push_constants)                                                               \
    ALIAS(CmdPushConstants2KHR, CmdPushConstants2)                                                                     \
    NEWER(CmdPushDescriptorSet2, PFN_capture_push_set)                                                                 \
    ALIAS(CmdPushDescriptorSet2KHR, CmdPushDescriptorSet2)                                                             \
    NEWER(CmdPushDescriptorSetWithTemplate2, PFN_capture_push_template)                                                \
    ALIAS(CmdPushDescriptorSetWithTemplate2KHR, CmdPushDescriptorSetWithTemplate2)                                     \
    NEWER(CmdBindShadersEXT, PFN_capture_bind_shaders)                                                                 \
    NEXT(AllocateMemory)                                                                                               \
    NEXT(MapMemory)                                                                                                    \
    NEXT(InvalidateMappedMemoryRanges)                                                                                 \
    NEXT(GetBufferMemoryRequirements)                                                                                  \
    NEXT(CreateFence)                                                                                                  \
    NEXT(DestroyFence)                                                                                                 \
    NEXT(ResetFences)                                                                                                  \
    NEXT(WaitForFences)                                                                                                \
    NEXT(CreateQueryPool)                                                                                              \
    NEXT(DestroyQueryPool)                                                                                             \
    NEXT(GetQueryPoolResults)                                                                                          \
    NEXT(CmdResetQueryPool)                                                                                            \
    NEXT(CmdWriteTimestamp)                                                                                            \
    NEXT(CmdCopyBuffer)                                                                                                \
    NEXT(CmdPipelineBarrier)

#define CAPTURE_NONE(...)
#define CAPTURE_MEMBER(name) PFN_vk##name name;
#define CAPTURE_NEWER_MEMBER(name, type) type name;
struct vk_calls {
    CAPTURE_CALLS(CAPTURE_MEMBER, CAPTURE_NONE, CAPTURE_NEWER_MEMBER, CAPTURE_MEMBER)
};

#define CAPTURE_DECLARE(name) __typeof__(vk##name) capture_##name;
#define CAPTURE_DECLARE_NEWER(name, type) __typeof__(*(type)0) capture_##name;
CAPTURE_CALLS(CAPTURE_DECLARE, CAPTURE_NONE, CAPTURE_DECLARE_NEWER, CAPTURE_NONE)

#endif

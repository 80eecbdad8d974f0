// SPDX-License-Identifier: Apache-2.0
#include "commands.h"
#include "descriptors.h"
#include "shaders.h"

#include <stdlib.h>
#include <string.h>

struct vk_commands *commands_of(struct vk_device *device, VkCommandBuffer handle) {
    return map_get(&device->commands, key_of(handle));
}

// ---- lives of command buffers

static void unbind(struct bound_set *bound) {
    pushed_set_release(bound->pushed);
    free(bound->dynamic);
    *bound = (struct bound_set){0};
}

static void reset(struct vk_commands *commands) {
    for (int i = 0; i < CAPTURE_SETS; i++) unbind(&commands->sets[i]);
    pipeline_release(commands->pipeline);
    recording_release(commands->recording);
    commands->pipeline = NULL;
    commands->recording = NULL;
    commands->shader_object = false;
    memset(commands->push, 0, sizeof commands->push);
}

static void release(void *value) {
    if (value) reset(value);
    free(value);
}

// The lists of command buffers and pools of a device.
static struct pooling commands_in(struct vk_device *device) {
    return (struct pooling){&device->command_pools, &device->commands, release};
}

static void remember(struct vk_device *device, VkCommandPool pool_handle, VkCommandBuffer handle) {
    const struct vk_pool *pool = pool_of(&device->command_pools, key_of(pool_handle));
    struct vk_commands *commands = calloc(1, sizeof *commands);
    if (!commands) {
        pool_drop(commands_in(device), key_of(handle)); // an earlier one with this handle is gone
        return;
    }
    commands->device = device;
    commands->family = pool ? pool->family : 0;
    pool_put(commands_in(device), key_of(pool_handle), key_of(handle), &commands->pooled);
}

VKAPI_ATTR VkResult VKAPI_CALL capture_CreateCommandPool(
    VkDevice handle, const VkCommandPoolCreateInfo *info, const VkAllocationCallbacks *a, VkCommandPool *out) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.CreateCommandPool(handle, info, a, out);
    if (result != VK_SUCCESS) return result;
    state_lock();
    struct vk_pool *pool = pool_of(&device->command_pools, key_of(*out));
    if (pool) pool->family = info->queueFamilyIndex;
    state_unlock();
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_AllocateCommandBuffers(
    VkDevice handle, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *out) {
    struct vk_device *device = device_of(handle);
    const VkResult result = device->call.AllocateCommandBuffers(handle, info, out);
    if (result != VK_SUCCESS) return result;
    state_lock();
    for (uint32_t i = 0; i < info->commandBufferCount; i++) remember(device, info->commandPool, out[i]);
    state_unlock();
    return result;
}

VKAPI_ATTR void VKAPI_CALL capture_FreeCommandBuffers(
    VkDevice handle, VkCommandPool pool, uint32_t count, const VkCommandBuffer *buffers) {
    struct vk_device *device = device_of(handle);
    state_lock();
    for (uint32_t i = 0; i < count; i++)
        if (buffers[i]) pool_drop(commands_in(device), key_of(buffers[i]));
    state_unlock();
    device->call.FreeCommandBuffers(handle, pool, count, buffers);
}

VKAPI_ATTR VkResult VKAPI_CALL capture_ResetCommandPool(
    VkDevice handle, VkCommandPool pool_handle, VkCommandPoolResetFlags flags) {
    struct vk_device *device = device_of(handle);
    state_lock();
    const struct vk_pool *pool = map_get(&device->command_pools, key_of(pool_handle));
    for (size_t i = 0; pool && i < pool->count; i++) {
        struct vk_commands *commands = map_get(&device->commands, pool->members[i]);
        if (commands) reset(commands);
    }
    state_unlock();
    return device->call.ResetCommandPool(handle, pool_handle, flags);
}

VKAPI_ATTR void VKAPI_CALL capture_DestroyCommandPool(
    VkDevice handle, VkCommandPool pool, const VkAllocationCallbacks *a) {
    struct vk_device *device = device_of(handle);
    state_lock();
    pool_destroy(commands_in(device), key_of(pool));
    state_unlock();
    device->call.DestroyCommandPool(handle, pool, a);
}

VKAPI_ATTR VkResult VKAPI_CALL capture_BeginCommandBuffer(
    VkCommandBuffer handle, const VkCommandBufferBeginInfo *info) {
    struct vk_device *device = device_of(handle);
    state_lock();
    struct vk_commands *commands = commands_of(device, handle);
    if (commands) {
        reset(commands);
        commands->recording =
            recording_make(device, commands->family, info->flags & VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    }
    state_unlock();
    return device->call.BeginCommandBuffer(handle, info);
}

VKAPI_ATTR VkResult VKAPI_CALL capture_ResetCommandBuffer(VkCommandBuffer handle, VkCommandBufferResetFlags flags) {
    struct vk_device *device = device_of(handle);
    state_lock();
    struct vk_commands *commands = commands_of(device, handle);
    if (commands) reset(commands);
    state_unlock();
    return device->call.ResetCommandBuffer(handle, flags);
}

void commands_clear(struct vk_device *device) {
    map_clear(&device->command_pools, pool_release);
    map_clear(&device->commands, release);
}

// ---- pipelines and constants

VKAPI_ATTR void VKAPI_CALL capture_CmdBindPipeline(
    VkCommandBuffer handle, VkPipelineBindPoint point, VkPipeline pipeline) {
    struct vk_device *device = device_of(handle);
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE) {
        state_lock();
        struct vk_commands *commands = commands_of(device, handle);
        if (commands) {
            pipeline_release(commands->pipeline);
            commands->pipeline = map_get(&device->pipelines, key_of(pipeline));
            if (commands->pipeline) pipeline_keep(commands->pipeline);
            commands->shader_object = false;
        }
        state_unlock();
    }
    device->call.CmdBindPipeline(handle, point, pipeline);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdBindShadersEXT(
    VkCommandBuffer handle, uint32_t count, const VkShaderStageFlagBits *stages, const uint64_t *shaders) {
    struct vk_device *device = device_of(handle);
    state_lock();
    struct vk_commands *commands = commands_of(device, handle);
    for (uint32_t i = 0; commands && i < count; i++)
        if (stages[i] == VK_SHADER_STAGE_COMPUTE_BIT) commands->shader_object = true;
    state_unlock();
    device->call.CmdBindShadersEXT(handle, count, stages, shaders);
}

static void push_constants(struct vk_device *device, VkCommandBuffer handle, VkShaderStageFlags stages, uint32_t offset,
    uint32_t size, const void *values) {
    if (!(stages & VK_SHADER_STAGE_COMPUTE_BIT) || offset > CAPTURE_PUSH_BYTES || size > CAPTURE_PUSH_BYTES - offset)
        return;
    state_lock();
    struct vk_commands *commands = commands_of(device, handle);
    if (commands) memcpy(commands->push + offset, values, size);
    state_unlock();
}

VKAPI_ATTR void VKAPI_CALL capture_CmdPushConstants(VkCommandBuffer handle, VkPipelineLayout layout,
    VkShaderStageFlags stages, uint32_t offset, uint32_t size, const void *values) {
    struct vk_device *device = device_of(handle);
    push_constants(device, handle, stages, offset, size, values);
    device->call.CmdPushConstants(handle, layout, stages, offset, size, values);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdPushConstants2(VkCommandBuffer handle, const capture_push_constants *info) {
    struct vk_device *device = device_of(handle);
    push_constants(device, handle, info->stageFlags, info->offset, info->size, info->pValues);
    device->call.CmdPushConstants2(handle, info);
}

// ---- sets

struct vk_set *bound_set(const struct vk_commands *commands, uint32_t number) {
    const struct bound_set *bound = number < CAPTURE_SETS ? &commands->sets[number] : NULL;
    if (!bound || bound->pushed) return bound ? bound->pushed : NULL;
    return bound->handle ? map_get(&commands->device->sets, key_of(bound->handle)) : NULL;
}

// Binds sets. Each takes as many of the dynamic offsets as its layout has dynamic descriptors.
static void bind_sets(struct vk_device *device, VkCommandBuffer handle, uint32_t first, uint32_t count,
    const VkDescriptorSet *sets, uint32_t offset_count, const uint32_t *offsets) {
    state_lock();
    struct vk_commands *commands = commands_of(device, handle);
    for (uint32_t i = 0; commands && i < count && first + i < CAPTURE_SETS; i++) {
        struct bound_set *bound = &commands->sets[first + i];
        const struct vk_set *set = sets[i] ? map_get(&device->sets, key_of(sets[i])) : NULL;
        uint32_t taken = set ? set->layout->dynamic_total : 0;
        if (taken > offset_count) taken = offset_count;
        unbind(bound);
        bound->handle = sets[i];
        if (taken) bound->dynamic = malloc(taken * sizeof *offsets);
        if (bound->dynamic) {
            memcpy(bound->dynamic, offsets, taken * sizeof *offsets);
            bound->dynamic_count = taken;
        }
        if (taken) offsets += taken;
        offset_count -= taken;
    }
    state_unlock();
}

VKAPI_ATTR void VKAPI_CALL capture_CmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point,
    VkPipelineLayout layout, uint32_t first, uint32_t count, const VkDescriptorSet *sets, uint32_t offset_count,
    const uint32_t *offsets) {
    struct vk_device *device = device_of(handle);
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE) bind_sets(device, handle, first, count, sets, offset_count, offsets);
    device->call.CmdBindDescriptorSets(handle, point, layout, first, count, sets, offset_count, offsets);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdBindDescriptorSets2(VkCommandBuffer handle, const capture_bind_sets *info) {
    struct vk_device *device = device_of(handle);
    if (info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT)
        bind_sets(device, handle, info->firstSet, info->descriptorSetCount, info->pDescriptorSets,
            info->dynamicOffsetCount, info->pDynamicOffsets);
    device->call.CmdBindDescriptorSets2(handle, info);
}

// Returns the set for pushed descriptors at a number. It keeps its content as long as the layout is the same.
static struct vk_set *pushed_set(
    struct vk_device *device, VkCommandBuffer handle, VkPipelineLayout layout_handle, uint32_t number) {
    struct vk_commands *commands = commands_of(device, handle);
    const struct vk_layout *layout = map_get(&device->layouts, key_of(layout_handle));
    struct vk_set_layout *wanted = layout && number < CAPTURE_SETS ? layout->sets[number] : NULL;
    if (!commands || number >= CAPTURE_SETS) return NULL;
    struct bound_set *bound = &commands->sets[number];
    if (!wanted || !bound->pushed || bound->pushed->layout != wanted) {
        unbind(bound);
        bound->pushed = wanted ? pushed_set_make(wanted) : NULL;
    }
    return bound->pushed;
}

static void push_set(struct vk_device *device, VkCommandBuffer handle, VkPipelineLayout layout, uint32_t number,
    uint32_t count, const VkWriteDescriptorSet *writes) {
    state_lock();
    struct vk_set *set = pushed_set(device, handle, layout, number);
    for (uint32_t i = 0; set && i < count; i++) set_write(set, &writes[i]);
    state_unlock();
}

VKAPI_ATTR void VKAPI_CALL capture_CmdPushDescriptorSetKHR(VkCommandBuffer handle, VkPipelineBindPoint point,
    VkPipelineLayout layout, uint32_t number, uint32_t count, const VkWriteDescriptorSet *writes) {
    struct vk_device *device = device_of(handle);
    if (point == VK_PIPELINE_BIND_POINT_COMPUTE) push_set(device, handle, layout, number, count, writes);
    device->call.CmdPushDescriptorSetKHR(handle, point, layout, number, count, writes);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdPushDescriptorSet2(VkCommandBuffer handle, const capture_push_set *info) {
    struct vk_device *device = device_of(handle);
    if (info->stageFlags & VK_SHADER_STAGE_COMPUTE_BIT)
        push_set(device, handle, info->layout, info->set, info->descriptorWriteCount, info->pDescriptorWrites);
    device->call.CmdPushDescriptorSet2(handle, info);
}

// A template for pushed descriptors of graphics changes nothing here: its layout has no such set for compute.
static void push_template(struct vk_device *device, VkCommandBuffer handle, VkDescriptorUpdateTemplate update,
    VkPipelineLayout layout, uint32_t number, const void *data) {
    state_lock();
    struct vk_set *set = pushed_set(device, handle, layout, number);
    if (set) set_write_template(device, set, update, data);
    state_unlock();
}

VKAPI_ATTR void VKAPI_CALL capture_CmdPushDescriptorSetWithTemplateKHR(VkCommandBuffer handle,
    VkDescriptorUpdateTemplate update, VkPipelineLayout layout, uint32_t number, const void *data) {
    struct vk_device *device = device_of(handle);
    push_template(device, handle, update, layout, number, data);
    device->call.CmdPushDescriptorSetWithTemplateKHR(handle, update, layout, number, data);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdPushDescriptorSetWithTemplate2(
    VkCommandBuffer handle, const capture_push_template *info) {
    struct vk_device *device = device_of(handle);
    push_template(device, handle, info->descriptorUpdateTemplate, info->layout, info->set, info->pData);
    device->call.CmdPushDescriptorSetWithTemplate2(handle, info);
}

VKAPI_ATTR void VKAPI_CALL capture_CmdSetDescriptorBufferOffsetsEXT(VkCommandBuffer handle, VkPipelineBindPoint point,
    VkPipelineLayout layout, uint32_t first, uint32_t count, const uint32_t *indices, const VkDeviceSize *offsets) {
    struct vk_device *device = device_of(handle);
    state_lock();
    struct vk_commands *commands = point == VK_PIPELINE_BIND_POINT_COMPUTE ? commands_of(device, handle) : NULL;
    for (uint32_t i = 0; commands && i < count && first + i < CAPTURE_SETS; i++) {
        unbind(&commands->sets[first + i]);
        commands->sets[first + i].in_buffer = true;
    }
    state_unlock();
    device->call.CmdSetDescriptorBufferOffsetsEXT(handle, point, layout, first, count, indices, offsets);
}

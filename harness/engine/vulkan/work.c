// SPDX-License-Identifier: Apache-2.0
// Records work: commands, descriptor sets, barriers and timestamps.
#include "internal.h"
#include "../../base/memory.h"

#include <stdlib.h>
#include <string.h>

// ---- descriptor sets

enum { SETS_A_POOL = 64 };

static bool add_pool(struct gpu *gpu, struct descriptors *descriptors, struct error *err) {
    descriptors->pools = memory_resize(descriptors->pools, descriptors->count + 1, sizeof(VkDescriptorPool));
    const VkDescriptorPoolSize sizes[] = {
        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, SETS_A_POOL * PROGRAM_BINDINGS},
        {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, SETS_A_POOL},
    };
    VkDescriptorPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
        .maxSets = SETS_A_POOL,
        .poolSizeCount = sizeof sizes / sizeof *sizes,
        .pPoolSizes = sizes,
    };
    VkResult result = vkCreateDescriptorPool(gpu->device, &info, NULL, &descriptors->pools[descriptors->count]);
    if (!vk_check(gpu, result, "vkCreateDescriptorPool", err)) return false;
    descriptors->count++;
    return true;
}

// Counts the sets itself, because drivers differ in their response to a full pool, and some allocate more.
static bool descriptors_allocate(struct gpu *gpu, struct descriptors *descriptors, VkDescriptorSetLayout layout,
    VkDescriptorSet *out, struct error *err) {
    size_t pool = descriptors->used / SETS_A_POOL;
    if (pool == descriptors->count && !add_pool(gpu, descriptors, err)) return false;
    VkDescriptorSetAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
        .descriptorPool = descriptors->pools[pool],
        .descriptorSetCount = 1,
        .pSetLayouts = &layout,
    };
    if (!vk_check(gpu, vkAllocateDescriptorSets(gpu->device, &info, out), "vkAllocateDescriptorSets", err))
        return false;
    descriptors->used++;
    return true;
}

static bool make_objects(struct gpu *gpu, struct work *work, struct error *err) {
    VkCommandPoolCreateInfo pool_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = work->family,
    };
    VkResult result = vkCreateCommandPool(gpu->device, &pool_info, NULL, &work->pool);
    if (!vk_check(gpu, result, "vkCreateCommandPool", err)) return false;
    VkCommandBufferAllocateInfo commands_info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = work->pool,
        .commandBufferCount = 1,
    };
    result = vkAllocateCommandBuffers(gpu->device, &commands_info, &work->commands);
    if (!vk_check(gpu, result, "vkAllocateCommandBuffers", err)) return false;
    VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result = vkCreateFence(gpu->device, &fence_info, NULL, &work->fence);
    if (!vk_check(gpu, result, "vkCreateFence", err)) return false;
    if (work->timestamps == 0 || gpu->info.timestamp_bits == 0) return true;
    VkQueryPoolCreateInfo query_info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = (uint32_t)work->timestamps,
    };
    result = vkCreateQueryPool(gpu->device, &query_info, NULL, &work->queries);
    return vk_check(gpu, result, "vkCreateQueryPool", err);
}

static struct work *create(struct gpu *gpu, const struct work *kind, int timestamps, struct error *err) {
    struct work *work = memory_alloc(1, sizeof *work);
    *work = *kind;
    work->timestamps = timestamps > 0 ? timestamps : 0;
    work->ticks = memory_alloc((size_t)work->timestamps, sizeof *work->ticks);
    if (make_objects(gpu, work, err)) return work;
    work_destroy(gpu, work);
    return NULL;
}

struct work *work_create(struct gpu *gpu, int timestamps, struct error *err) {
    const struct work kind = {.queue = gpu->queue,
        .family = gpu->info.queue_family,
        .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT};
    return create(gpu, &kind, timestamps, err);
}

struct work *work_create_transfer(struct gpu *gpu, struct error *err) {
    const struct work kind = {
        .queue = gpu->transfer, .family = gpu->transfer_family, .stages = VK_PIPELINE_STAGE_TRANSFER_BIT};
    if (gpu->transfer) return create(gpu, &kind, 0, err);
    error_of_kind(err, ERROR_SKIP, "the device has no queue that copies and does not compute");
    return NULL;
}

void work_destroy(struct gpu *gpu, struct work *work) {
    if (!work) return;
    if (!gpu->abandoned) {
        for (size_t i = 0; i < work->descriptors.count; i++)
            vkDestroyDescriptorPool(gpu->device, work->descriptors.pools[i], NULL);
        vkDestroyQueryPool(gpu->device, work->queries, NULL);
        vkDestroyFence(gpu->device, work->fence, NULL);
        vkDestroyCommandPool(gpu->device, work->pool, NULL);
    }
    free(work->descriptors.pools);
    free(work->ticks);
    free(work);
}

bool work_begin(struct gpu *gpu, struct work *work, struct error *err) {
    if (gpu->abandoned) return error_of_kind(err, ERROR_DEVICE_LOST, "the device was abandoned after a timeout");
    if (!vk_check(gpu, vkResetCommandPool(gpu->device, work->pool, 0), "vkResetCommandPool", err)) return false;
    for (size_t i = 0; i < work->descriptors.count; i++) {
        VkResult result = vkResetDescriptorPool(gpu->device, work->descriptors.pools[i], 0);
        if (!vk_check(gpu, result, "vkResetDescriptorPool", err)) return false;
    }
    work->descriptors.used = 0;
    work->program = NULL;
    memset(work->ticks, 0, (size_t)work->timestamps * sizeof *work->ticks);
    VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    if (!vk_check(gpu, vkBeginCommandBuffer(work->commands, &info), "vkBeginCommandBuffer", err)) return false;
    if (work->queries) vkCmdResetQueryPool(work->commands, work->queries, 0, (uint32_t)work->timestamps);
    return true;
}

void work_copy(struct work *work, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t bytes) {
    VkBufferCopy region = {.srcOffset = from_offset, .dstOffset = to_offset, .size = bytes};
    if (bytes) vkCmdCopyBuffer(work->commands, from->handle->buffer, to->handle->buffer, 1, &region);
}

void work_fill(struct work *work, const struct buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word) {
    if (bytes) vkCmdFillBuffer(work->commands, buffer->handle->buffer, offset, bytes, word);
}

static VkDescriptorBufferInfo resolve(const struct binding *binding) {
    return (VkDescriptorBufferInfo){binding->buffer->handle->buffer, binding->offset, binding->bytes};
}

static bool same_as_last(const struct work *work, const struct program *program, const struct binding *bindings) {
    if (work->program != program) return false;
    for (int i = 0; i < program->bindings; i++) {
        VkDescriptorBufferInfo now = resolve(&bindings[i]), last = work->bound[i];
        if (now.buffer != last.buffer || now.offset != last.offset || now.range != last.range) return false;
    }
    return true;
}

static bool check_bindings(
    const struct gpu *gpu, const struct program *program, const struct binding *bindings, struct error *err) {
    for (int i = 0; i < program->bindings; i++) {
        const struct binding *binding = &bindings[i];
        if (binding->bytes > gpu->info.storage_range)
            return error_of_kind(err, ERROR_SKIP, "binding %d is %llu bytes; the device allows %llu", i,
                (unsigned long long)binding->bytes, (unsigned long long)gpu->info.storage_range);
        if (binding->bytes == 0 || binding->offset > binding->buffer->bytes ||
            binding->bytes > binding->buffer->bytes - binding->offset || binding->offset % gpu->info.storage_alignment)
            return error_set(err, STATUS_FAULT,
                "binding %d: %llu bytes at %llu do not fit a buffer of %llu, aligned to %u", i,
                (unsigned long long)binding->bytes, (unsigned long long)binding->offset,
                (unsigned long long)binding->buffer->bytes, gpu->info.storage_alignment);
    }
    return true;
}

static bool bind(struct gpu *gpu, struct work *work, const struct program *program, const struct binding *bindings,
    struct error *err) {
    work->program = NULL;
    if (!check_bindings(gpu, program, bindings, err)) return false;
    for (int set = 0; set < program->sets; set++)
        if (!descriptors_allocate(gpu, &work->descriptors, program->set_layouts[set], &work->sets[set], err))
            return false;
    VkWriteDescriptorSet writes[PROGRAM_BINDINGS];
    for (int i = 0; i < program->bindings; i++) {
        const struct slot *slot = &program->slots[i];
        work->bound[i] = resolve(&bindings[i]);
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstSet = work->sets[slot->set],
            .dstBinding = slot->binding,
            .descriptorCount = 1,
            .descriptorType = slot->uniform ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &work->bound[i],
        };
    }
    vkUpdateDescriptorSets(gpu->device, (uint32_t)program->bindings, writes, 0, NULL);
    // Inserts one label for a run of equal dispatches, so that it costs nothing in a measurement of many.
    if (gpu->insert_label && program->label)
        gpu->insert_label(work->commands,
            &(VkDebugUtilsLabelEXT){.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = program->label});
    vkCmdBindPipeline(work->commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->pipeline);
    vkCmdBindDescriptorSets(work->commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->layout, 0, (uint32_t)program->sets,
        work->sets, 0, NULL);
    work->program = program;
    return true;
}

bool work_dispatch(struct gpu *gpu, struct work *work, const struct program *program, const struct binding *bindings,
    const void *push, const uint32_t groups[3], struct error *err) {
    for (int axis = 0; axis < 3; axis++)
        if (groups[axis] > gpu->info.max_groups[axis])
            return error_of_kind(err, ERROR_SKIP, "%u workgroups on axis %d; the device allows %u", groups[axis], axis,
                gpu->info.max_groups[axis]);
    if (!same_as_last(work, program, bindings) && !bind(gpu, work, program, bindings, err)) return false;
    if (program->push_bytes)
        vkCmdPushConstants(work->commands, program->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, program->push_bytes, push);
    vkCmdDispatch(work->commands, groups[0], groups[1], groups[2]);
    return true;
}

// Leaves out host access: otherwise each barrier between two dispatches would write back the device's caches.
// work_end makes the results visible to the host.
void work_barrier(struct work *work) {
    VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                         VK_ACCESS_TRANSFER_WRITE_BIT,
    };
    vkCmdPipelineBarrier(work->commands, stages, stages, 0, 1, &barrier, 0, NULL, 0, NULL);
}

static void full_barrier(struct work *work) {
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
    };
    vkCmdPipelineBarrier(work->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
        &barrier, 0, NULL, 0, NULL);
}

void work_timestamp(struct work *work, int index, bool opens) {
    full_barrier(work); // earlier work is done: it counts to a closing interval, not to an opening one
    if (work->queries && index >= 0 && index < work->timestamps)
        vkCmdWriteTimestamp(work->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, work->queries, (uint32_t)index);
    if (opens) full_barrier(work); // later work does not start before the timestamp is written
}

bool work_end(struct gpu *gpu, struct work *work, struct error *err) {
    bool computes = work->stages & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT | (computes ? VK_ACCESS_SHADER_WRITE_BIT : 0u),
        .dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT,
    };
    vkCmdPipelineBarrier(work->commands, work->stages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    return vk_check(gpu, vkEndCommandBuffer(work->commands), "vkEndCommandBuffer", err);
}

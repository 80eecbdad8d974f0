// SPDX-License-Identifier: Apache-2.0
// Vulkan calls that count, in place of the loader's, and a clock on which only they take time. The harness of a test
// calls these functions, and they call the loader's. A submission takes 1000 seconds, so a time on this clock is a
// number of calls; what else happens takes less than a hundredth of it.
#ifndef VKASSAY_RUN_COUNTING_VULKAN_H
#define VKASSAY_RUN_COUNTING_VULKAN_H

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <vulkan/vulkan.h>

// Seconds of a call on the clock.
enum { SECONDS_OF_SUBMIT = 1000, SECONDS_OF_BUFFER = 100, SECONDS_OF_PIPELINE = 200, SECONDS_OF_DEVICE = 300 };

// The commands of one command buffer. A submission has those of its buffer.
struct counted {
    VkCommandBuffer commands;
    int dispatches, barriers;
    uint64_t copied, filled; // bytes
    // The first commands in their order: B barrier, C copy, D dispatch, F fill, 0 and 1 timestamps.
    char order[48];
};

enum { MOST_COUNTED = 512, MOST_SUBMITTED = 8192 };
static struct {
    struct counted buffers[MOST_COUNTED], submitted[MOST_SUBMITTED];
    int buffer_count, submitted_count;
    int buffers_made; // VkBuffer
    VkBuffer made[2]; // the first of them
    struct counted_copy {
        VkBuffer from, to;
        VkBufferCopy region;
    } copy;                             // the last one recorded
    int64_t seconds;                    // of the clock, beyond the true one
    bool drop_fills;                    // fills are counted, but nothing is filled
    int dispatches, drop_from, drop_to; // dispatches so far; those from .. to - 1 are counted, but not recorded
} counting;

#define TRUE_CALL(NAME) ((PFN_##NAME)(uintptr_t)dlsym(RTLD_NEXT, #NAME))

static struct counted *counted_of(VkCommandBuffer commands) {
    int i = 0;
    while (i < counting.buffer_count && counting.buffers[i].commands != commands) i++;
    if (i == MOST_COUNTED) i = MOST_COUNTED - 1;
    if (i == counting.buffer_count) counting.buffers[counting.buffer_count++] = (struct counted){.commands = commands};
    return &counting.buffers[i];
}

static void counted_note(VkCommandBuffer commands, char what) {
    struct counted *c = counted_of(commands);
    const size_t length = strlen(c->order);
    if (length + 1 < sizeof c->order) c->order[length] = what;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int (*const of_libc)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))(uintptr_t)dlsym(RTLD_NEXT, "clock_gettime");
    const int result = of_libc(clock, now);
    if (clock == CLOCK_MONOTONIC) now->tv_sec += counting.seconds;
    return result;
}

VkResult vkBeginCommandBuffer(VkCommandBuffer commands, const VkCommandBufferBeginInfo *info) {
    *counted_of(commands) = (struct counted){.commands = commands};
    return TRUE_CALL(vkBeginCommandBuffer)(commands, info);
}

void vkCmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    const int number = counting.dispatches++;
    counted_of(commands)->dispatches++;
    counted_note(commands, 'D');
    if (number < counting.drop_from || number >= counting.drop_to) TRUE_CALL(vkCmdDispatch)(commands, x, y, z);
}

void vkCmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags before, VkPipelineStageFlags after,
    VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier *barriers, uint32_t buffer_count,
    const VkBufferMemoryBarrier *buffers, uint32_t image_count, const VkImageMemoryBarrier *images) {
    counted_of(commands)->barriers++;
    counted_note(commands, 'B');
    TRUE_CALL(vkCmdPipelineBarrier)
    (commands, before, after, flags, count, barriers, buffer_count, buffers, image_count, images);
}

void vkCmdCopyBuffer(
    VkCommandBuffer commands, VkBuffer from, VkBuffer to, uint32_t count, const VkBufferCopy *regions) {
    for (uint32_t i = 0; i < count; i++) counted_of(commands)->copied += regions[i].size;
    counting.copy = (struct counted_copy){from, to, regions[0]};
    counted_note(commands, 'C');
    TRUE_CALL(vkCmdCopyBuffer)(commands, from, to, count, regions);
}

void vkCmdFillBuffer(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize at, VkDeviceSize bytes, uint32_t word) {
    counted_of(commands)->filled += bytes;
    counted_note(commands, 'F');
    if (!counting.drop_fills) TRUE_CALL(vkCmdFillBuffer)(commands, buffer, at, bytes, word);
}

void vkCmdWriteTimestamp(VkCommandBuffer commands, VkPipelineStageFlagBits stage, VkQueryPool pool, uint32_t query) {
    counted_note(commands, (char)('0' + query));
    TRUE_CALL(vkCmdWriteTimestamp)(commands, stage, pool, query);
}

VkResult vkQueueSubmit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence) {
    counting.seconds += SECONDS_OF_SUBMIT;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < infos[i].commandBufferCount && counting.submitted_count < MOST_SUBMITTED; c++)
            counting.submitted[counting.submitted_count++] = *counted_of(infos[i].pCommandBuffers[c]);
    return TRUE_CALL(vkQueueSubmit)(queue, count, infos, fence);
}

VkResult vkCreateBuffer(
    VkDevice device, const VkBufferCreateInfo *info, const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
    counting.seconds += SECONDS_OF_BUFFER;
    const VkResult result = TRUE_CALL(vkCreateBuffer)(device, info, allocator, buffer);
    if (counting.buffers_made < 2) counting.made[counting.buffers_made] = *buffer;
    counting.buffers_made++;
    return result;
}

VkResult vkCreateComputePipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
    const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    counting.seconds += SECONDS_OF_PIPELINE * (int64_t)count;
    return TRUE_CALL(vkCreateComputePipelines)(device, cache, count, infos, allocator, pipelines);
}

VkResult vkCreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
    const VkAllocationCallbacks *allocator, VkDevice *device) {
    counting.seconds += SECONDS_OF_DEVICE;
    return TRUE_CALL(vkCreateDevice)(physical, info, allocator, device);
}

#endif

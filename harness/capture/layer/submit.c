// SPDX-License-Identifier: Apache-2.0
// Submissions: a fence of ours after the program's own work tells when its copies may be read.
#include "commands.h"
#include "output.h"
#include "reading.h"

#include <stdlib.h>

static uint64_t clock_; // of submissions

static struct vk_submission *submission_make(size_t most) {
    struct vk_submission *submission = NULL;
    if (most && most < SIZE_MAX / 16 && capture_settings()->folder)
        submission = calloc(1, sizeof *submission + most * sizeof *submission->recordings);
    if (submission) submission->clock = ++clock_;
    return submission;
}

static void add(struct vk_device *device, struct vk_submission *submission, VkCommandBuffer handle) {
    struct vk_commands *commands = commands_of(device, handle);
    struct recording *recording = commands ? commands->recording : NULL;
    if (!recording || !recording->dispatches) return;
    recording->refs++;
    recording_submit(recording, submission->clock);
    submission->recordings[submission->count++] = recording;
}

// Ends a submission after the driver has answered.
static void finish(struct vk_device *device, VkQueue queue, struct vk_submission *submission, VkResult result) {
    VkFence fence = VK_NULL_HANDLE;
    state_lock();
    if (submission->count && result == VK_SUCCESS) {
        uint64_t dispatches = 0;
        for (size_t i = 0; i < submission->count; i++) dispatches += submission->recordings[i]->dispatches;
        submission->first = dispatches_begin(dispatches);
        fence = fence_take(device);
    }
    if (fence && device->call.QueueSubmit(queue, 0, NULL, fence) == VK_SUCCESS) {
        submission->fence = fence;
        if (!reading_push(device, submission)) reading_lose(submission); // the fence is in use, and lost
    } else if (submission->count && result == VK_SUCCESS) {
        reading_lose(submission);
    } else {
        submission_release(submission);
    }
    state_unlock();
}

VKAPI_ATTR VkResult VKAPI_CALL capture_QueueSubmit(
    VkQueue queue, uint32_t count, const VkSubmitInfo *infos, VkFence fence) {
    struct vk_device *device = device_of(queue);
    size_t most = 0;
    for (uint32_t i = 0; i < count; i++) most += infos[i].commandBufferCount;
    state_lock();
    struct vk_submission *submission = submission_make(most);
    for (uint32_t i = 0; submission && i < count; i++)
        for (uint32_t b = 0; b < infos[i].commandBufferCount; b++) add(device, submission, infos[i].pCommandBuffers[b]);
    state_unlock();
    const VkResult result = device->call.QueueSubmit(queue, count, infos, fence);
    if (submission) finish(device, queue, submission, result);
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL capture_QueueSubmit2(
    VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos, VkFence fence) {
    struct vk_device *device = device_of(queue);
    size_t most = 0;
    for (uint32_t i = 0; i < count; i++) most += infos[i].commandBufferInfoCount;
    state_lock();
    struct vk_submission *submission = submission_make(most);
    for (uint32_t i = 0; submission && i < count; i++)
        for (uint32_t b = 0; b < infos[i].commandBufferInfoCount; b++)
            add(device, submission, infos[i].pCommandBufferInfos[b].commandBuffer);
    state_unlock();
    const VkResult result = device->call.QueueSubmit2(queue, count, infos, fence);
    if (submission) finish(device, queue, submission, result);
    return result;
}

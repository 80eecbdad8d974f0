// SPDX-License-Identifier: Apache-2.0
// Runs recorded work and takes its time.
#include "internal.h"

#include "../../base/clock.h"
#include "../timing/patience.h"

#include <unistd.h>

// The longest wait, effectively unbounded: 2^63 ns is 292 years.
#define LONGEST_WAIT 9.2e9

static uint64_t wait_ns(double timeout_s) {
    if (!(timeout_s > 0)) return 0;
    return (uint64_t)((timeout_s < LONGEST_WAIT ? timeout_s : LONGEST_WAIT) * 1e9);
}

// Waits for all fences. A software driver works in this process, so a busy host puts the deadline off. Load is read
// only in the second half of a wait: reading it takes longer than a short dispatch.
static VkResult wait_for(struct gpu *gpu, uint32_t count, const VkFence *fences, double timeout_s) {
    const uint64_t all = wait_ns(timeout_s), first = gpu->info.kind == DEVICE_CPU ? all / 2 : all;
    VkResult result = vkWaitForFences(gpu->device, count, fences, VK_TRUE, first);
    if (result != VK_TIMEOUT || first == all) return result;
    const struct patience patience = patience_start(getpid(), (int64_t)all);
    for (int64_t more = (int64_t)(all - first); result == VK_TIMEOUT && more > 0; more = patience_more(&patience))
        result = vkWaitForFences(gpu->device, count, fences, VK_TRUE, (uint64_t)more);
    return result;
}

static bool read_ticks(struct gpu *gpu, struct work *work, struct error *err) {
    if (!work->queries) return true;
    size_t bytes = (size_t)work->timestamps * sizeof *work->ticks;
    VkResult result = vkGetQueryPoolResults(gpu->device, work->queries, 0, (uint32_t)work->timestamps, bytes,
        work->ticks, sizeof *work->ticks, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    // Queries not written by this recording are not available; that is no failure.
    if (result == VK_NOT_READY) result = VK_SUCCESS;
    return vk_check(gpu, result, "vkGetQueryPoolResults", err);
}

static bool get_ready(struct gpu *gpu, struct work *work, struct error *err) {
    if (gpu->abandoned) return error_of_kind(err, ERROR_DEVICE_LOST, "the device was abandoned after a timeout");
    return vk_check(gpu, vkResetFences(gpu->device, 1, &work->fence), "vkResetFences", err);
}

static bool submit(struct gpu *gpu, struct work *work, VkFence fence, struct error *err) {
    VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .commandBufferCount = 1,
        .pCommandBuffers = &work->commands,
    };
    return vk_check(gpu, vkQueueSubmit(work->queue, 1, &info, fence), "vkQueueSubmit", err);
}

static bool finish(struct gpu *gpu, VkResult waited, double timeout_s, struct error *err) {
    if (waited == VK_TIMEOUT) {
        gpu->abandoned = true;
        return error_of_kind(err, ERROR_TIMEOUT, "the GPU did not finish within %g s (--timeout)", timeout_s);
    }
    return vk_check(gpu, waited, "vkWaitForFences", err);
}

bool work_run(
    struct gpu *gpu, struct work *work, double timeout_s, int64_t *host_ns, int64_t *submit_ns, struct error *err) {
    return work_run_queued(gpu, &work, 1, timeout_s, host_ns, submit_ns, err) && read_ticks(gpu, work, err);
}

bool work_run_queued(struct gpu *gpu, struct work *const *works, size_t count, double timeout_s, int64_t *host_ns,
    int64_t *submit_ns, struct error *err) {
    struct work *last = works[count - 1];
    if (!get_ready(gpu, last, err)) return false;
    int64_t start = clock_ns();
    for (size_t i = 0; i < count; i++) {
        // A fence waits for all earlier submissions to its queue.
        if (submit(gpu, works[i], i + 1 < count ? VK_NULL_HANDLE : last->fence, err)) continue;
        if (i) gpu->abandoned = true; // earlier ones may be running
        return false;
    }
    int64_t submitted = clock_ns();
    VkResult result = wait_for(gpu, 1, &last->fence, timeout_s);
    int64_t done = clock_ns();
    if (host_ns) *host_ns = done - start;
    if (submit_ns) *submit_ns = submitted - start;
    return finish(gpu, result, timeout_s, err);
}

bool work_run_both(
    struct gpu *gpu, struct work *a, struct work *b, double timeout_s, int64_t *host_ns, struct error *err) {
    const VkFence fences[] = {a->fence, b->fence};
    if (!get_ready(gpu, a, err) || !get_ready(gpu, b, err)) return false;
    int64_t start = clock_ns();
    bool both = submit(gpu, a, a->fence, err) && submit(gpu, b, b->fence, err);
    if (!both) gpu->abandoned = true; // the first may be running: none of its objects can be destroyed
    if (!both) return false;
    VkResult result = wait_for(gpu, 2, fences, timeout_s);
    *host_ns = clock_ns() - start;
    return finish(gpu, result, timeout_s, err) && read_ticks(gpu, a, err) && read_ticks(gpu, b, err);
}

double timestamp_difference_ns(uint64_t from, uint64_t to, uint32_t valid_bits, double period_ns) {
    uint64_t mask = valid_bits >= 64 ? UINT64_MAX : ((uint64_t)1 << valid_bits) - 1;
    return (double)((to - from) & mask) * period_ns;
}

bool work_ticks(const struct work *work, int index, uint64_t *ticks) {
    if (!work->queries || index < 0 || index >= work->timestamps || !work->ticks[index].available) return false;
    *ticks = work->ticks[index].ticks;
    return true;
}

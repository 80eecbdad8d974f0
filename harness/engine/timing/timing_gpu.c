// SPDX-License-Identifier: Apache-2.0
// The timing engine's device, over harness/device.
#include "timing.h"

#include "../../base/clock.h"
#include "../vulkan/gpu.h"
#include "../../device/limits.h"
#include "../../device/device_info.h"

static int64_t now(void *context) {
    (void)context;
    return clock_ns();
}

static struct work *open_work(void *gpu, struct error *err) {
    return work_create(gpu, 2, err);
}

static void close_work(void *gpu, struct work *work) {
    work_destroy(gpu, work);
}

static bool begin(void *gpu, struct work *work, struct error *err) {
    return work_begin(gpu, work, err);
}

static void stamp(void *gpu, struct work *work, int index) {
    (void)gpu;
    work_timestamp(work, index, index == 0);
}

static void flush(void *gpu, struct work *work, const struct buffer *buffer) {
    (void)gpu;
    work_fill(work, buffer, 0, buffer->bytes, 0x5eed5eed);
    work_barrier(work);
}

static void barrier(void *gpu, struct work *work) {
    (void)gpu;
    work_barrier(work);
}

static void copy(void *gpu, struct work *work, const struct buffer *from, uint64_t from_offset, const struct buffer *to,
    uint64_t to_offset, uint64_t bytes) {
    (void)gpu;
    work_copy(work, from, from_offset, to, to_offset, bytes);
}

static bool end(void *gpu, struct work *work, struct error *err) {
    return work_end(gpu, work, err);
}

static bool run(void *gpu, struct work *work, double timeout_s, struct reading *out, struct error *err) {
    if (!work_run(gpu, work, timeout_s, &out->host_ns, &out->call_ns, err)) return false;
    out->written = work_ticks(work, 0, &out->ticks[0]) && work_ticks(work, 1, &out->ticks[1]);
    return true;
}

static bool sync(void *gpu, const struct buffer *buffer, bool in, struct error *err) {
    return in ? buffer_flush(gpu, buffer, err) : buffer_invalidate(gpu, buffer, err);
}

struct timing_device timing_gpu(struct gpu *gpu) {
    return (struct timing_device){.context = gpu,
        .timestamp_bits = gpu_info(gpu)->timestamp_bits,
        .timestamp_period_ns = gpu_info(gpu)->timestamp_period_ns,
        .now = now,
        .open = open_work,
        .close = close_work,
        .begin = begin,
        .stamp = stamp,
        .flush = flush,
        .barrier = barrier,
        .copy = copy,
        .end = end,
        .run = run,
        .sync = sync};
}

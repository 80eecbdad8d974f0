// SPDX-License-Identifier: Apache-2.0
#include "drift_gpu.h"
#include "../vulkan/gpu.h"
#include "../../device/limits.h"

#include "../../base/memory.h"
#include "../program/shaders.h"
#include "../../device/device_info.h"

#include <stdlib.h>
#include <string.h>

enum { INVOCATIONS = 64, BYTES = INVOCATIONS * 4 + 4 };

struct drift_gpu {
    struct drift drift; // must be first: it is the handle given out
    struct timing_device device;
    struct gpu *gpu;
    double timeout_s;
    struct program *program;
    struct work *work;
    struct buffer buffer, ticks; // the kernel's output; its last word on the host
};

// Returns whether shaders can read their cores' clock. A CPU's counter belongs to the host and does not follow its
// clock.
static bool reads_clock(struct gpu *gpu) {
    return gpu_info(gpu)->features[FEATURE_SHADER_CLOCK] && gpu_info(gpu)->timestamp_bits > 0 &&
           gpu_info(gpu)->kind != DEVICE_CPU;
}

static bool compile(struct gpu *gpu, const struct run_options *options, struct drift_gpu *drift, struct error *err) {
    struct arena arena = {0};
    struct spirv spirv;
    static const struct define clock = {.name = "FEATURE_SHADER_CLOCK", .value = "1"};
    const struct define *define = reads_clock(gpu) ? &clock : NULL;
    bool ok = shader_of_includes(&arena, options, "drift.comp", define, options->cache_folder, &spirv, err);
    if (ok) {
        struct program_desc desc = {
            .label = "drift", .spirv = spirv.words, .words = spirv.count, .bindings = 1, .push_bytes = 4};
        drift->program = program_create(gpu, &desc, NULL, err);
    }
    arena_free(&arena);
    return ok && drift->program;
}

struct drift_dispatch {
    const struct drift_gpu *drift;
    uint32_t rounds, groups;
};

static bool record(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct drift_dispatch *d = what;
    struct binding binding = {&d->drift->buffer, 0, BYTES};
    return work_dispatch(
        device->context, work, d->drift->program, &binding, &d->rounds, (uint32_t[3]){d->groups, 1, 1}, err);
}

static bool read_ticks(struct drift_gpu *d, uint32_t *ticks, struct error *err) {
    if (!work_begin(d->gpu, d->work, err)) return false;
    work_copy(d->work, &d->buffer, BYTES - 4, &d->ticks, 0, 4);
    if (!work_end(d->gpu, d->work, err) || !work_run(d->gpu, d->work, d->timeout_s, NULL, NULL, err) ||
        !buffer_invalidate(d->gpu, &d->ticks, err))
        return false;
    memcpy(ticks, d->ticks.host, sizeof *ticks);
    return true;
}

static bool run(void *context, uint32_t rounds, uint32_t groups, double *ns, uint32_t *ticks, struct error *err) {
    static const struct interval once = {.repeats = 1};
    struct drift_gpu *d = context;
    const struct drift_dispatch dispatch = {d, rounds, groups};
    struct reading reading;
    if (!timing_record(&d->device, d->work, &(struct target){.record = record, .what = &dispatch}, &once, err) ||
        !d->device.run(d->device.context, d->work, d->timeout_s, &reading, err))
        return false;
    *ns = timing_interval_ns(&d->device, &reading);
    return !ticks || read_ticks(d, ticks, err);
}

static int64_t now(void *context) {
    const struct drift_gpu *d = context;
    return d->device.now(d->device.context);
}

struct drift *drift_open(const struct timing_device *device, const struct run_options *options, struct error *err) {
    struct drift_gpu *d = memory_alloc(1, sizeof *d);
    struct gpu *gpu = device->context;
    d->device = *device;
    d->gpu = gpu;
    d->timeout_s = options->timeout_s;
    const struct drift_kernel kernel = {.context = d,
        .timestamps = device->timestamp_bits > 0,
        .own_clock = device->timestamp_bits > 0 && gpu_info(gpu)->kind != DEVICE_CPU,
        .reads_clock = reads_clock(gpu),
        .now = now,
        .run = run};
    bool ok = compile(gpu, options, d, err) && buffer_create(gpu, BUFFER_DEVICE, BYTES, &d->buffer, err) &&
              buffer_create(gpu, BUFFER_READBACK, 4, &d->ticks, err) && (d->work = work_create(gpu, 2, err)) &&
              drift_start(&d->drift, &kernel, err);
    if (ok) return &d->drift;
    drift_close(&d->drift);
    return NULL;
}

void drift_close(struct drift *drift) {
    struct drift_gpu *d = (struct drift_gpu *)drift;
    if (!d) return;
    work_destroy(d->gpu, d->work);
    if (d->program) program_destroy(d->gpu, d->program);
    buffer_destroy(d->gpu, &d->buffer);
    buffer_destroy(d->gpu, &d->ticks);
    free(d);
}

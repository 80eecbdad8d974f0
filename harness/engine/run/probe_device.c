// SPDX-License-Identifier: Apache-2.0
// The device itself: opening it, offsets of bindings, and whether its queues work side by side.
#include "probe.h"

#include "../../base/clock.h"
#include "../../device/limits.h"
#include "../../device/device_info.h"
#include "../../record/record.h"

#include <math.h>

// ---- opening

static bool open_and_close(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const int64_t n = *(const int64_t *)user;
    int64_t opening = 0;
    for (int64_t i = 0; i < n; i++) {
        int64_t start = clock_ns();
        struct gpu *gpu = gpu_open(gpu_info(run->gpu), &(struct gpu_options){0}, err);
        opening += clock_ns() - start;
        if (!gpu) return false;
        gpu_close(gpu);
    }
    ns[FIGURE_COMPUTE] = (double)opening / (double)n;
    return true;
}

bool probe_open(struct probe_run *run, struct error *err) {
    int64_t n = probe_dim(run, "n");
    return probe_sample(run, open_and_close, &n, "instance and device are made by the host", err);
}

// ---- offsets

struct offset {
    struct probe_run *run;
    struct program *program;
    struct buffer from, to;
    struct binding bindings[2];
    uint32_t n;
    struct timing_settings settings;
    struct sampler sampler;
};

static bool record_copy(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct offset *o = what;
    if (!probe_dispatch(o->run, work, o->program, o->bindings, o->n, 0, err)) return false;
    device->barrier(device->context, work);
    return true;
}

static bool copies(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct offset *o = user;
    (void)run;
    return timing_take(&o->settings, &o->sampler, &ns[FIGURE_COMPUTE], err);
}

static bool prepare_offset(struct probe_run *run, struct offset *o, struct error *err) {
    uint64_t at = (uint64_t)probe_dim(run, "offset"), bytes = (uint64_t)o->n * 4;
    if (!(o->program = probe_plain(run, err)) || !buffer_create(run->gpu, BUFFER_DEVICE, bytes + at, &o->from, err) ||
        !buffer_create(run->gpu, BUFFER_DEVICE, bytes + at, &o->to, err))
        return false;
    o->bindings[0] = (struct binding){&o->from, at, bytes};
    o->bindings[1] = (struct binding){&o->to, at, bytes};
    return timing_prepare(&o->settings, &o->sampler, err);
}

bool probe_offset(struct probe_run *run, struct error *err) {
    struct offset o = {.run = run,
        .n = (uint32_t)probe_dim(run, "n"),
        .settings = {.device = run->device, .timeout_s = run->options->timeout_s, .rule = run->rule},
        .sampler.target = {.record = record_copy, .what = &o}};
    uint32_t alignment = gpu_info(run->gpu)->storage_alignment;
    if (probe_dim(run, "offset") % alignment)
        return error_of_kind(err, ERROR_SKIP,
            "the device allows offsets that are multiples of %u (minStorageBufferOffsetAlignment)", alignment);
    bool ok = prepare_offset(run, &o, err) && probe_sample(run, copies, &o, NULL, err);
    series_keep_sampler(run->out, &o.sampler);
    timing_close(run->device, &o.sampler);
    run->out->bytes = 8.0 * o.n;
    buffer_destroy(run->gpu, &o.to);
    buffer_destroy(run->gpu, &o.from);
    program_destroy(run->gpu, o.program);
    return ok;
}

// ---- queues side by side

enum { BUSY = 1 << 16 }; // invocations to fill a device; its copies must then come from elsewhere
static const uint32_t rounds_first = 1 << 4, most_rounds = 1 << 22;

struct overlap {
    struct work *copy, *compute;
    struct program *program;
    struct buffer staging, device, from, to;
    bool queues;
};

static bool host_time(struct probe_run *run, struct work *work, double *ns, struct error *err) {
    *ns = INFINITY;
    for (int i = 0; i < 3; i++) {
        int64_t host;
        if (!work_run(run->gpu, work, run->options->timeout_s, &host, NULL, err)) return false;
        *ns = fmin(*ns, (double)host);
    }
    return true;
}

// Makes the work as long as the copy, within the factor of the last step.
static bool balance(struct probe_run *run, struct overlap *o, struct error *err) {
    const struct binding bindings[2] = {{&o->from, 0, BUSY * 4}, {&o->to, 0, BUSY * 4}};
    double copy, work = 0;
    if (!host_time(run, o->copy, &copy, err)) return false;
    for (uint32_t rounds = rounds_first; rounds <= most_rounds && work < 0.8 * copy; rounds += rounds / 2)
        if (!work_begin(run->gpu, o->compute, err) ||
            !probe_dispatch(run, o->compute, o->program, bindings, BUSY, rounds, err) ||
            !work_end(run->gpu, o->compute, err) || !host_time(run, o->compute, &work, err))
            return false;
    probe_fact(run, "copy_ns", copy);
    probe_fact(run, "work_ns", work);
    return true;
}

static bool both(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct overlap *o = user;
    int64_t host = 0, second = 0;
    bool ok = o->queues ? work_run_both(run->gpu, o->compute, o->copy, run->options->timeout_s, &host, err)
                        : work_run(run->gpu, o->copy, run->options->timeout_s, &host, NULL, err) &&
                              work_run(run->gpu, o->compute, run->options->timeout_s, &second, NULL, err);
    ns[FIGURE_COMPUTE] = (double)(host + second);
    return ok;
}

static bool prepare_overlap(struct probe_run *run, struct overlap *o, struct error *err) {
    uint64_t bytes = (uint64_t)probe_dim(run, "bytes");
    o->copy = o->queues ? work_create_transfer(run->gpu, err) : work_create(run->gpu, 0, err);
    if (!o->copy || !(o->compute = work_create(run->gpu, 0, err)) || !(o->program = probe_plain(run, err)) ||
        !buffer_create(run->gpu, BUFFER_UPLOAD, bytes, &o->staging, err) ||
        !buffer_create(run->gpu, BUFFER_DEVICE, bytes, &o->device, err) ||
        !buffer_create(run->gpu, BUFFER_DEVICE, BUSY * 4, &o->from, err) ||
        !buffer_create(run->gpu, BUFFER_DEVICE, BUSY * 4, &o->to, err) || !work_begin(run->gpu, o->copy, err))
        return false;
    work_copy(o->copy, &o->staging, 0, &o->device, 0, bytes);
    return work_end(run->gpu, o->copy, err) && balance(run, o, err);
}

static void release_overlap(struct gpu *gpu, struct overlap *o) {
    struct buffer *buffers[] = {&o->staging, &o->device, &o->from, &o->to};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) buffer_destroy(gpu, buffers[i]);
    program_destroy(gpu, o->program);
    work_destroy(gpu, o->compute);
    work_destroy(gpu, o->copy);
}

// Opens a separate device with a second queue. Both variants do so, to differ in nothing else.
bool probe_overlap(struct probe_run *run, struct error *err) {
    struct overlap o = {.queues = probe_is(run, "queues")};
    struct probe_run own = *run;
    own.gpu = gpu_open(gpu_info(run->gpu), &(struct gpu_options){.transfer = true}, err);
    if (!own.gpu) return false;
    bool ok = prepare_overlap(&own, &o, err) && probe_sample(&own, both, &o, "two queues have no clock in common", err);
    release_overlap(own.gpu, &o);
    gpu_close(own.gpu);
    return ok;
}

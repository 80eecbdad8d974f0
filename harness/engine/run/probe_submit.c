// SPDX-License-Identifier: Apache-2.0
// Submission and dispatch: the cost of k small dispatches in one submission, with and without barriers, and each in
// its own.
#include "probe.h"

#include "../../base/clock.h"
#include "../../device/limits.h"
#include "../../device/device_info.h"

#include <math.h>

// Each dispatch works on a part of its own, so none must wait for another.
struct submit {
    struct probe_run *run;
    struct program *program;
    struct buffer from, to;
    uint64_t part;
    int64_t k, recorded; // dispatches of a sample; of a submission
    bool barriers;
};

static bool record_parts(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct submit *s = what;
    for (int64_t i = 0; i < s->recorded; i++) {
        const uint64_t at = (uint64_t)i * s->part;
        const struct binding bindings[2] = {{&s->from, at, PROBE_WORKGROUP * 4}, {&s->to, at, PROBE_WORKGROUP * 4}};
        if (!probe_dispatch(s->run, work, s->program, bindings, PROBE_WORKGROUP, 0, err)) return false;
        if (s->barriers) device->barrier(device->context, work);
    }
    return true;
}

// Measures a dispatch by the GPU's clock. By the host's clock it measures a dispatch's share of the submission, and
// the call of vkQueueSubmit.
static bool together(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct submit *s = user;
    struct reading reading;
    if (!run->device->run(run->device->context, run->work, run->options->timeout_s, &reading, err)) return false;
    double interval = timing_interval_ns(run->device, &reading);
    ns[FIGURE_END_TO_END] = (double)reading.host_ns / (double)s->k;
    ns[FIGURE_SUBMIT] = (double)reading.call_ns;
    // Either clock, but the same one throughout.
    ns[FIGURE_COMPUTE] = gpu_info(run->gpu)->timestamp_bits ? fmax(interval, 0) / (double)s->k : ns[FIGURE_END_TO_END];
    return true;
}

static bool one_by_one(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct submit *s = user;
    int64_t start = clock_ns();
    for (int64_t i = 0; i < s->k; i++)
        if (!work_run(run->gpu, run->work, run->options->timeout_s, NULL, NULL, err)) return false;
    ns[FIGURE_END_TO_END] = ns[FIGURE_COMPUTE] = (double)(clock_ns() - start) / (double)s->k;
    return true;
}

// ---- many in flight

struct queued {
    struct submit *submit;
    struct work **works;
    size_t count;
};

static bool in_a_row(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct queued *q = user;
    int64_t host, calls;
    if (!work_run_queued(run->gpu, q->works, q->count, run->options->timeout_s, &host, &calls, err)) return false;
    ns[FIGURE_END_TO_END] = ns[FIGURE_COMPUTE] = (double)host / (double)q->count;
    ns[FIGURE_SUBMIT] = (double)calls / (double)q->count;
    return true;
}

static bool record_each(struct probe_run *run, struct queued *q, struct error *err) {
    const struct submit *s = q->submit;
    for (int64_t i = 0; i < s->k; i++) {
        const uint64_t at = (uint64_t)i * s->part;
        const struct binding bindings[2] = {{&s->from, at, PROBE_WORKGROUP * 4}, {&s->to, at, PROBE_WORKGROUP * 4}};
        struct work *work = q->works[q->count] = work_create(run->gpu, 0, err);
        if (!work) return false;
        q->count++;
        if (!work_begin(run->gpu, work, err) ||
            !probe_dispatch(run, work, s->program, bindings, PROBE_WORKGROUP, 0, err) || !work_end(run->gpu, work, err))
            return false;
    }
    return true;
}

static bool queue_all(struct probe_run *run, struct submit *s, struct error *err) {
    struct queued q = {s, arena_alloc(run->arena, (size_t)s->k, sizeof(struct work *)), 0};
    bool ok = record_each(run, &q, err) && probe_sample(run, in_a_row, &q, "submission and wait are the host's", err);
    for (size_t i = 0; i < q.count; i++) work_destroy(run->gpu, q.works[i]);
    return ok;
}

static bool prepare(struct probe_run *run, struct submit *s, struct error *err) {
    const uint64_t least = PROBE_WORKGROUP * 4, alignment = gpu_info(run->gpu)->storage_alignment;
    s->k = probe_dim(run, "k");
    s->part = (least + alignment - 1) / alignment * alignment;
    s->program = probe_plain(run, err);
    return s->program && buffer_create(run->gpu, BUFFER_DEVICE, s->part * (uint64_t)s->k, &s->from, err) &&
           buffer_create(run->gpu, BUFFER_DEVICE, s->part * (uint64_t)s->k, &s->to, err);
}

bool probe_submit(struct probe_run *run, struct error *err) {
    static const struct interval once = {.repeats = 1};
    struct submit s = {.run = run, .barriers = probe_is(run, "barriers")};
    const struct target target = {.record = record_parts, .what = &s};
    bool each = probe_is(run, "each");
    bool by_gpu = !each && gpu_info(run->gpu)->timestamp_bits;
    const char *why_host = by_gpu ? NULL : "submission and wait are the host's";
    bool ok = prepare(run, &s, err), queued = probe_is(run, "queued");
    if (ok && !queued) {
        int64_t start = clock_ns();
        s.recorded = each ? 1 : s.k;
        ok = timing_record(run->device, run->work, &target, &once, err);
        probe_fact(run, "record_ns_a_dispatch", (double)(clock_ns() - start) / (double)s.recorded);
    }
    ok = ok && (queued ? queue_all(run, &s, err) : probe_sample(run, each ? one_by_one : together, &s, why_host, err));
    buffer_destroy(run->gpu, &s.to);
    buffer_destroy(run->gpu, &s.from);
    program_destroy(run->gpu, s.program);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
// Submission and dispatch: what k small dispatches cost in one submission, with and without barriers, and each in its
// own.
#include "probe.h"

#include "../base/clock.h"

#include <math.h>

// Each dispatch works on a part of its own, so that none must wait for another.
struct submit {
    struct program *program;
    struct buffer from, to;
    uint64_t part;
    int64_t k;
};

static bool record_part(struct probe_run *run, const struct submit *s, int64_t i, struct error *err) {
    const struct binding bindings[2] = {
        {&s->from, (uint64_t)i * s->part, PROBE_WORKGROUP * 4}, {&s->to, (uint64_t)i * s->part, PROBE_WORKGROUP * 4}};
    return probe_dispatch(run, run->work, s->program, bindings, PROBE_WORKGROUP, 0, err);
}

static bool record(
    struct probe_run *run, const struct submit *s, int64_t dispatches, bool barriers, struct error *err) {
    if (!work_begin(run->gpu, run->work, err)) return false;
    work_timestamp(run->work, 0, true);
    for (int64_t i = 0; i < dispatches; i++) {
        if (!record_part(run, s, i, err)) return false;
        if (barriers) work_barrier(run->work);
    }
    work_timestamp(run->work, 1, false);
    return work_end(run->gpu, run->work, err);
}

// By the GPU's clock a dispatch; by the host's: all of the submission, and the call of vkQueueSubmit.
static bool together(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct submit *s = user;
    struct reading reading;
    if (!run->device->run(run->device->context, run->work, run->options->timeout_s, &reading, err)) return false;
    double interval = timing_interval_ns(run->device, &reading);
    ns[FIGURE_END_TO_END] = (double)reading.host_ns / (double)s->k;
    ns[FIGURE_SUBMIT] = (double)reading.call_ns;
    // Either clock, but one throughout.
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

static bool prepare(struct probe_run *run, struct submit *s, struct error *err) {
    const uint64_t least = PROBE_WORKGROUP * 4, alignment = gpu_info(run->gpu)->storage_alignment;
    s->k = probe_dim(run, "k");
    s->part = (least + alignment - 1) / alignment * alignment;
    s->program = probe_plain(run, err);
    return s->program && buffer_create(run->gpu, BUFFER_DEVICE, s->part * (uint64_t)s->k, &s->from, err) &&
           buffer_create(run->gpu, BUFFER_DEVICE, s->part * (uint64_t)s->k, &s->to, err);
}

bool probe_submit(struct probe_run *run, struct error *err) {
    struct submit s = {0};
    bool each = probe_is(run, "each");
    bool by_gpu = !each && gpu_info(run->gpu)->timestamp_bits;
    const char *why_host = by_gpu ? NULL : "submission and wait are the host's";
    bool ok = prepare(run, &s, err);
    if (ok) {
        int64_t start = clock_ns();
        ok = record(run, &s, each ? 1 : s.k, probe_is(run, "barriers"), err);
        probe_fact(run, "record_ns_a_dispatch", (double)(clock_ns() - start) / (double)(each ? 1 : s.k));
    }
    ok = ok && probe_sample(run, each ? one_by_one : together, &s, why_host, err);
    buffer_destroy(run->gpu, &s.to);
    buffer_destroy(run->gpu, &s.from);
    program_destroy(run->gpu, s.program);
    return ok;
}

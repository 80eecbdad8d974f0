// SPDX-License-Identifier: Apache-2.0
// A chain on the device. It is checked after one step and after all steps, each time as one submission from the same
// start. Then it is timed as a whole.
#include "chain_host.h"
#include "../check/launch.h"
#include "../plan/legal.h"
#include "probe.h"
#include "../program/program.h"

#include "../base/clock.h"
#include "../../reference/operator.h"
#include "../../reference/table.h"
#include "../record/record.h"
#include "../device/device_info.h"

#include <math.h>
#include <string.h>

// A right device may be this many times farther from the double chain than the float chain is. Its functions are less
// exact (an exp by 3 + 2|x| ULP), and its sums have another order.
static const double farther = 16;

struct chain_device {
    struct probe_run *run;
    struct chain_host host;
    int64_t steps;
    struct buffer buffers[CHAIN_BUFFERS], upload, readback;
    uint64_t at[CHAIN_BUFFERS], staged; // offset of the data, in either staging buffer
    struct problem *problems;           // one for each link
    struct launch **launches;           // of each link: one, or one for each step if a parameter is the step's number
    int launch_counts[CHAIN_LINKS];
    uint64_t guard;
    struct timing_settings settings;
    struct sampler sampler;
    struct work *whole; // all steps, as one submission and nothing else
};

// ---- preparing

static bool create_buffers(struct chain_device *d, struct error *err) {
    const uint64_t alignment = gpu_info(d->run->gpu)->storage_alignment;
    d->guard = alignment > GUARD_BYTES ? alignment : GUARD_BYTES;
    for (int b = 0; b < d->host.chain->buffer_count; b++) {
        const uint64_t bytes = (d->host.rooms[b].bytes + 3) & ~(uint64_t)3;
        if (bytes > gpu_info(d->run->gpu)->storage_range)
            return error_of_kind(
                err, ERROR_SKIP, "buffer %s is larger than the device can bind", d->host.chain->buffers[b].name);
        d->at[b] = d->staged;
        d->staged += bytes;
        if (!buffer_create(d->run->gpu, BUFFER_DEVICE, d->guard + bytes + GUARD_BYTES, &d->buffers[b], err))
            return false;
    }
    return buffer_create(d->run->gpu, BUFFER_UPLOAD, d->staged, &d->upload, err) &&
           buffer_create(d->run->gpu, BUFFER_READBACK, d->staged, &d->readback, err);
}

// Puts the link's operands into the chain's buffers.
static void take_buffers(struct chain_device *d, int index) {
    const struct chain_link *link = &d->host.chain->links[index];
    const struct point *point = &d->host.links[index];
    struct problem *problem = &d->problems[index];
    *problem = (struct problem){.op = point->kernel->op,
        .dtype = point->dtype,
        .operand_count = operator_operands(point->kernel->op),
        .guard = d->guard};
    memcpy(problem->dims, point->dims, sizeof problem->dims);
    for (int i = 0; i < problem->operand_count; i++) {
        const struct chain_room *room = &d->host.rooms[link->buffers[i]];
        problem->operands[i] = (struct operand_data){.dtype = room->dtype,
            .role = problem->op->operands[i].role,
            .elements = room->elements,
            .bytes = room->bytes,
            .extent = room->bytes,
            .device = d->buffers[link->buffers[i]]};
    }
}

static bool prepare_link(struct chain_device *d, int index, struct error *err) {
    const struct chain_link *link = &d->host.chain->links[index];
    const struct op *op = link->kernel->op;
    struct point *point = &d->host.links[index];
    struct trial trial = trial_of(point, gpu_info(d->run->gpu), d->run->options->settings.memory_share, d->run->arena);
    const struct refusal *why = trial_both(&trial, &point->shape);
    bool made, counts_steps = false;
    if (why) return error_of_kind(err, ERROR_SKIP, "%s: %s", point->kernel->name, refusal_text(d->run->arena, why));
    const struct built *built = workshop_build(d->run->workshop, d->run->gpu, d->run->options, point, &made, err);
    if (!built) return error_prefix(err, "link %d, %s: ", index + 1, link->kernel->name);
    take_buffers(d, index);
    for (int p = 0; p < operator_params(op); p++) counts_steps |= link->params[p].is_step;
    const int count = counts_steps ? (int)d->steps : 1;
    d->launches[index] = arena_alloc(d->run->arena, (size_t)count, sizeof **d->launches);
    for (int s = 0; s < count; s++) {
        for (int p = 0; p < operator_params(op); p++) point->params[p] = chain_param(link, p, s + 1);
        if (!launch_prepare(d->run->gpu, point, &d->problems[index], built, &d->launches[index][s], err)) return false;
        d->launch_counts[index]++;
    }
    d->run->out->flops += operator_flops(op, point->dims) * (double)d->steps;
    d->run->out->bytes += operator_bytes(op, point->dims, point->dtype) * (double)d->steps;
    return true;
}

static bool prepare(struct chain_device *d, struct error *err) {
    const int links = d->host.chain->link_count;
    d->problems = arena_alloc(d->run->arena, (size_t)links, sizeof *d->problems);
    d->launches = arena_alloc(d->run->arena, (size_t)links, sizeof *d->launches);
    if (!create_buffers(d, err)) return false;
    for (int i = 0; i < links; i++)
        if (!prepare_link(d, i, err)) return false;
    return true;
}

static void release(struct chain_device *d) {
    struct gpu *gpu = d->run->gpu;
    if (d->whole) work_destroy(gpu, d->whole);
    for (int i = 0; d->launches && i < d->host.chain->link_count; i++)
        for (int s = 0; s < d->launch_counts[i]; s++) launch_release(gpu, &d->launches[i][s]);
    for (int b = 0; b < CHAIN_BUFFERS; b++) buffer_destroy(gpu, &d->buffers[b]);
    buffer_destroy(gpu, &d->upload);
    buffer_destroy(gpu, &d->readback);
    chain_host_close(&d->host);
}

// ---- running

static bool record_steps(const struct chain_device *d, struct work *work, int64_t steps, struct error *err) {
    for (int64_t s = 0; s < steps; s++)
        for (int i = 0; i < d->host.chain->link_count; i++) {
            const struct launch *launch = &d->launches[i][d->launch_counts[i] > 1 ? s : 0];
            if (!launch_record(d->run->gpu, work, launch, LAUNCH_PLAIN, false, err)) return false;
        }
    return true;
}

// Runs this many steps from the start and reads the buffers back, in one submission.
static bool run_steps(struct chain_device *d, int64_t steps, struct error *err) {
    struct gpu *gpu = d->run->gpu;
    struct work *work = d->run->work;
    const struct chain *chain = d->host.chain;
    for (int b = 0; b < chain->buffer_count; b++)
        memcpy((char *)d->upload.host + d->at[b], d->host.rooms[b].image, (size_t)d->host.rooms[b].bytes);
    if (!buffer_flush(gpu, &d->upload, err) || !work_begin(gpu, work, err)) return false;
    for (int b = 0; b < chain->buffer_count; b++)
        work_copy(work, &d->upload, d->at[b], &d->buffers[b], d->guard, (d->host.rooms[b].bytes + 3) & ~(uint64_t)3);
    work_barrier(work);
    if (!record_steps(d, work, steps, err)) return false;
    for (int b = 0; b < chain->buffer_count; b++)
        work_copy(work, &d->buffers[b], d->guard, &d->readback, d->at[b], (d->host.rooms[b].bytes + 3) & ~(uint64_t)3);
    return work_end(gpu, work, err) && work_run(gpu, work, d->run->options->timeout_s, NULL, NULL, err) &&
           buffer_invalidate(gpu, &d->readback, err);
}

// ---- judging

// Judges the buffers against the reference chains in their current state. The largest distance becomes a fact; the
// limit follows from the float chain's distance.
static void judge(struct chain_device *d, int64_t steps, const char *fact) {
    const struct chain *chain = d->host.chain;
    double largest = 0;
    for (int b = 0; b < chain->buffer_count; b++) {
        if (!chain->buffers[b].checked) continue;
        const struct chain_room *room = &d->host.rooms[b];
        const double apart = chain_distance(room, (const char *)d->readback.host + d->at[b]);
        const double own = chain_distance(room, NULL), allowed = fmax(farther * own, chain->tolerance);
        if (!(apart <= largest)) largest = apart;
        if (apart <= allowed || d->run->out->status == RECORD_FAIL) continue;
        probe_fails(
            d->run, arena_format(d->run->arena,
                        "after %lld %s buffer %s is %.2g of its length from the reference chain, which in float is "
                        "%.2g from the "
                        "one in double; allowed: %.2g",
                        (long long)steps, steps == 1 ? "step" : "steps", chain->buffers[b].name, apart, own, allowed));
        d->run->out->failed = CHECK_ULP;
    }
    probe_fact(d->run, fact, largest);
}

static void judge_again(struct chain_device *d, const void *first) {
    const struct chain *chain = d->host.chain;
    for (int b = 0; b < chain->buffer_count && d->run->out->status != RECORD_FAIL; b++) {
        if (!chain->buffers[b].checked) continue;
        if (memcmp((const char *)first + d->at[b], (const char *)d->readback.host + d->at[b],
                (size_t)d->host.rooms[b].bytes) == 0)
            continue;
        probe_fails(
            d->run, arena_format(d->run->arena, "a second run gave other bits in buffer %s", chain->buffers[b].name));
        d->run->out->failed = CHECK_BITS;
    }
}

static void step_references(struct chain_device *d, int64_t from, int64_t to) {
    for (int64_t step = from; step <= to; step++) {
        int64_t start = clock_ns();
        chain_host_step(&d->host, step, false);
        int64_t took = clock_ns() - start;
        if (step == 1) d->run->out->reference.ns = (double)took * (double)d->steps;
        chain_host_step(&d->host, step, true);
    }
    d->run->out->reference.extrapolated = d->steps > 1;
    d->run->out->reference.scale = (double)d->steps;
}

static bool check(struct chain_device *d, struct error *err) {
    const struct chain *chain = d->host.chain;
    bool varies = false;
    for (int i = 0; i < chain->link_count; i++) varies |= chain->links[i].kernel->nondeterministic != NULL;
    step_references(d, 1, 1);
    if (!run_steps(d, 1, err)) return false;
    judge(d, 1, "error_first");
    if (d->run->out->status == RECORD_FAIL) return true;
    step_references(d, 2, d->steps);
    if (!run_steps(d, d->steps, err)) return false;
    judge(d, d->steps, "error_last");
    void *first = arena_alloc(d->run->arena, 1, (size_t)d->staged);
    memcpy(first, d->readback.host, (size_t)d->staged);
    if (d->run->out->status == RECORD_FAIL || varies) return true;
    if (!run_steps(d, d->steps, err)) return false;
    judge_again(d, first);
    return true;
}

// ---- timing

static bool record_target(const struct timing_device *device, struct work *work, const void *what, struct error *err) {
    const struct chain_device *d = what;
    (void)device;
    return record_steps(d, work, d->steps, err);
}

static bool sample(struct probe_run *run, void *user, double ns[FIGURE_COUNT], struct error *err) {
    struct chain_device *d = user;
    int64_t host = 0, call = 0;
    if (!timing_take(&d->settings, &d->sampler, &ns[FIGURE_COMPUTE], err) ||
        !work_run(run->gpu, d->whole, run->options->timeout_s, &host, &call, err))
        return false;
    ns[FIGURE_END_TO_END] = (double)host;
    ns[FIGURE_SUBMIT] = (double)call;
    return true;
}

static bool measure(struct chain_device *d, struct error *err) {
    struct probe_run *run = d->run;
    d->whole = work_create(run->gpu, 0, err);
    bool ok = d->whole && work_begin(run->gpu, d->whole, err) && record_steps(d, d->whole, d->steps, err) &&
              work_end(run->gpu, d->whole, err) && timing_prepare(&d->settings, &d->sampler, err) &&
              timing_warm_up(&d->settings, &d->sampler, err) && // the clock fell while the references ran
              probe_sample(run, sample, d, NULL, err);
    series_keep_sampler(run->out, &d->sampler);
    timing_close(run->device, &d->sampler);
    if (!ok) return false;
    const double step_ns = run->out->time[FIGURE_COMPUTE].median / (double)d->steps;
    probe_fact(run, "step_ns", step_ns);
    if (d->host.chain->epoch) probe_fact(run, "epoch_ns", step_ns * (double)d->host.chain->epoch);
    return true;
}

bool chain_point(struct probe_run *run, struct error *err) {
    struct chain_device *d = arena_alloc(run->arena, 1, sizeof *d);
    *d = (struct chain_device){.run = run,
        .steps = probe_dim(run, "steps"),
        .settings = {.device = run->device, .timeout_s = run->options->timeout_s, .rule = run->rule},
        .sampler.target = {record_target, d, NULL}};
    bool ok =
        chain_host_open(run->point, run->options->seed, run->arena, &d->host, err) && prepare(d, err) && check(d, err);
    if (ok) probe_fact(run, "links", d->host.chain->link_count);
    if (ok) probe_fact(run, "memory_bytes", (double)gpu_memory_used(run->gpu));
    ok = ok && (!run->options->time || run->out->status == RECORD_FAIL || measure(d, err));
    release(d);
    return ok;
}

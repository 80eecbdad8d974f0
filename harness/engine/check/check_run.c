// SPDX-License-Identifier: Apache-2.0
// A run over poisoned outputs: staged, dispatched, read back.
#include "check_parts.h"
#include "recorded/contents.h"

#include "../../device/device_info.h"
#include "../../device/limits.h"

#include <math.h>
#include <string.h>

bool check_is_packed(const struct check_request *r, uint32_t run) {
    return r->packed && run == 2;
}

bool check_is_folded(const struct check_request *r, uint32_t run) {
    return check_is_packed(r, run) && r->launch->folds && !r->unfolded;
}

bool check_reads_inputs(const struct check_request *r, uint32_t run) {
    return run == 1 || run == RUN_REACHING || check_is_packed(r, run);
}

static void copy_spans(const struct check_request *r, bool up, bool inputs, bool packed) {
    const struct problem *problem = r->problem;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role == ROLE_IN && !inputs) continue;
        if (up && r->memory == CHECK_AS_LEFT && !operand->image && !operand->from) continue;
        uint64_t bytes = operand_span(problem, operand);
        const struct buffer *buffer = packed ? &problem->packed : &operand->device;
        uint64_t at = packed ? problem->packed_at[i] : 0;
        if (up)
            work_copy(r->work, &problem->upload, operand->staging, buffer, at, bytes);
        else
            work_copy(r->work, buffer, at, &problem->readback, operand->staging, bytes);
    }
}

// Returns the word in scratch buffers and their guards; it changes with every run. As an index, the first is far
// outside any buffer, and a kernel following it without writing it may look right. The others are small.
uint32_t check_scratch_word(uint32_t run, int index) {
    return run > 1 ? run - 1 : guard_word(run, 1000u + (uint32_t)index, 0);
}

static void copy_scratch_guards(const struct check_request *r) {
    uint64_t at = 0;
    for (int i = 0; i < r->launch->scratch_count; i++) {
        uint64_t guard = r->problem->guard, after = guard + r->launch->scratch_bytes[i];
        work_copy(r->work, &r->launch->scratch[i], 0, &r->launch->scratch_guards, at, guard);
        work_copy(r->work, &r->launch->scratch[i], after, &r->launch->scratch_guards, at + guard, GUARD_BYTES);
        at += guard + GUARD_BYTES;
    }
}

void check_switch(const struct check_request *r, enum wall_part part) {
    if (r->phases) phase_timer_switch(r->phases, part);
    if (r->share) timer_share_switch(r->share, part);
}

// Fills scratch buffers before run 1. Before a later run they keep what an earlier run wrote, disturbed.
static bool record_scratch(const struct check_request *r, uint32_t run, struct error *err) {
    const uint64_t guard = r->problem->guard;
    for (int i = 0; i < r->launch->scratch_count && r->memory == CHECK_DISTURBED; i++) {
        const struct buffer *scratch = &r->launch->scratch[i];
        const uint64_t bytes = r->launch->scratch_bytes[i];
        const struct binding data = {scratch, guard, bytes};
        const uint32_t word = check_scratch_word(run, i);
        if (run == 1 || !r->stale_memory) {
            work_fill(r->work, scratch, 0, scratch->bytes, word);
            continue;
        }
        work_fill(r->work, scratch, 0, guard, word);
        work_fill(r->work, scratch, guard + bytes, scratch->bytes - guard - bytes, word);
        if (!stale_memory_disturb(r->gpu, r->work, r->stale_memory, &data, (uint32_t)r->problem->key + run,
                check_scratch_word(r->problem->last_run, i), word, err))
            return false;
    }
    return true;
}

// Records the copies of staged operands and the contents of scratch buffers.
static bool record_placing(const struct check_request *r, uint32_t run, bool inputs, bool packed, struct error *err) {
    copy_spans(r, true, inputs, packed);
    if (!record_scratch(r, run, err)) return false;
    work_barrier(r->work);
    return true;
}

bool check_place(const struct check_request *r, struct error *err) {
    problem_stage(r->problem, 1, true);
    if (!buffer_flush(r->gpu, &r->problem->upload, err) || !work_begin(r->gpu, r->work, err)) return false;
    if (!record_placing(r, 1, true, false, err)) return false;
    launch_record_zeros(r->work, r->launch, LAUNCH_PLAIN);
    return work_end(r->gpu, r->work, err) && work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err);
}

// Returns the device's time between both timestamps.
static double time_of(const struct check_request *r) {
    const struct device_info *info = gpu_info(r->gpu);
    uint64_t from, to;
    if (!info->timestamp_bits || !work_ticks(r->work, 0, &from) || !work_ticks(r->work, 1, &to)) return NAN;
    return timestamp_difference_ns(from, to, info->timestamp_bits, info->timestamp_period_ns);
}

static bool run_staged(const struct check_request *r, uint32_t run, bool place, struct error *err) {
    if (!buffer_flush(r->gpu, &r->problem->upload, err)) return false;
    check_switch(r, WALL_COMPUTE);
    if (!work_begin(r->gpu, r->work, err)) return false;
    bool packed = check_is_packed(r, run);
    if (!record_placing(r, run, place, packed, err)) return false;
    if (r->stale_memory && !stale_memory_record(r->gpu, r->work, r->stale_memory, run, err)) return false;
    enum launch_way way = packed ? LAUNCH_PACKED : run == RUN_REACHING ? LAUNCH_REACHING : LAUNCH_PLAIN;
    if (r->ns) work_timestamp(r->work, 0, true);
    if (!launch_record(r->gpu, r->work, r->launch, way, check_is_folded(r, run), err)) return false;
    if (r->ns) work_timestamp(r->work, 1, false);
    copy_spans(r, false, check_reads_inputs(r, run), packed);
    copy_scratch_guards(r);
    work_barrier(r->work);
    if (!work_end(r->gpu, r->work, err) || !work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err)) return false;
    check_switch(r, WALL_DOWNLOAD);
    if (r->ns) *r->ns = time_of(r);
    if (!buffer_invalidate(r->gpu, &r->problem->readback, err)) return false;
    unsigned char *const readback = r->problem->readback.host;
    for (int i = 0; i < r->problem->operand_count; i++)
        recorded_settle(r->problem, i, readback + r->problem->operands[i].staging + r->problem->guard);
    return !r->launch->scratch_count || buffer_invalidate(r->gpu, &r->launch->scratch_guards, err);
}

bool check_run(const struct check_request *r, uint32_t run, struct error *err) {
    bool *placed = check_is_packed(r, run) ? &r->problem->packed_placed : &r->problem->inputs_placed;
    bool place = !*placed;
    check_switch(r, WALL_UPLOAD);
    problem_stage(r->problem, run, place);
    if (r->queue) pthread_mutex_lock(r->queue);
    bool ok = run_staged(r, run, place, err);
    if (r->queue) pthread_mutex_unlock(r->queue);
    *placed |= ok;
    r->problem->last_run = run;
    return ok;
}

// ---- a variant that observes

// Clears the device's buffer, or reads it back.
static bool move_observed(const struct check_request *r, const struct buffer *device, const struct buffer *host,
    bool back, struct error *err) {
    if (!work_begin(r->gpu, r->work, err)) return false;
    if (back)
        work_copy(r->work, device, 0, host, 0, device->bytes);
    else
        work_fill(r->work, device, 0, device->bytes, 0);
    work_barrier(r->work);
    return work_end(r->gpu, r->work, err) && work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err) &&
           (!back || buffer_invalidate(r->gpu, host, err));
}

bool check_observe(const struct check_request *request, const struct built *variant, uint32_t *words, size_t count,
    struct error *err) {
    const uint64_t bytes = count * sizeof *words;
    struct check_request r = *request;
    struct launch launch = {0};
    struct buffer device = {0}, host = {0};
    r.launch = &launch;
    r.stale_memory = NULL;
    r.packed = false;
    bool ok = launch_prepare(r.gpu, r.point, r.problem, variant, &launch, err) &&
              buffer_create(r.gpu, BUFFER_DEVICE, bytes, &device, err) &&
              buffer_create(r.gpu, BUFFER_READBACK, bytes, &host, err);
    for (int i = 0; ok && i < launch.dispatch_count; i++) {
        struct launched *at = &launch.dispatches[i];
        const int behind = variant->behind[at->pass];
        if (behind) at->bindings[LAUNCH_PLAIN][behind] = (struct binding){&device, 0, bytes};
    }
    ok = ok && move_observed(&r, &device, &host, false, err) && check_run(&r, 1, err) &&
         move_observed(&r, &device, &host, true, err);
    if (ok) memcpy(words, host.host, bytes);
    launch_release(r.gpu, &launch);
    buffer_destroy(r.gpu, &device);
    buffer_destroy(r.gpu, &host);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include "../base/clock.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

enum { TRANSFER_SAMPLES = 6 }; // the fewest that give a 95 % interval of the median

static void series_add(struct series *series, double value) {
    if (series->count < MEASURE_MOST) series->values[series->count++] = value;
}

bool measure_keep(struct arena *arena, struct record *record, enum figure figure, const double *values, size_t count) {
    record->time[figure] = summarize(values, count);
    if (!count) return true;
    record->samples[figure] = arena_alloc(arena, count, sizeof(double));
    if (!record->samples[figure]) return false;
    memcpy(record->samples[figure], values, count * sizeof(double));
    return true;
}

// ---- copies between host memory and the staging buffers ----

struct transfer {
    const struct problem *problem;
    const struct operand_data *operand;
    bool in;
};

static void transfer_chunk(void *context, int64_t first, int64_t count) {
    const struct transfer *t = context;
    uint64_t at = t->operand->staging + t->problem->guard + (uint64_t)first;
    if (t->in)
        memcpy(
            (unsigned char *)t->problem->upload.host + at, (unsigned char *)t->operand->image + first, (size_t)count);
    else
        memcpy(
            (unsigned char *)t->operand->got + first, (unsigned char *)t->problem->readback.host + at, (size_t)count);
}

static bool moves(const struct operand_data *operand, bool in) {
    return in ? operand->role != ROLE_OUT : operand->role != ROLE_IN;
}

static bool host_transfer(const struct measure_request *r, bool in, struct error *err) {
    phase_timer_turn(r->phases, in ? WALL_UPLOAD : WALL_DOWNLOAD);
    if (!in && !buffer_invalidate(r->gpu, &r->problem->readback, err)) return false;
    for (int i = 0; i < r->problem->operand_count; i++) {
        struct transfer transfer = {r->problem, &r->problem->operands[i], in};
        if (moves(transfer.operand, in))
            parallel_for((int64_t)transfer.operand->bytes, 1 << 20, transfer_chunk, &transfer);
    }
    bool ok = !in || buffer_flush(r->gpu, &r->problem->upload, err);
    phase_timer_turn(r->phases, WALL_COMPUTE);
    return ok;
}

static void record_copies(const struct measure_request *r, bool in) {
    for (int i = 0; i < r->problem->operand_count; i++) {
        const struct operand_data *operand = &r->problem->operands[i];
        uint64_t at = operand->staging + r->problem->guard;
        if (!moves(operand, in)) continue;
        if (in)
            work_copy(r->work, &r->problem->upload, at, &operand->device, r->problem->guard, operand->bytes);
        else
            work_copy(r->work, &operand->device, r->problem->guard, &r->problem->readback, at, operand->bytes);
    }
}

static double bytes_moved(const struct problem *problem, bool in) {
    double bytes = 0;
    for (int i = 0; i < problem->operand_count; i++)
        if (moves(&problem->operands[i], in)) bytes += (double)problem->operands[i].bytes;
    return bytes;
}

// ---- figures ----

static bool measure_submit(const struct measure_request *r, struct series *out, struct error *err) {
    if (!work_begin(r->gpu, r->work, err) || !work_end(r->gpu, r->work, err)) return false;
    for (int i = 0; i < TRANSFER_SAMPLES * 2 + 1; i++) {
        int64_t host_ns = 0;
        if (!work_run(r->gpu, r->work, r->timeout_s, &host_ns, NULL, err)) return false;
        if (i > 0) series_add(out, (double)host_ns);
    }
    return true;
}

static bool transfers_done(const struct measure_request *r, const struct series *series, int64_t start) {
    if (series->count < 3) return false;
    double spent = (double)(clock_ns() - start) * 1e-9;
    return series->count == MEASURE_MOST || (series->count >= TRANSFER_SAMPLES ? spent > r->settings->point_seconds / 8
                                                                               : spent > r->settings->point_seconds);
}

static bool measure_copies(const struct measure_request *r, bool in, double submit_ns, struct series *device,
    struct series *host, struct error *err) {
    static const struct interval once = {.repeats = 1};
    struct timer timer = {.name = "gpu", .submit_ns = submit_ns};
    if (!work_begin(r->gpu, r->work, err)) return false;
    work_timestamp(r->work, 0, true);
    record_copies(r, in);
    work_timestamp(r->work, 1, false);
    work_barrier(r->work);
    if (!work_end(r->gpu, r->work, err)) return false;
    for (int64_t start = clock_ns(); !transfers_done(r, device, start);) {
        double ns;
        int64_t before = clock_ns();
        if (in) {
            if (!host_transfer(r, true, err)) return false;
            series_add(host, (double)(clock_ns() - before));
        }
        if (!interval_run(r->gpu, r->work, &once, r->timeout_s, &timer, &ns, err)) return false;
        series_add(device, ns);
        before = clock_ns();
        if (!in) {
            if (!host_transfer(r, false, err)) return false;
            series_add(host, (double)(clock_ns() - before));
        }
    }
    return true;
}

bool measure_transfers(const struct measure_request *r, struct transfers *out, struct error *err) {
    struct series *s = out->series;
    if (out->key == r->problem->key) return true;
    *out = (struct transfers){0};
    enum wall_part was = phase_timer_turn(r->phases, WALL_COMPUTE);
    if (!measure_submit(r, &s[FIGURE_SUBMIT], err)) return false;
    out->submit_ns = summarize(s[FIGURE_SUBMIT].values, s[FIGURE_SUBMIT].count).median;
    if (!measure_copies(r, true, out->submit_ns, &s[FIGURE_UPLOAD], &s[FIGURE_HOST_WRITE], err) ||
        !measure_copies(r, false, out->submit_ns, &s[FIGURE_DOWNLOAD], &s[FIGURE_HOST_READ], err))
        return false;
    phase_timer_turn(r->phases, was);
    out->key = r->problem->key;
    return r->problem->inputs_placed = true;
}

// One submission that copies in, computes, copies out.
bool measure_end_to_end(
    const struct measure_request *r, const struct launch *launch, struct series *out, struct error *err) {
    enum wall_part was = phase_timer_turn(r->phases, WALL_COMPUTE);
    out->count = 0;
    if (!work_begin(r->gpu, r->work, err)) return false;
    record_copies(r, true);
    work_barrier(r->work);
    if (!launch_record(r->gpu, r->work, launch, err)) return false;
    record_copies(r, false);
    work_barrier(r->work);
    if (!work_end(r->gpu, r->work, err)) return false;
    for (int64_t start = clock_ns(); !transfers_done(r, out, start);) {
        int64_t before = clock_ns();
        if (!host_transfer(r, true, err) || !work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err) ||
            !host_transfer(r, false, err))
            return false;
        series_add(out, (double)(clock_ns() - before));
    }
    phase_timer_turn(r->phases, was);
    return true;
}

bool measure_keep_transfers(
    struct arena *arena, struct record *record, const struct problem *problem, const struct transfers *transfers) {
    record->upload_bytes = bytes_moved(problem, true);
    record->download_bytes = bytes_moved(problem, false);
    for (int figure = 0; figure < FIGURE_COUNT; figure++) {
        const struct series *series = &transfers->series[figure];
        if (series->count && !measure_keep(arena, record, (enum figure)figure, series->values, series->count))
            return false;
    }
    return true;
}

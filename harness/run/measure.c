// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include "../base/clock.h"
#include "parallel.h"

#include <math.h>
#include <string.h>

enum {
    MOST_SAMPLES = 2000,      // of one figure
    MOST_REPEATS = 2000,      // dispatches in one interval
    TRANSFER_SAMPLES = 6,     // the fewest that give a 95 % interval of the median
    COLD_INTERVALS = MEASURE_TIMESTAMPS / 2,
};
// An interval holds so many ticks of the timer that its grain is below 0.1 %, and at least so long that the
// cost of starting it is small beside it.
static const double ticks_an_interval = 1000, least_interval_ns = 100e3;

struct series {
    double values[MOST_SAMPLES];
    size_t count;
};

static void series_add(struct series *series, double value) {
    if (series->count < MOST_SAMPLES) series->values[series->count++] = value;
}

static bool keep(struct arena *arena, struct record *record, enum figure figure, const struct series *series) {
    record->time[figure] = summarize(series->values, series->count);
    if (!series->count) return true;
    record->samples[figure] = arena_alloc(arena, series->count, sizeof(double));
    if (!record->samples[figure]) return false;
    memcpy(record->samples[figure], series->values, series->count * sizeof(double));
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
        memcpy((unsigned char *)t->problem->upload.host + at, (unsigned char *)t->operand->image + first, (size_t)count);
    else
        memcpy((unsigned char *)t->operand->got + first, (unsigned char *)t->problem->readback.host + at, (size_t)count);
}

static bool moves(const struct operand_data *operand, bool in) {
    return in ? operand->role != ROLE_OUT : operand->role != ROLE_IN;
}

static bool host_transfer(const struct measure_request *r, bool in, struct error *err) {
    if (!in && !buffer_invalidate(r->gpu, &r->problem->readback, err)) return false;
    for (int i = 0; i < r->problem->operand_count; i++) {
        struct transfer transfer = {r->problem, &r->problem->operands[i], in};
        if (moves(transfer.operand, in))
            parallel_for((int64_t)transfer.operand->bytes, 1 << 20, transfer_chunk, &transfer);
    }
    return !in || buffer_flush(r->gpu, &r->problem->upload, err);
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

// ---- one interval, by the GPU's clock or the host's ----

struct clock_choice {
    const char *name;     // "gpu", or "host: reason"
    double submit_ns;     // what an empty submission costs, taken off host intervals
};

// Runs the work and returns the interval between timestamps 0 and 1. Where the device gives none, or one that cannot be
// (backward, zero, longer than the host's), the host clock decides from then on.
static bool interval(const struct measure_request *r, struct clock_choice *clock, double *ns, struct error *err) {
    int64_t host_ns = 0;
    if (!work_run(r->gpu, r->work, r->timeout_s, &host_ns, NULL, err)) return false;
    *ns = work_interval_ns(r->gpu, r->work, 0, 1);
    if (clock->name[0] == 'g') {
        if (*ns > 0 && *ns <= (double)host_ns * 1.001 + 1000) return true;
        clock->name = gpu_info(r->gpu)->timestamp_bits == 0 ? "host: the queue has no timestamps"
                      : *ns < 0                              ? "host: the device wrote no timestamp"
                      : *ns == 0                             ? "host: timestamps did not advance"
                                                             : "host: the device's interval is longer than the host's";
    }
    *ns = fmax((double)host_ns - clock->submit_ns, 1);
    return true;
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

static bool record_repeats(const struct measure_request *r, int repeats, struct error *err) {
    if (!work_begin(r->gpu, r->work, err)) return false;
    work_timestamp(r->work, 0, true);
    for (int i = 0; i < repeats; i++)
        if (!launch_record(r->gpu, r->work, r->launch, err)) return false;
    work_timestamp(r->work, 1, false);
    return work_end(r->gpu, r->work, err);
}

// Dispatches in one interval, from a probe of single ones: enough for the timer, within a tenth of the point's time.
static bool choose_repeats(const struct measure_request *r, struct clock_choice *clock, int *repeats,
    struct error *err) {
    double first, second;
    if (!record_repeats(r, 1, err) || !interval(r, clock, &first, err) || !interval(r, clock, &second, err))
        return false;
    double one = fmax(fmin(first, second), 1);
    double wanted = fmax(ticks_an_interval * gpu_info(r->gpu)->timestamp_period_ns, least_interval_ns) / one;
    double most = r->settings->point_seconds * 1e9 / (2.0 * r->settings->least_samples) / one;
    *repeats = (int)fmax(1, fmin(fmin(ceil(wanted), most), MOST_REPEATS));
    return true;
}

static struct stop_rule rule_of(const struct settings *settings) {
    size_t most = (size_t)settings->most_samples;
    return (struct stop_rule){.least = (size_t)settings->least_samples, .most = most < MOST_SAMPLES ? most : MOST_SAMPLES,
        .precision = settings->precision, .seconds = settings->point_seconds};
}

static bool measure_hot(const struct measure_request *r, struct clock_choice *clock, struct series *out,
    struct record *record, struct error *err) {
    if (!choose_repeats(r, clock, &record->repeats, err)) return false;
    if (record->repeats > 1 && !record_repeats(r, record->repeats, err)) return false;
    struct stop_rule rule = rule_of(r->settings);
    int64_t start = clock_ns();
    double warm, ns;
    if (!interval(r, clock, &warm, err)) return false;
    enum stop_reason stop = STOP_NOT_YET;
    while (stop == STOP_NOT_YET) {
        if (!interval(r, clock, &ns, err)) return false;
        // A first sample far below the warm-up means that warming up was not over: start again from here.
        if (out->count == 1 && out->values[0] > 1.5 * ns / record->repeats) out->count = 0;
        series_add(out, ns / record->repeats);
        stop = stop_check(&rule, out->values, out->count, (double)(clock_ns() - start) * 1e-9);
    }
    record->stop = stop_reason_name(stop);
    return true;
}

// Each dispatch is timed alone, after a fill that is larger than the last-level cache.
static bool measure_cold(const struct measure_request *r, struct clock_choice *clock, struct series *out,
    struct record *record, struct error *err) {
    struct stop_rule rule = rule_of(r->settings);
    int64_t start = clock_ns();
    enum stop_reason stop = STOP_NOT_YET;
    record->repeats = 1;
    for (uint32_t round = 0; stop == STOP_NOT_YET; round++) {
        if (!work_begin(r->gpu, r->work, err)) return false;
        for (int i = 0; i < COLD_INTERVALS; i++) {
            work_fill(r->work, r->sweep, 0, r->sweep->bytes, round);
            work_barrier(r->work);
            work_timestamp(r->work, 2 * i, true);
            if (!launch_record(r->gpu, r->work, r->launch, err)) return false;
            work_timestamp(r->work, 2 * i + 1, false);
        }
        if (!work_end(r->gpu, r->work, err) || !work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err)) return false;
        for (int i = 0; i < COLD_INTERVALS; i++) {
            double ns = work_interval_ns(r->gpu, r->work, 2 * i, 2 * i + 1);
            if (ns <= 0) return error_of_kind(err, ERROR_SKIP, "cold times need timestamps; the device gave none");
            if (round > 0) series_add(out, ns); // the first round warms up everything but the cache
        }
        if (round > 0) stop = stop_check(&rule, out->values, out->count, (double)(clock_ns() - start) * 1e-9);
    }
    clock->name = "gpu";
    record->stop = stop_reason_name(stop);
    return true;
}

static bool transfers_done(const struct measure_request *r, const struct series *series, int64_t start) {
    if (series->count < 3) return false;
    double spent = (double)(clock_ns() - start) * 1e-9;
    return series->count >= TRANSFER_SAMPLES ? spent > r->settings->point_seconds / 8
                                             : spent > r->settings->point_seconds;
}

static bool measure_copies(const struct measure_request *r, bool in, struct clock_choice *clock, struct series *device,
    struct series *host, struct error *err) {
    if (!work_begin(r->gpu, r->work, err)) return false;
    work_timestamp(r->work, 0, true);
    record_copies(r, in);
    work_timestamp(r->work, 1, false);
    work_barrier(r->work);
    if (!work_end(r->gpu, r->work, err)) return false;
    for (int64_t start = clock_ns(); !transfers_done(r, device, start) && device->count < 64;) {
        double ns;
        int64_t before = clock_ns();
        if (in) {
            if (!host_transfer(r, true, err)) return false;
            series_add(host, (double)(clock_ns() - before));
        }
        if (!interval(r, clock, &ns, err)) return false;
        series_add(device, ns);
        before = clock_ns();
        if (!in) {
            if (!host_transfer(r, false, err)) return false;
            series_add(host, (double)(clock_ns() - before));
        }
    }
    return true;
}

// From the operands in host memory to the outputs in host memory: one submission that copies in, computes, copies out.
static bool measure_end_to_end(const struct measure_request *r, struct series *out, struct error *err) {
    if (!work_begin(r->gpu, r->work, err)) return false;
    record_copies(r, true);
    work_barrier(r->work);
    if (!launch_record(r->gpu, r->work, r->launch, err)) return false;
    record_copies(r, false);
    work_barrier(r->work);
    if (!work_end(r->gpu, r->work, err)) return false;
    for (int64_t start = clock_ns(); !transfers_done(r, out, start) && out->count < 64;) {
        int64_t before = clock_ns();
        if (!host_transfer(r, true, err) || !work_run(r->gpu, r->work, r->timeout_s, NULL, NULL, err) ||
            !host_transfer(r, false, err))
            return false;
        series_add(out, (double)(clock_ns() - before));
    }
    return true;
}

bool measure_point(const struct measure_request *request, struct arena *arena, struct record *record,
    struct error *err) {
    struct series *series = arena_alloc(arena, FIGURE_COUNT, sizeof *series);
    if (!series) return error_set(err, STATUS_FAULT, "out of host memory for samples");
    struct clock_choice clock = {.name = "gpu"};
    if (!measure_submit(request, &series[FIGURE_SUBMIT], err)) return false;
    clock.submit_ns = summarize(series[FIGURE_SUBMIT].values, series[FIGURE_SUBMIT].count).median;
    struct clock_choice transfer_clock = clock;
    bool ok = request->sweep ? measure_cold(request, &clock, &series[FIGURE_COMPUTE], record, err)
                             : measure_hot(request, &clock, &series[FIGURE_COMPUTE], record, err);
    ok = ok && measure_copies(request, true, &transfer_clock, &series[FIGURE_UPLOAD], &series[FIGURE_HOST_WRITE], err);
    ok = ok &&
         measure_copies(request, false, &transfer_clock, &series[FIGURE_DOWNLOAD], &series[FIGURE_HOST_READ], err);
    ok = ok && measure_end_to_end(request, &series[FIGURE_END_TO_END], err);
    if (!ok) return false;
    record->clock = clock.name;
    record->cache = request->sweep ? "cold" : "hot";
    record->upload_bytes = bytes_moved(request->problem, true);
    record->download_bytes = bytes_moved(request->problem, false);
    for (int figure = 0; figure < FIGURE_COUNT; figure++)
        if (!keep(arena, record, (enum figure)figure, &series[figure]))
            return error_set(err, STATUS_FAULT, "out of host memory for samples");
    request->problem->inputs_placed = true;
    return true;
}

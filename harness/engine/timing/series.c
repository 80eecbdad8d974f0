// SPDX-License-Identifier: Apache-2.0
#include "series.h"
#include "../../truth/stats/summary.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

const double *series_values(const struct series *series, enum figure figure) {
    return series->values + (size_t)figure * series->room;
}

bool series_take(const struct series_plan *plan, struct series *out, enum stop_reason *stop, struct error *err) {
    const struct timing_device *device = plan->device;
    enum stop_reason now = STOP_NOT_YET;
    int64_t start = device->now(device->context);
    for (size_t round = 0; now == STOP_NOT_YET; round++) {
        double ns[FIGURE_COUNT];
        for (int f = 0; f < FIGURE_COUNT; f++) ns[f] = NAN;
        if (!plan->step(plan->user, ns, err)) return false;
        if (plan->warm && round == 0) continue;
        for (int f = 0; f < FIGURE_COUNT; f++)
            if (isfinite(ns[f]) && out->counts[f] < out->room)
                out->values[(size_t)f * out->room + out->counts[f]++] = ns[f];
        double spent = (double)(device->now(device->context) - start) * 1e-9;
        now = stop_check(&plan->rule, series_values(out, plan->decides), out->counts[plan->decides], spent);
    }
    if (stop) *stop = now;
    return true;
}

void series_keep_figure(
    struct arena *arena, struct record *record, enum figure figure, const double *values, size_t count) {
    record->time[figure] = summarize(values, count);
    if (!count) return;
    record->samples[figure] = arena_alloc(arena, count, sizeof(double));
    memcpy(record->samples[figure], values, count * sizeof(double));
}

void series_keep(struct arena *arena, struct record *record, const struct series *series) {
    for (int f = 0; f < FIGURE_COUNT; f++)
        if (series->counts[f])
            series_keep_figure(arena, record, (enum figure)f, series_values(series, (enum figure)f), series->counts[f]);
}

void series_keep_sampler(struct record *record, const struct sampler *sampler) {
    record->repeats = sampler->interval.repeats;
    record_timed_by(record, sampler->timer.why_host);
    record->cache = sampler->interval.flush ? "cold" : "hot";
}

// ---- the cost of a submission

struct submission {
    const struct timing_device *device;
    struct work *work;
    double timeout_s;
};

static bool submit(void *user, double ns[FIGURE_COUNT], struct error *err) {
    const struct submission *s = user;
    struct reading reading = {0};
    if (!s->device->run(s->device->context, s->work, s->timeout_s, &reading, err)) return false;
    ns[FIGURE_SUBMIT] = (double)reading.host_ns;
    return true;
}

bool series_submission(
    const struct timing_device *device, double timeout_s, struct series *out, double *median_ns, struct error *err) {
    double values[FIGURE_COUNT * SERIES_SUBMISSIONS];
    struct series own = {.values = values, .room = SERIES_SUBMISSIONS}, *series = out ? out : &own;
    static const struct interval empty = {.bare = true};
    struct submission s = {device, device->open(device->context, err), timeout_s};
    const struct series_plan plan = {.device = device,
        .rule = {.least = SERIES_SUBMISSIONS, .most = SERIES_SUBMISSIONS, .precision = -1},
        .decides = FIGURE_SUBMIT,
        .warm = true,
        .step = submit,
        .user = &s};
    bool ok = s.work && timing_record(device, s.work, NULL, &empty, err) && series_take(&plan, series, NULL, err);
    device->close(device->context, s.work);
    if (ok) *median_ns = summarize(series_values(series, FIGURE_SUBMIT), series->counts[FIGURE_SUBMIT]).median;
    return ok;
}

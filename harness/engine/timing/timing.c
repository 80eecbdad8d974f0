// SPDX-License-Identifier: Apache-2.0
#include "timing.h"

#include "../vulkan/gpu.h"
#include "../plan/run_options.h"
#include "../../truth/stats/summary.h"

#include <math.h>

// 1000 ticks make the timer's grain 0.1 %. An interval's first dispatch starts on an idle device. On an NVIDIA H200
// this added 4 to 7 us to intervals of 100 us, for kernels of 50 to 160 us. With 1 ms this is less than 1 %.
static const double ticks_an_interval = 1000, least_interval_ns = 1e6;
enum { MOST_REPEATS = 2000, MOST_ASKED = 20000 }; // in an interval; in one of a requested length
enum { BATCH = 3 };                               // samples in each median of a warm-up
static const double warm_agreement = 0.02;        // between the medians of two successive batches
static const double warm_share = 0.25;            // of the sampling time, for warming up
static const double probe_share = 0.5;            // of the sampling time, for the fewest samples
static const double longest_warmed_ns = 10e6;     // for longer dispatches, the cost of a cold start is negligible
static const double most_growth = 4;              // of the interval, for targets slower than others in turn

double timing_interval_ns(const struct timing_device *device, const struct reading *reading) {
    if (!reading->written || device->timestamp_bits == 0) return -1;
    return timestamp_difference_ns(
        reading->ticks[0], reading->ticks[1], device->timestamp_bits, device->timestamp_period_ns);
}

static bool restore(
    const struct timing_device *device, struct work *work, const struct target *target, struct error *err) {
    return !target || !target->restore || target->restore(device, work, target->what, err);
}

bool timing_record(const struct timing_device *device, struct work *work, const struct target *target,
    const struct interval *interval, struct error *err) {
    if (!device->begin(device->context, work, err)) return false;
    if (interval->warm_up && (!restore(device, work, target, err) || !target->record(device, work, target->what, err)))
        return false;
    if (!restore(device, work, target, err)) return false;
    if (interval->flush) device->flush(device->context, work, interval->flush);
    if (!interval->bare) device->stamp(device->context, work, 0);
    for (int i = 0; i < interval->repeats; i++)
        if (!target->record(device, work, target->what, err)) return false;
    if (!interval->bare) device->stamp(device->context, work, 1);
    return device->end(device->context, work, err);
}

static const char *why_host(const struct timing_device *device, double ns) {
    return device->timestamp_bits == 0 ? "the queue has no timestamps"
           : ns < 0                    ? "the device wrote no timestamp"
           : ns == 0                   ? "timestamps did not advance"
                                       : "the device's interval is longer than the host's";
}

bool timing_run(const struct timing_device *device, struct work *work, const struct interval *interval,
    double timeout_s, struct timer *timer, double *ns, struct error *err) {
    struct reading reading = {0};
    if (!device->run(device->context, work, timeout_s, &reading, err)) return false;
    double host_ns = (double)reading.host_ns;
    *ns = timing_interval_ns(device, &reading);
    int repeats = interval->repeats > 0 ? interval->repeats : 1;
    if (!timer->why_host && *ns > 0 && *ns <= host_ns * 1.001 + 1000) {
        *ns /= repeats;
        return true;
    }
    if (interval->flush) return error_of_kind(err, ERROR_SKIP, "cold times need timestamps; the device gave none");
    if (!timer->why_host) timer->why_host = why_host(device, *ns);
    *ns = fmax(host_ns - timer->submit_ns, 1) / (repeats + interval->warm_up);
    return true;
}

int timing_repeats(const struct timing_device *device, double one_ns, double most_ns) {
    double one = fmax(one_ns, 1);
    double wanted = fmax(ticks_an_interval * device->timestamp_period_ns, least_interval_ns) / one;
    return (int)fmax(1, fmin(fmin(ceil(wanted), most_ns / one), MOST_REPEATS));
}

static bool record(const struct timing_settings *s, struct sampler *sampler, struct error *err) {
    int64_t start = s->device->now(s->device->context);
    bool ok = timing_record(s->device, sampler->work, &sampler->target, &sampler->interval, err);
    sampler->spent_ns += s->device->now(s->device->context) - start;
    return ok;
}

bool timing_take(const struct timing_settings *s, struct sampler *sampler, double *ns, struct error *err) {
    int64_t start = s->device->now(s->device->context);
    bool ok = timing_run(s->device, sampler->work, &sampler->interval, s->timeout_s, &sampler->timer, ns, err);
    sampler->spent_ns += s->device->now(s->device->context) - start;
    return ok;
}

static const struct run_options *options_of(const struct timing_settings *s) {
    static const struct run_options none = {0};
    return s->options ? s->options : &none;
}

// Returns how many dispatches of the fastest target make an interval.
static int wanted_repeats(const struct timing_settings *s, double fastest_ns) {
    const double asked_ns = options_of(s)->interval_s * 1e9;
    if (asked_ns > 0) return (int)fmax(1, fmin(ceil(asked_ns / fastest_ns), MOST_ASKED));
    return timing_repeats(s->device, fastest_ns, s->rule.seconds * 1e9 * probe_share / (double)s->rule.least);
}

bool timing_lengthen(const struct timing_settings *s, struct sampler *sampler, struct error *err) {
    struct interval *interval = &sampler->interval;
    struct shared_interval own = {.fastest_ns = sampler->one_ns, .repeats = interval->repeats};
    struct shared_interval *shared = s->shared ? s->shared : &own;
    if (s->flush) return true;
    const int wanted = wanted_repeats(s, shared->fastest_ns);
    if (wanted > shared->repeats * 5 / 4) shared->repeats = wanted;
    const double slow_ns = fmax(shared->slowest_ns, sampler->one_ns);
    const double most = most_growth * shared->repeats * shared->fastest_ns / slow_ns;
    const bool once = sampler->target.restore || shared->restores;
    const int repeats = once ? 1 : (int)fmax(1, fmin(shared->repeats, most));
    const bool warm_up = s->shared && !options_of(s)->host_clock && slow_ns < longest_warmed_ns;
    if (repeats == interval->repeats && warm_up == interval->warm_up) return true;
    interval->repeats = repeats;
    interval->warm_up = warm_up;
    return record(s, sampler, err);
}

// Notes the time of a dispatch. Disturbances only lengthen it, so the least of all probes counts.
static void note(const struct timing_settings *s, struct sampler *sampler, double ns) {
    sampler->one_ns = sampler->one_ns > 0 ? fmin(sampler->one_ns, ns) : ns;
    if (s->shared && !(s->shared->fastest_ns <= ns && s->shared->fastest_ns > 0)) s->shared->fastest_ns = ns;
}

bool timing_open(const struct timing_settings *s, struct sampler *sampler, struct error *err) {
    double first, second;
    sampler->timer = (struct timer){
        .why_host = options_of(s)->host_clock ? "asked for" : s->device->why_host, .submit_ns = s->submit_ns};
    sampler->work = s->device->open(s->device->context, err);
    sampler->interval = (struct interval){.repeats = 1, .flush = s->flush};
    if (!sampler->work || !record(s, sampler, err) || !timing_take(s, sampler, &first, err) ||
        !timing_take(s, sampler, &second, err))
        return false;
    note(s, sampler, fmin(first, second));
    return true;
}

bool timing_probe(const struct timing_settings *s, struct sampler *sampler, struct error *err) {
    double many;
    if (sampler->interval.repeats == 1 && sampler->one_ns > longest_warmed_ns) return true; // nothing to learn
    if (!timing_take(s, sampler, &many, err)) return false;
    note(s, sampler, many);
    return true;
}

bool timing_prepare(const struct timing_settings *s, struct sampler *sampler, struct error *err) {
    return timing_open(s, sampler, err) && timing_lengthen(s, sampler, err) && timing_probe(s, sampler, err) &&
           timing_lengthen(s, sampler, err);
}

static bool batch(const struct timing_settings *s, struct sampler *sampler, double *median, struct error *err) {
    double values[BATCH];
    for (int i = 0; i < BATCH; i++)
        if (!timing_take(s, sampler, &values[i], err)) return false;
    *median = summarize(values, BATCH).median;
    return true;
}

bool timing_warm_up(const struct timing_settings *s, struct sampler *sampler, struct error *err) {
    double last, now = 0, most_ns = s->rule.seconds * warm_share * 1e9;
    int64_t start = s->device->now(s->device->context);
    if ((double)sampler->spent_ns * BATCH > most_ns) return true; // the probes were long enough
    if (!batch(s, sampler, &last, err)) return false;
    for (; (double)(s->device->now(s->device->context) - start) < most_ns; last = now) {
        if (!batch(s, sampler, &now, err)) return false;
        if (fabs(now - last) <= warm_agreement * last) break;
    }
    return true;
}

void timing_close(const struct timing_device *device, struct sampler *sampler) {
    device->close(device->context, sampler->work);
    *sampler = (struct sampler){.target = sampler->target};
}

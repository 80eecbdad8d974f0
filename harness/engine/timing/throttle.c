// SPDX-License-Identifier: Apache-2.0
#include "throttle.h"

#include "../../truth/stats/summary.h"
#include "../../record/record.h"
#include "../../record/wall.h"

#include <math.h>

static const double throttled_above = 1.1; // of the fixed reference kernel's median, or beyond its noise

static const double unsteady_above = 1.05;
static const int64_t probe_every_ns = 20000000; // a probe of the clock takes 0.3 ms

static bool is_slow(const struct drift *drift, double ratio) {
    return drift->kernel.own_clock && ratio > pace_limit(&drift->pace, throttled_above);
}

// Returns whether such a drift, or the last wait, shows a slow device: beyond 1.1 and beyond the reference kernel's
// noise. Never on a device without its own clock (a CPU), because the kernel then shows other work on the host.
static bool throttle_shows(const struct drift *drift, double ratio) {
    return is_slow(drift, ratio) || drift->pace.slow;
}

static bool settle(struct drift *drift, struct phase_timer *phases, struct error *err) {
    phase_timer_switch(phases, WALL_WAIT);
    bool ok = drift_settle(drift, err);
    phase_timer_switch(phases, WALL_IDLE);
    return ok;
}

// ---- probes

static void note(struct throttle_watch *watch, double ratio) {
    struct clock_probes *probes = &watch->clock_probes;
    if (isnan(ratio)) return;
    probes->least = probes->count ? fmin(probes->least, ratio) : ratio;
    probes->most = probes->count ? fmax(probes->most, ratio) : ratio;
    probes->count++;
}

// Reads the clock at once, because it may be low only for a short time.
static bool note_clock(struct throttle_watch *watch, double ratio, struct error *err) {
    double hz;
    if (!watch->drift->kernel.own_clock || !(ratio > pace_limit(&watch->drift->pace, unsteady_above))) return true;
    if (!drift_clock(watch->drift, &hz, err)) return false;
    watch->clock_probes.least_clock_hz = fmin(watch->clock_probes.least_clock_hz, hz);
    return true;
}

bool throttle_probe(struct throttle_watch *watch, struct error *err) {
    const struct drift_kernel *kernel = &watch->drift->kernel;
    double ratio;
    if (!kernel->own_clock || kernel->now(kernel->context) < watch->next_ns) return true;
    if (!drift_probe(watch->drift, &ratio, err) || !note_clock(watch, ratio, err)) return false;
    note(watch, ratio);
    if (!isnan(ratio)) watch->during[watch->count++ % THROTTLE_KEPT] = ratio;
    watch->next_ns = kernel->now(kernel->context) + probe_every_ns;
    return true;
}

static bool probe(struct throttle_watch *watch, struct phase_timer *phases, double *greatest, struct error *err) {
    double ratio;
    phase_timer_switch(phases, WALL_IDLE);
    if (!drift_sample(watch->drift, &ratio, err) || !note_clock(watch, ratio, err)) return false;
    note(watch, ratio);
    *greatest = fmax(*greatest, ratio); // fmax of a number and NaN is the number
    return true;
}

static bool measure_once(struct drift *drift, const struct throttle_target *target, struct phase_timer *phases,
    struct throttle *out, struct error *err) {
    struct throttle_watch watch = {.drift = drift, .clock_probes.least_clock_hz = NAN};
    out->drift = NAN;
    if (!settle(drift, phases, err) || !probe(&watch, phases, &out->drift, err)) return false;
    phase_timer_switch(phases, WALL_COMPUTE);
    bool ok = target->measure(target->user, &watch, err) && probe(&watch, phases, &out->drift, err);
    phase_timer_switch(phases, WALL_COMPUTE);
    const size_t kept = watch.count < THROTTLE_KEPT ? watch.count : THROTTLE_KEPT;
    out->drift = fmax(out->drift, summarize(watch.during, kept).median);
    out->clock_probes = drift->kernel.own_clock ? watch.clock_probes : (struct clock_probes){0};
    out->clock_probes.noise = drift->pace.noise;
    return ok;
}

bool throttle_measure(struct drift *drift, const struct throttle_target *target, struct phase_timer *phases,
    struct throttle *out, struct error *err) {
    struct throttle_watch after = {.drift = drift};
    double now = NAN;
    int64_t start = drift->kernel.now(drift->kernel.context);
    *out = (struct throttle){0};
    if (!measure_once(drift, target, phases, out, err)) return false;
    if (is_slow(drift, out->drift)) {
        int64_t took = drift->kernel.now(drift->kernel.context) - start;
        if (!settle(drift, phases, err) || !probe(&after, phases, &now, err)) return false;
        if (!throttle_shows(drift, now) && drift_repeats(drift, took)) {
            target->discard(target->user);
            out->remeasured = true;
            if (!measure_once(drift, target, phases, out, err)) return false;
        }
    }
    out->throttled = throttle_shows(drift, out->drift);
    return true;
}

void throttle_keep(const struct throttle *throttle, struct record *record) {
    record->drift = throttle->drift;
    record->throttled = throttle->throttled;
    record->remeasured = throttle->remeasured;
    record->clock_probes = throttle->clock_probes;
}

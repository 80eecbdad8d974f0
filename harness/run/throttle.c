// SPDX-License-Identifier: Apache-2.0
#include "throttle.h"

#include <math.h>

static const double throttled_above = 1.1; // of the fixed reference kernel's median, or beyond its noise

static bool is_slow(const struct drift *drift, double ratio) {
    return drift->kernel.own_clock && ratio > pace_limit(&drift->pace, throttled_above);
}

bool throttle_shows(const struct drift *drift, double ratio) {
    return is_slow(drift, ratio) || drift->pace.slow;
}

static bool settle(struct drift *drift, struct phase_timer *phases, struct error *err) {
    phase_timer_turn(phases, WALL_WAIT);
    bool ok = drift_settle(drift, err);
    phase_timer_turn(phases, WALL_IDLE);
    return ok;
}

static bool look(struct drift *drift, struct phase_timer *phases, double *greatest, struct error *err) {
    double ratio;
    phase_timer_turn(phases, WALL_IDLE);
    if (!drift_sample(drift, &ratio, err)) return false;
    *greatest = fmax(*greatest, ratio); // of a number and NaN, the number
    return true;
}

static bool measure_once(struct drift *drift, const struct throttle_target *target, struct phase_timer *phases,
    double *greatest, struct error *err) {
    *greatest = NAN;
    if (!settle(drift, phases, err) || !look(drift, phases, greatest, err)) return false;
    phase_timer_turn(phases, WALL_COMPUTE);
    bool ok = target->measure(target->user, err) && look(drift, phases, greatest, err);
    phase_timer_turn(phases, WALL_COMPUTE);
    return ok;
}

bool throttle_measure(struct drift *drift, const struct throttle_target *target, struct phase_timer *phases,
    struct throttle *out, struct error *err) {
    double now = NAN;
    int64_t start = drift->kernel.now(drift->kernel.context);
    *out = (struct throttle){0};
    if (!measure_once(drift, target, phases, &out->drift, err)) return false;
    if (is_slow(drift, out->drift)) {
        int64_t took = drift->kernel.now(drift->kernel.context) - start;
        if (!settle(drift, phases, err) || !look(drift, phases, &now, err)) return false;
        if (!throttle_shows(drift, now) && drift_repeats(drift, took)) {
            target->discard(target->user);
            out->again = true;
            if (!measure_once(drift, target, phases, &out->drift, err)) return false;
        }
    }
    out->throttled = throttle_shows(drift, out->drift);
    return true;
}

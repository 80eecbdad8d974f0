// SPDX-License-Identifier: Apache-2.0
// A measurement with probes at the reference kernel before, during and after it. It is repeated if the device was slow
// meanwhile.
#ifndef VKASSAY_TIMING_THROTTLE_H
#define VKASSAY_TIMING_THROTTLE_H

#include "../../record/terms.h"
#include "drift.h"

struct phase_timer;
struct record;

enum { THROTTLE_KEPT = 256 };

// The probes of one measurement.
struct throttle_watch {
    struct drift *drift;
    struct clock_probes clock_probes;
    double during[THROTTLE_KEPT]; // ring of ratios
    size_t count;
    int64_t next_ns; // time of the next probe
};

// Looks at the reference kernel between two samples of a measurement: at the first call, then 20 ms after the last
// probe. Does nothing on devices without a clock of their own. Returns false if the device failed.
bool throttle_probe(struct throttle_watch *watch, struct error *err);

struct throttle_target {
    bool (*measure)(void *user, struct throttle_watch *watch, struct error *err);
    void (*discard)(void *user); // drops its samples before it measures again
    void *user;
};

struct throttle {
    double drift; // largest ratio of the reference kernel: before, after, or the median during; NaN: unknown
    struct clock_probes clock_probes;
    bool throttled;  // the measurement must be marked
    bool remeasured; // it is from the second try
};

// Waits for the device (drift_settle) and measures. It measures a second time if the device was slow meanwhile, is no
// longer slow, and time is left. The second try counts, and is marked if it was slow, too. Returns false if the
// device failed; *out is then invalid.
bool throttle_measure(struct drift *drift, const struct throttle_target *target, struct phase_timer *phases,
    struct throttle *out, struct error *err);

void throttle_keep(const struct throttle *throttle, struct record *record);

#endif

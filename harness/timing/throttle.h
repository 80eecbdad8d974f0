// SPDX-License-Identifier: Apache-2.0
// A measurement with looks at the reference kernel before it, during it and after it; made again when the device was
// slow meanwhile.
#ifndef VKASSAY_RUN_THROTTLE_H
#define VKASSAY_RUN_THROTTLE_H

#include "../record/record.h"
#include "drift.h"

enum { THROTTLE_KEPT = 256 };

// The looks of one measurement.
struct throttle_watch {
    struct drift *drift;
    struct record_looks looks;
    double during[THROTTLE_KEPT]; // ratios, as a ring
    size_t count;
    int64_t next_ns; // no look before that
};

// Looks while something is measured, between two samples: at the first call, and then 20 ms after the last one.
// Does nothing on devices without a clock of their own. False: the device failed.
bool throttle_look(struct throttle_watch *watch, struct error *err);

struct throttle_target {
    bool (*measure)(void *user, struct throttle_watch *watch, struct error *err);
    void (*discard)(void *user); // what it gave, before it measures again
    void *user;
};

struct throttle {
    double drift; // the greatest of the reference kernel's ratios before, after and, in median, during; NaN: not known
    struct record_looks looks;
    bool throttled; // what was measured is to be marked
    bool again;     // it is of the second try
};

// Whether such a drift, or the last wait, shows a slow device: beyond 1.1 and beyond the noise of the reference kernel.
// Never on a device without a clock of its own (a CPU), where that kernel shows other work on the host.
bool throttle_shows(const struct drift *drift, double ratio);

// Waits for the device (drift_settle) and measures. A second time when the device was slow meanwhile, is no more, and
// there is time: what that gives counts, and is marked if it was slow again. False: the device failed; *out is then
// not to be read.
bool throttle_measure(struct drift *drift, const struct throttle_target *target, struct phase_timer *phases,
    struct throttle *out, struct error *err);

#endif

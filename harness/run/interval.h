// SPDX-License-Identifier: Apache-2.0
// One interval: a recording of some dispatches of a launch between two fenced timestamps, and its time by the GPU's
// clock or, where that cannot be right, by the host's.
#ifndef VKASSAY_RUN_INTERVAL_H
#define VKASSAY_RUN_INTERVAL_H

#include "program.h"

// Which clock decides. Zeroed but for `name` ("gpu") and submit_ns at the start; the first reading that cannot be right
// makes it "host: reason", for all later readings.
struct timer {
    const char *name;
    double submit_ns; // what an empty submission costs: taken off host intervals
};

// What a recording holds.
struct interval {
    int repeats;                // dispatches between the timestamps, a barrier after each
    bool lead;                  // one more before the first timestamp, so that instructions and operands are where they
                                // will be: for recordings of several kernels that take turns
    const struct buffer *flush; // filled before everything else, so that caches hold nothing of use; NULL: not
};

// Records it into `work`, which keeps it until its next recording.
bool interval_record(struct gpu *gpu, struct work *work, const struct launch *launch, const struct interval *interval,
    struct error *err);

// Runs what was recorded and gives nanoseconds of one dispatch. False: the device failed.
bool interval_run(struct gpu *gpu, struct work *work, const struct interval *interval, double timeout_s,
    struct timer *timer, double *ns, struct error *err);

// How many dispatches of `one_ns` each make an interval in which the timer's grain is below 0.1 % and the cost of
// starting it is small; `most_ns` bounds the interval (below that, 1).
int interval_repeats(const struct device_info *device, double one_ns, double most_ns);

#endif

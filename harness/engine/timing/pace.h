// SPDX-License-Identifier: Apache-2.0
// Decides whether the device is as fast as before, and how long to wait until it is. It does not use Vulkan. The
// caller provides the reference kernel's times and the clock, so tests can make them up.
//
// The level is the median of the latest samples. A lucky sample or a slow spell does not move it. If the device stays
// slower (or faster), the level finally follows. Waiting begins above 1.05 of the level and ends at 1.02 of it, or
// further away if the samples scatter as much (noise).
//
// Waiting is bounded. Each point may wait PACE_FREE_NS, because a device that waited for the host has lowered its
// clock. Further waiting is limited to 1 s for a point, a tenth of the time since the start, and 60 s in all. After a
// wait in vain, the next one may last half as long, until the device is fast again. Samples taken while it is slow
// must be marked (slow).
#ifndef VKASSAY_TIMING_PACE_H
#define VKASSAY_TIMING_PACE_H

#include "../../base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PACE_KEPT = 256, PACE_FREE_NS = 100000000 };

struct pace {
    double times[PACE_KEPT]; // ring of the latest samples
    size_t count;
    double level;        // their median; NaN before the first
    double noise;        // standard deviation of a sample, as a share of the level
    bool slow;           // at the last check; what is measured now must be marked
    int64_t patience_ns; // limit of the next wait, beyond PACE_FREE_NS
    int64_t start_ns;
    int64_t spent_ns; // of the limited time
};

// The device as seen while waiting.
struct pace_device {
    bool (*sample)(void *user, double *ns, struct error *err); // times the reference kernel once
    bool (*busy)(void *user, struct error *err);               // keeps the device busy for a while
    int64_t (*now)(void *user);
    void *user;
};

void pace_start(struct pace *pace, int64_t now_ns);
// Adds a sample to the level. Returns its ratio to the new level.
double pace_add(struct pace *pace, double ns);
// Returns the limit of a sample's ratio to the level, above which the device is slow. It is `least`, or a margin of
// five times the noise if this is more.
double pace_limit(const struct pace *pace, double least);
// Keeps the device busy until it is as fast as its level, or no time is left for this. Returns false if the device
// failed.
bool pace_settle(struct pace *pace, const struct pace_device *device, struct error *err);
// Returns whether a measurement of `took_ns` may be repeated. If so, its time is charged to the waiting budget.
bool pace_repeats(struct pace *pace, int64_t took_ns, int64_t now_ns);

#endif

// SPDX-License-Identifier: Apache-2.0
// Whether the device is as fast as it has been, and how long to wait until it is. Nothing of Vulkan: a reference
// kernel's times and the clock come from the caller, so that tests make them up.
//
// The level is the median of the latest samples: one lucky sample, or a slow spell, does not move it, and a device that
// stays slower (or faster) moves it in the end. Waiting begins above 1.05 of the level and ends at 1.02 of it, or
// further away where the samples themselves scatter as much (noise).
//
// Waiting is bounded. A point may spend its first PACE_FREE_NS, as a device that waited for the host has lowered its
// clock; what it spends beyond that, at most 1 s, comes out of a tenth of the time since the start, and of 60 s in all.
// Whoever waits in vain makes the next one wait half as long, until the device is as fast again. Samples taken while it
// is slow are to be marked (slow).
#ifndef VKASSAY_RUN_PACE_H
#define VKASSAY_RUN_PACE_H

#include "../base/error.h"

#include <stddef.h>
#include <stdint.h>

enum { PACE_KEPT = 256, PACE_FREE_NS = 100000000 };

struct pace {
    double times[PACE_KEPT]; // the latest samples, as a ring
    size_t count;
    double level;        // their median; NaN before the first
    double noise;        // standard deviation of one of them, as a share of the level
    bool slow;           // when last looked at, so that what is measured now is to be marked
    int64_t patience_ns; // of the next that waits, beyond PACE_FREE_NS
    int64_t start_ns;
    int64_t spent_ns; // of what is bounded
};

// What is looked at while waiting.
struct pace_device {
    bool (*sample)(void *user, double *ns, struct error *err); // one time of the reference kernel
    bool (*busy)(void *user, struct error *err);               // keeps the device busy for a while
    int64_t (*now)(void *user);
    void *user;
};

void pace_start(struct pace *pace, int64_t now_ns);
// One sample more of the level; its ratio to the level with it.
double pace_add(struct pace *pace, double ns);
// The ratio to the level above which a sample shows a slow device: `least`, or five times the noise where that is more.
double pace_limit(const struct pace *pace, double least);
// Keeps the device busy until it is as fast as its level, or no time for that is left. False: the device failed.
bool pace_settle(struct pace *pace, const struct pace_device *device, struct error *err);
// Whether a measurement that took so long may be made again; if so, that comes out of what may be waited.
bool pace_repeats(struct pace *pace, int64_t took_ns, int64_t now_ns);

#endif

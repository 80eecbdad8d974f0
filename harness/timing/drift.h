// SPDX-License-Identifier: Apache-2.0
// The fixed reference kernel: timed beside every point, so that a clock that changes is seen on any vendor; and run
// in bulk before timing, as a GPU that waited for the host has lowered its clock. The kernel is an interface, so that
// tests make its times up.
#ifndef VKASSAY_RUN_DRIFT_H
#define VKASSAY_RUN_DRIFT_H

#include "pace.h"

struct drift_kernel {
    void *context;
    bool timestamps;  // without them nothing is looked at
    bool own_clock;   // the device's, and not the host's as on a CPU: only then it is waited for
    bool reads_clock; // its shaders can read the clock of their cores
    int64_t (*now)(void *context);
    // Workgroups of so many rounds each: nanoseconds by the device's timestamps (0 or less: they are of no use), and
    // the ticks of the cores' clock that one of them took (`ticks` may be NULL).
    bool (*run)(void *context, uint32_t rounds, uint32_t groups, double *ns, uint32_t *ticks, struct error *err);
};

struct drift {
    struct drift_kernel kernel;
    uint32_t rounds; // of a sample
    struct pace pace;
};

// Finds how many rounds last about 100 us, and what the level is. False: the device failed.
bool drift_start(struct drift *drift, const struct drift_kernel *kernel, struct error *err);

// Keeps the device busy until the reference kernel is as fast as its median, as long as there is time to wait (pace.h).
// Does nothing on devices without a clock of their own.
bool drift_settle(struct drift *drift, struct error *err);
// Whether a measurement during which the device was slow, and which took so long, may be made again within what may be
// waited.
bool drift_repeats(struct drift *drift, int64_t took_ns);

// Times it a few times more; *ratio is the least of these times over the median so far (1 at first), NaN without
// timestamps.
bool drift_sample(struct drift *drift, double *ratio, struct error *err);

// The same of a time that leaves the level as it is: of a look during a measurement, whose heat is no level.
bool drift_look(struct drift *drift, double *ratio, struct error *err);

// The clock of the shader cores just now, in Hz, where a shader can read it (VK_KHR_shader_clock on a GPU); else NaN.
bool drift_clock(struct drift *drift, double *hz, struct error *err);

#endif

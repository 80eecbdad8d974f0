// SPDX-License-Identifier: Apache-2.0
// The fixed reference kernel. It is timed beside every point, to show a changing clock on any vendor's device. It
// runs in bulk before timing, because a GPU lowers its clock while it waits for the host. The kernel is an interface,
// so tests can make up its times.
#ifndef VKASSAY_TIMING_DRIFT_H
#define VKASSAY_TIMING_DRIFT_H

#include "pace.h"

struct drift_kernel {
    void *context;
    bool timestamps;  // false: nothing is probed
    bool own_clock;   // it is not the host's clock, as on a CPU; only then the device is waited for
    bool reads_clock; // its shaders can read their cores' clock
    int64_t (*now)(void *context);
    // Runs `groups` workgroups of `rounds` rounds each. Sets *ns to the time by the device's timestamps (0 or less:
    // unusable). Sets *ticks to the time of one workgroup in ticks of the cores' clock (`ticks` may be NULL).
    bool (*run)(void *context, uint32_t rounds, uint32_t groups, double *ns, uint32_t *ticks, struct error *err);
};

struct drift {
    struct drift_kernel kernel;
    uint32_t rounds; // of a sample
    struct pace pace;
};

// Finds how many rounds last about 100 us, and the level. Returns false if the device failed.
bool drift_start(struct drift *drift, const struct drift_kernel *kernel, struct error *err);

// Returns whether the device's clock passes as the host's does: runs of some milliseconds, by both clocks. The host's
// time is longer, by the submission and by disturbances, so the nearest of some runs counts. *ns and *host_ns are of
// it. A device without timestamps agrees.
bool drift_agrees(struct drift *drift, bool *agrees, double *ns, double *host_ns, struct error *err);

// Keeps the device busy until the reference kernel is as fast as its median, or no time to wait is left (pace.h).
// Does nothing on devices without a clock of their own.
bool drift_settle(struct drift *drift, struct error *err);
// Returns whether a slowed-down measurement of `took_ns` may be repeated within the waiting budget.
bool drift_repeats(struct drift *drift, int64_t took_ns);

// Times the kernel a few more times. *ratio is the least of these times over the median so far (1 at first); NaN
// without timestamps.
bool drift_sample(struct drift *drift, double *ratio, struct error *err);

// Does the same without changing the level, for a probe during a measurement. The heat of a measurement is no level.
bool drift_probe(struct drift *drift, double *ratio, struct error *err);

// Reads the current clock of the shader cores in Hz, if a shader can read it (VK_KHR_shader_clock on a GPU); else
// NaN.
bool drift_clock(struct drift *drift, double *hz, struct error *err);

#endif

// SPDX-License-Identifier: Apache-2.0
// The figures of a point beside compute, each with its own samples. End to end is a kernel's; the others are the same
// for every kernel and shape of a problem, and measured once for it.
#ifndef VKASSAY_RUN_MEASURE_H
#define VKASSAY_RUN_MEASURE_H

#include "../check/inputs/problem_data.h"
#include "series.h"

struct measure_request {
    const struct timing_device *device;
    struct problem *problem;
    double point_seconds; // of the suite
    double timeout_s;
    struct phase_timer *phases;
};

enum { MEASURE_MOST = 64 };

// What does not depend on the kernel.
struct transfers {
    uint64_t key; // of the problem they are of; 0: nothing measured yet
    double values[FIGURE_COUNT * MEASURE_MOST];
    struct series series; // over them; those of compute and end to end stay empty
    double submit_ns;
};

// Brings *transfers to the request's problem; what it holds of that already is kept. False: the device failed.
bool measure_transfers(const struct measure_request *request, struct transfers *transfers, struct error *err);

// From the operands in host memory to the outputs in host memory, through the device.
bool measure_end_to_end(const struct measure_request *request, const struct target *kernel, struct arena *arena,
    struct record *record, struct error *err);

// Those of `transfers`, and how much they moved.
void measure_keep_transfers(
    struct arena *arena, struct record *record, const struct problem *problem, const struct transfers *transfers);

#endif

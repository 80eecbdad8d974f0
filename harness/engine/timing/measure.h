// SPDX-License-Identifier: Apache-2.0
// The figures of a point besides compute, each with its own samples. End to end is a kernel's figure. The others are
// equal for every kernel and shape of a problem, so they are measured once per problem.
#ifndef VKASSAY_TIMING_MEASURE_H
#define VKASSAY_TIMING_MEASURE_H

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

// The figures independent of the kernel.
struct transfers {
    uint64_t key; // of their problem; 0: nothing measured yet
    double values[FIGURE_COUNT * MEASURE_MOST];
    struct series series; // over `values`; compute and end to end stay empty
    double submit_ns;
};

// Measures the transfers of the request's problem, unless *transfers already has them. Returns false if the device
// failed.
bool measure_transfers(const struct measure_request *request, struct transfers *transfers, struct error *err);

// Measures the way from operands in host memory, through the device, to outputs in host memory.
bool measure_end_to_end(const struct measure_request *request, const struct target *kernel, struct arena *arena,
    struct record *record, struct error *err);

// Puts `transfers` and the bytes they moved into a record.
void measure_keep_transfers(
    struct arena *arena, struct record *record, const struct problem *problem, const struct transfers *transfers);

#endif

// SPDX-License-Identifier: Apache-2.0
// The seven figures of a point, each with its own samples. Compute and end to end are a kernel's; the others are the
// same for every kernel and shape of a problem, and measured once for it.
#ifndef VKASSAY_RUN_MEASURE_H
#define VKASSAY_RUN_MEASURE_H

#include "../record/record.h"
#include "interval.h"

struct measure_request {
    struct gpu *gpu;
    struct work *work; // with room for two timestamps
    struct problem *problem;
    const struct settings *settings;
    double timeout_s;
    struct phase_timer *phases;
};

enum { MEASURE_MOST = 64 };
struct series {
    double values[MEASURE_MOST];
    size_t count;
};

// What does not depend on the kernel.
struct transfers {
    uint64_t key;                       // of the problem they are of; 0: nothing measured yet
    struct series series[FIGURE_COUNT]; // those of compute and end to end stay empty
    double submit_ns;
};

// Brings *transfers to the request's problem; what it holds of that already is kept. False: the device failed.
bool measure_transfers(const struct measure_request *request, struct transfers *transfers, struct error *err);

// From the operands in host memory to the outputs in host memory, through the device.
bool measure_end_to_end(
    const struct measure_request *request, const struct launch *launch, struct series *out, struct error *err);

// Samples of a figure into a record, with their summary. False: out of memory.
bool measure_keep(struct arena *arena, struct record *record, enum figure figure, const double *values, size_t count);

// Those of `transfers`, and how much they moved.
bool measure_keep_transfers(
    struct arena *arena, struct record *record, const struct problem *problem, const struct transfers *transfers);

#endif

// SPDX-License-Identifier: Apache-2.0
// The seven figures of a point, each with its own samples.
#ifndef VKASSAY_RUN_MEASURE_H
#define VKASSAY_RUN_MEASURE_H

#include "../record/record.h"
#include "program.h"

enum { MEASURE_TIMESTAMPS = 32 }; // that the work must have room for

struct measure_request {
    struct gpu *gpu;
    struct work *work;
    struct problem *problem;
    const struct launch *launch;
    const struct settings *settings;
    const struct buffer *sweep; // larger than the last-level cache, for cold samples; NULL: hot
    double timeout_s;
};

// Fills record->time, samples, repeats, stop, clock. False: the device failed.
bool measure_point(const struct measure_request *request, struct arena *arena, struct record *record, struct error *err);

#endif

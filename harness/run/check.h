// SPDX-License-Identifier: Apache-2.0
// The check of one point: poison, run, guards, inputs unchanged, judge, and a second run for equal bits.
#ifndef VKASSAY_RUN_CHECK_H
#define VKASSAY_RUN_CHECK_H

#include "../record/record.h"
#include "program.h"
#include "truth.h"

struct check_request {
    struct gpu *gpu;
    struct work *work;
    struct problem *problem;
    const struct launch *launch;
    const struct truth *truth;
    const struct point *point;
    struct policy policy;
    double timeout_s;
};

// Runs the kernel twice and fills record->check; a wrong result sets the status to fail with the reason.
// False: the device failed. *judge_ns receives the host time that judging took.
bool check_point(const struct check_request *request, struct arena *arena, struct record *record, int64_t *judge_ns,
    struct error *err);

#endif

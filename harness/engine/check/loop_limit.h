// SPDX-License-Identifier: Apache-2.0
// Detects drivers that end an invocation's loops after some number of iterations, whatever their conditions. Such a
// driver is lavapipe, after 65,535 iterations of all loops together (LP_MAX_TGSI_LOOP_ITERATIONS in Mesa's
// gallivm/lp_bld_limits.h).
#ifndef VKASSAY_CHECK_LOOP_LIMIT_H
#define VKASSAY_CHECK_LOOP_LIMIT_H

#include "check.h"
#include "../program/program.h"

// The limit of a device; zeroed: not probed yet.
struct loop_limit {
    bool probed;
    uint32_t iterations; // after which the driver ends loops; 0: it does not
};

// Counts the iterations of one long loop on the device, unless that was done before. Returns false if the device
// failed.
bool loop_limit_probe(struct gpu *gpu, const struct run_options *options, struct loop_limit *limit, struct error *err);

// Skips a record instead of failing it if only values were wrong or missing, and the driver ended loops of the kernel.
// The kernel runs once more with its loops watched (spirv/changes.h). `request` is the failed one; `iterations` is
// from the probe. Returns false if the device failed.
bool loop_limit_excuse(const struct check_request *request, const struct built *built,
    const struct run_options *options, uint32_t iterations, struct arena *arena, struct record *record,
    struct error *err);

#endif

// SPDX-License-Identifier: Apache-2.0
// The state of one call of bench, check or a command built on them: its request and the results written so far.
#ifndef VKASSAY_COMMANDS_BENCH_RUN_H
#define VKASSAY_COMMANDS_BENCH_RUN_H

#include "../../engine/supervise/expectations.h"
#include "bench_devices.h"
#include "../prepare.h"

struct run {
    struct arena *arena;
    const struct options *options;
    const struct bench *bench;
    bool sampled;      // the sampled tier, starting from the suite
    bool compile_only; // each pipeline is built once, and nothing is run
    bool exhaustive;   // the exhaustive tier, instead of a suite
    struct prepared prepared;
    struct suite suite;
    struct expectations expectations;
    const char *include_folders[OPTION_LIST + 2];
    size_t include_count;
    const char *results[64]; // paths of written results; room for the most devices that can be chosen
    size_t result_count;
};

// Finishes a device's run, complete or not: writes and shows the result, and releases its memory. False: err says
// what failed; a partial result may have been written.
bool bench_end_device(struct run *run, struct device_run *one, enum status *status, struct error *err);

#endif

// SPDX-License-Identifier: Apache-2.0
// One call of bench, check or what begins as they do: what it is asked, and what it has written so far.
#ifndef VKASSAY_COMMANDS_BENCH_RUN_H
#define VKASSAY_COMMANDS_BENCH_RUN_H

#include "../../supervise/expectations.h"
#include "bench_devices.h"
#include "../prepare.h"

struct run {
    struct arena *arena;
    const struct options *options;
    const struct bench *bench;
    bool sampled;    // the sampled tier: the suite is what it starts from
    bool exhaustive; // the tier, instead of a suite
    struct prepared prepared;
    struct suite suite;
    struct expectations expectations;
    const char *include_folders[OPTION_LIST + 2];
    size_t include_count;
    const char *results[64]; // paths of what was written, as many as devices can be chosen
    size_t result_count;
};

// Takes a device's run to its end, whether it is whole or not: the result is written and shown. False: err says what
// failed, maybe after a result of what there is by then. Lets go of what the run holds.
bool bench_end_device(struct run *run, struct device_run *one, enum status *status, struct error *err);

#endif

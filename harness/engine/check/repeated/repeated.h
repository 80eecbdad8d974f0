// SPDX-License-Identifier: Apache-2.0
// Many executions of a point that passed: how often do its outputs differ, and how often are they wrong?
//
// Each output is hashed on the device and compared with the hash of the judged one. The first output of a submission
// that differs is kept on the device, downloaded and judged.
#ifndef VKASSAY_CHECK_REPEATED_H
#define VKASSAY_CHECK_REPEATED_H

#include "../check.h"

struct repeater;

// Returns NULL on failure.
struct repeater *repeater_open(struct gpu *gpu, const struct run_options *options, struct error *err);
void repeater_close(struct gpu *gpu, struct repeater *repeater); // accepts NULL

// Runs options->repeat executions in each state (record->check.repeated), and as many beside other work if
// options->busy. The record fails if any differs, or with a `nondeterministic` kernel if any is wrong. A kernel that
// changes its inputs or places its operands is not repeated. The outputs kept on the host stay as they are. Returns
// false if the device failed.
bool repeater_check(struct repeater *repeater, const struct check_request *request, const struct run_options *options,
    struct arena *arena, struct record *record, struct error *err);

#endif

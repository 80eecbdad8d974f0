// SPDX-License-Identifier: Apache-2.0
// The run before a run, if both are kept in folders beside each other.
#ifndef VKASSAY_COMMANDS_LAST_RUN_H
#define VKASSAY_COMMANDS_LAST_RUN_H

#include "../../record/compare.h"

// Compares DEVICE/RUN/result.jsonl with the newest earlier DEVICE/OTHER/result.jsonl of the same device, driver, suite
// or capture, seed and profile. Runs are named by their start. False: there is none. The caller calls comparison_free
// first, then result_free on *last; both results must outlive the comparison.
bool last_run(const char *path, const struct result *result, struct result *last, struct comparison *out);

#endif

// SPDX-License-Identifier: Apache-2.0
// The run before a run, where both are kept in folders beside each other.
#ifndef VKASSAY_COMMANDS_LAST_RUN_H
#define VKASSAY_COMMANDS_LAST_RUN_H

#include "../../record/compare.h"

// Of DEVICE/RUN/result.json the newest earlier DEVICE/OTHER/result.json of the same device, driver, suite, seed and
// profile, compared with it: runs are named by when they began. False where there is none. *last is released with
// result_free after the comparison is, with comparison_free; both results must outlive it.
bool last_run(const char *path, const struct result *result, struct result *last, struct comparison *out);

#endif

// SPDX-License-Identifier: Apache-2.0
// Where baselines are kept, and what of a result they hold.
#ifndef VKASSAY_COMMANDS_BASELINE_H
#define VKASSAY_COMMANDS_BASELINE_H

#include "../record/result.h"
#include "options.h"

// DIR/DEVICE-DRIVER/SUITE.json, as reports/baselines/nvidia-h200-580-159-04/gate.json; in the arena.
const char *baseline_path(
    struct arena *arena, const struct options *options, const struct device_info *device, const char *suite);

// Writes what comparing needs of a result: records as they are, but of the times the compute figure alone, its raw
// samples rounded to six digits. The records of `result` are changed.
bool baseline_write(struct arena *arena, struct result *result, const char *path, struct error *err);

#endif

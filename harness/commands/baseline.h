// SPDX-License-Identifier: Apache-2.0
// The baselines that gates compare with.
#ifndef VKASSAY_COMMANDS_BASELINE_H
#define VKASSAY_COMMANDS_BASELINE_H

#include "../record/device_key.h"
#include "options.h"

// Returns the path of the baseline for a device and a suite, in the arena: DIR/DEVICE-DRIVER/SUITE.json, for example
// reports/baselines/nvidia-h200-580-159-04/gate.json. The newest baseline of a model and driver is there. An older one
// of another unit is beside it as SUITE-UNIT.json, for that unit.
const char *baseline_path(struct arena *arena, const struct options *options, struct device_key key, const char *suite);

// `gate --save-baseline`: runs the suite, or the selected part, and saves its result as a baseline. Words that are
// results are saved instead.
bool baseline_save(struct arena *arena, const struct options *options, enum status *status, struct error *err);

#endif

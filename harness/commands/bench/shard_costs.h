// SPDX-License-Identifier: Apache-2.0
// Costs of the points of a plan, to make shards take equally long.
#ifndef VKASSAY_COMMANDS_SHARD_COSTS_H
#define VKASSAY_COMMANDS_SHARD_COSTS_H

#include "../../plan/suite.h"
#include "../../run/run.h"

// Returns the seconds of each point, in the arena. They come from an earlier result of the device at `path`. Points
// missing there, or all if path is NULL, are estimated (runner_cost).
// NULL: the result cannot be read; err says why.
const double *shard_costs(struct arena *arena, const struct plan *plan, const struct run_options *run,
    const struct device_info *device, const char *path, struct error *err);

#endif

// SPDX-License-Identifier: Apache-2.0
// What the points of a plan cost, for shards that take alike long.
#ifndef VKASSAY_COMMANDS_SHARD_COSTS_H
#define VKASSAY_COMMANDS_SHARD_COSTS_H

#include "../../plan/suite.h"
#include "../../run/run.h"

// Seconds of each point, in the arena: those that an earlier result of the device says that it took (`path`), and for
// points that it has not, and all where path is NULL, an estimate from their operations and bytes, which knows no
// device. NULL: the result cannot be read, err says why.
const double *shard_costs(
    struct arena *arena, const struct plan *plan, const struct run_options *run, const char *path, struct error *err);

#endif

// SPDX-License-Identifier: Apache-2.0
#include "tune.h"

#include "command.h"

int command_tune(struct arena *arena, const struct options *options, struct error *err) {
    if (options->simulate) return tune_simulate(arena, options, err);
    error_set(err, STATUS_USAGE, "tune: expected --simulate");
    return -1;
}

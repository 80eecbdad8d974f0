// SPDX-License-Identifier: Apache-2.0
#ifndef VKASSAY_RUN_ALONE_H
#define VKASSAY_RUN_ALONE_H

#include "../run.h"

// Runs a point by itself, as runner_points does.
static inline bool run_alone(
    struct runner *runner, const struct point *point, struct arena *arena, struct record *out) {
    size_t lost;
    return runner_points(runner, point, 1, arena, out, &lost, NULL, NULL);
}

#endif

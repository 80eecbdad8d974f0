// SPDX-License-Identifier: Apache-2.0
// A point of two versions of a kernel, timed as pairs.
#ifndef VKASSAY_RUN_PAIR_H
#define VKASSAY_RUN_PAIR_H

#include "run.h"

struct pair_side {
    const struct point *point;          // NULL: this version has no such point
    const char *const *include_folders; // searched for its includes
    size_t include_count;
    struct record *record; // to be filled
};

// Checks both sides (0: the base). If both are right, times them in paired rounds in ABBA order, with equally many
// samples of both (timing/pairs.h). It stops once the interval of the ratio is within a quarter of `effect`, or the
// point's time is spent on each. A side without the other is only checked. Returns false if the device is unusable; the
// records have the reason. `alive` (may be NULL) is called with a side's index before it is built and checked, and with
// 2 before each timed session.
bool runner_pair(struct runner *runner, const struct pair_side sides[2], double effect, struct arena *arena,
    void (*alive)(void *user, size_t index), void *user);

#endif

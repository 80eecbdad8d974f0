// SPDX-License-Identifier: Apache-2.0
// One point of two versions of a kernel, timed as pairs.
#ifndef VKASSAY_RUN_PAIR_H
#define VKASSAY_RUN_PAIR_H

#include "run.h"

struct pair_side {
    const struct point *point;          // NULL: this version has no such point
    const char *const *include_folders; // searched for its includes
    size_t include_count;
    struct record *record; // filled
};

// Checks both sides (0: the base), and times them in paired rounds if both are right, until the interval of the ratio
// is within a quarter of `effect` or twice the point's time is spent: equally many samples of both, in ABBA order. One
// side alone is checked. False: the device is of no more use; the records say why. `alive` (may be NULL) is called
// before a side is built and checked, with its index, and before each session of both is timed, with 2.
bool runner_pair(struct runner *runner, const struct pair_side sides[2], double effect, struct arena *arena,
    void (*alive)(void *user, size_t index), void *user);

#endif

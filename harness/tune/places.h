// SPDX-License-Identifier: Apache-2.0
// Where shapes lie to each other: each tunable is an axis, and its values are the steps.
#ifndef VKASSAY_TUNE_PLACES_H
#define VKASSAY_TUNE_PLACES_H

#include "search.h"

// From the last part of points' names, "wg=16x16x1,TILE_K=16"; steps are the ranks of the values that
// occur. Names of another form stand at step 0 of every axis. `expected` is NaN.
struct place *places_of_names(struct arena *arena, const char *const *names, size_t count, int *axes);

#endif

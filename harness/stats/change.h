// SPDX-License-Identifier: Apache-2.0
// Change points of a series of runs.
#ifndef VKASSAY_STATS_CHANGE_H
#define VKASSAY_STATS_CHANGE_H

#include <stddef.h>

// Where the level of a series changes: changes[] receives the index of the first value of each new level, in order;
// returns how many there are, `room` at most. Binary segmentation (Scott and Knott 1974): the split whose rank sum lies
// farthest from what chance gives (Pettitt 1979, each split scaled by its own deviation) is kept when no more than 5 %
// of 999 shuffles of the series have one as far (the permutation test of Matteson and James 2014) and the medians
// beside it differ by `effect` (0.03: 3 %) or more; then both parts are searched. With fewer than eight values no split
// can pass. Values must be finite and above 0; the same series gives the same answer.
size_t change_points(const double *values, size_t count, double effect, size_t *changes, size_t room);

#endif

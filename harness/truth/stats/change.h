// SPDX-License-Identifier: Apache-2.0
// Change points of a series of runs.
#ifndef VKASSAY_STATS_CHANGE_H
#define VKASSAY_STATS_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

// Limits on the size of a change. The test against chance is separate.
struct change_rules {
    double effect; // smallest difference of two levels, as a share (0.03: 3 %)
    bool noise;    // the difference must also reach change_noise
};

struct change {
    size_t at;    // index of the first value of the new level
    double least; // the difference required there, as a share
};

// Returns the noise of a series before `at`, as a share. The limit is Tukey's outer fence ("Exploratory Data
// Analysis", 1977) of the differences between successive values:
//     Q3 + 3 (Q3 - Q1)   of   d_i = |ln x_i - ln x_(i-1)|,  i < at.
//
// The same rule makes a result significant in rustc-perf (rust-lang/rustc-perf, docs/comparison-analysis.md).
//
// Each series has its own noise. Quartiles ignore the few differences caused by real changes. If the noise of ln x is
// normal with deviation s, then d is distributed as |N(0, 2 s^2)|. Q1 and Q3 are then 0.3186 and 1.1503 times sqrt(2)
// s. So the fence is 3.645 sqrt(2) s = 5.16 s. Only one noise difference in 3,700 exceeds it. A change above the
// fence would therefore show in a single run. If fewer than five differences precede `at`, later ones are added.
// Returns 0 if there are no differences.
double change_noise(const double *values, size_t count, size_t at);

// Finds where the level of a series changes. Stores the new levels in changes[] in order and returns their number, at
// most `room`.
//
// The method is binary segmentation (Scott and Knott 1974). The candidate is the split with the rank sum farthest
// from chance (Pettitt 1979, each split scaled by its own deviation). It must pass two tests. At most 5 % of 999
// shuffles of the series may have a split as far from chance (the permutation test of Matteson and James 2014). The
// medians on its two sides must differ by as much as the rules require. If it passes, both parts are searched.
//
// Ranks detect a change well, but they place it too close to the middle. So the change is put where two levels leave
// the smallest absolute deviations of logarithms (Bai, "Least absolute deviation estimation of a shift", 1995). With
// fewer than eight values no split can pass. Values must be finite and above 0. The same series always gives the same
// answer.
size_t change_points(
    const double *values, size_t count, const struct change_rules *rules, struct change *changes, size_t room);

#endif

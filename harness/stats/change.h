// SPDX-License-Identifier: Apache-2.0
// Change points of a series of runs.
#ifndef VKASSAY_STATS_CHANGE_H
#define VKASSAY_STATS_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

// What counts as a change, beside chance.
struct change_rules {
    double effect; // the least difference of two levels, as a share (0.03: 3 %)
    bool noise;    // they must stand out of the series' own noise too: differ by change_noise or more
};

struct change {
    size_t at;    // the first value of the new level
    double least; // by how much it had to differ there, as a share
};

// What a series' own noise reaches before `at`, as a share: the rule by which rustc-perf calls a result significant
// (rust-lang/rustc-perf, docs/comparison-analysis.md), Tukey's outer fence ("Exploratory Data Analysis", 1977) of the
// differences from value to value,
//     Q3 + 3 (Q3 - Q1)   of   d_i = |ln x_i - ln x_(i-1)|,  i < at.
// Each series has its own, and quartiles pass over the few differences that are changes themselves. Where the noise of
// ln x is normal with deviation s, d is |N(0, 2 s^2)|: Q1 and Q3 are 0.3186 and 1.1503 times sqrt(2) s, the fence
// stands at 3.645 sqrt(2) s = 5.16 s, and of differences that are noise alone one in 3,700 passes it. A change of level
// that counts is therefore one that a single run would have shown. With fewer than five differences before `at`, those
// after it join them. 0 where there is none.
double change_noise(const double *values, size_t count, size_t at);

// Where the level of a series changes: changes[] receives each new level, in order; returns how many there are, `room`
// at most. Binary segmentation (Scott and Knott 1974): the split whose rank sum lies
// farthest from what chance gives (Pettitt 1979, each split scaled by its own deviation) is kept when no more than 5 %
// of 999 shuffles of the series have one as far (the permutation test of Matteson and James 2014) and the medians
// beside it differ by as much as the rules ask for; then both parts are searched. Ranks tell that there is a change,
// but lean to the middle in saying where: it is put where two levels leave least, in absolute logarithms (Bai, "Least
// absolute deviation estimation of a shift", 1995). With fewer than eight values no split
// can pass. Values must be finite and above 0; the same series gives the same answer.
size_t change_points(
    const double *values, size_t count, const struct change_rules *rules, struct change *changes, size_t room);

#endif

// SPDX-License-Identifier: Apache-2.0
// Ratios of times, from medians or from pairs, with their intervals and their geometric mean. Also tests of
// significance, and the verdict on a ratio.
#ifndef VKASSAY_STATS_RATIO_H
#define VKASSAY_STATS_RATIO_H

#include "summary.h"

#include <stdbool.h>
#include <stddef.h>

struct ratio {
    double value, lo, hi; // lo and hi are NaN without an interval
};

// Returns the median of `new` over that of `base`. Its 95 % interval combines the intervals of the two medians, m of
// `base` and m' of `new`:
//     log lo = d - sqrt((log m' - log lo')^2 + (log hi - log m)^2),   d = log m' - log m.
//
// The other end follows likewise. The interval is distribution-free, like the two it is made of: Price and Bonett,
// "Distribution-free confidence intervals for difference and ratio of medians" (2002). The ends are kept apart as in
// Zou and Donner, "Construction of confidence limits about effect measures" (2008). Raw samples are not needed. There
// is no interval if either side has fewer than six samples. All members are NaN if a median is not above 0.
struct ratio ratio_of_medians(const struct summary *base, const struct summary *new);

// Returns exp of the mean logarithm. Skips values unless they are finite and above 0. Returns NaN if none is left.
double geometric_mean(const double *values, size_t count);

// ---- paired samples: slow drift affects both samples of a pair and cancels

// Returns the ratio, new over base, of samples taken in the order A B B A (or B A A B). Two successive samples of
// both sides form a block. The ratio of a block is that of its geometric means; the value is the median over all
// blocks. The 95 % interval is by order statistics and needs six blocks. Stores in *p the two-sided p of Wilcoxon's
// signed-rank test of the blocks' logarithms (Wilcoxon 1945). The test is exact up to 25 blocks without ties.
// Otherwise it uses the normal approximation, corrected for ties and continuity. All results are NaN if there is no
// block or a sample is not above 0.
struct ratio ratio_of_pairs(const double *base, const double *new, size_t count, double *p);

// Returns the same for samples of several sessions (timing/pairs.h), with a wider interval: it also holds the medians
// of all four quarters of the blocks. On a busy host the blocks of one moment or of one session are alike. They differ
// less than those of the next one, so an interval that takes them for independent is too narrow.
struct ratio ratio_of_sessions(const double *base, const double *new, size_t count, double *p);

// Returns the two-sided p of Wilcoxon's signed-rank test: are `values` centred on zero? Zeros are left out, as in
// Wilcoxon's paper. Returns NaN if no value is left.
double signed_rank_test(const double *values, size_t count);

// ---- the verdict of a comparison on one point

enum verdict { // in order of importance
    VERDICT_WRONG,
    VERDICT_FLAKY,
    VERDICT_SLOWER,
    VERDICT_AMBIGUOUS,
    VERDICT_REMOVED,
    VERDICT_FIXED,
    VERDICT_FASTER,
    VERDICT_NEW,
    VERDICT_SAME,
    VERDICT_COUNT
};
const char *verdict_name(enum verdict verdict); // "wrong", ... "same"

// Returns the verdict on a ratio of times (new over base). The band of equality is from 1 / (1 + effect) to 1 +
// effect.
//   "same"       The interval is within the band.
//   "slower"     The interval is above the band, and p is at most 0.01; "faster" likewise below.
//   "ambiguous"  The interval crosses an edge of the band, p is above 0.01, or there is no interval.
// The p belongs to a test of no difference, corrected for the number of tests. If it is NaN, there was no test and
// the interval decides. Stores in *why the reason for an ambiguous verdict, otherwise NULL.
enum verdict verdict_of_times(const struct ratio *ratio, double p, double effect, const char **why);

// ---- crossover: the size from which one of two series of times is the lower

enum crossover { CROSSOVER_NONE, CROSSOVER_ALWAYS, CROSSOVER_NEVER, CROSSOVER_AT };

// Finds the size from which the GPU stays faster, given the times of both at growing sizes. NaN means not measured
// and is skipped. For CROSSOVER_AT, *size is interpolated on logarithms between the two neighbouring sizes.
// CROSSOVER_NONE means nothing to compare.
enum crossover crossover_find(const double *sizes, const double *gpu, const double *scalar, size_t count, double *size);

// ---- rank tests for samples of any distribution, and the correction for many tests

// Returns the two-sided p of the Mann-Whitney test (Mann and Whitney 1947). It is exact if all values differ and
// neither sample has more than 20. Otherwise it uses the normal approximation, corrected for ties and continuity
// (Conover, "Practical nonparametric statistics", 5.1). Values must be finite. Returns NaN for an empty sample, and 1
// if all values are equal.
double rank_test(const double *a, size_t a_count, const double *b, size_t b_count);

// Applies Holm's step-down correction (1979) in place. Each p becomes the smallest level for rejecting its own
// hypothesis while keeping the chance of any false rejection below that level. NaN means no test: it is left as it is
// and not counted.
void holm_correct(double *p, size_t count);

// Returns the factor by which a load, a share of a CPU's cores, may lengthen times on the rest; NaN without one.
double ratio_of_load(double load);

#endif

// SPDX-License-Identifier: Apache-2.0
// Ratios of times, of medians and of pairs, with their intervals; of many the geometric mean; tests of significance;
// what they come to.
#ifndef VKASSAY_STATS_RATIO_H
#define VKASSAY_STATS_RATIO_H

#include "summary.h"

#include <stdbool.h>
#include <stddef.h>

struct ratio {
    double value, lo, hi; // lo and hi NaN: no interval
};

// The median of `new` over that of `base`, with a 95 % interval made of the two medians' own intervals:
//     log lo = d - sqrt((log m' - log lo')^2 + (log hi - log m)^2),   d = log m' - log m,
// and the other end likewise. Distribution-free, as the two intervals are: Price and Bonett, "Distribution-free
// confidence intervals for difference and ratio of medians" (2002), with the ends kept apart as in Zou and Donner,
// "Construction of confidence limits about effect measures" (2008). It needs no raw samples. No interval below six
// samples of either. NaN throughout where a median is not above 0.
struct ratio ratio_of_medians(const struct summary *base, const struct summary *new);

// exp of the mean logarithm; values that are not finite and above 0 are passed over. NaN when none is left.
double geometric_mean(const double *values, size_t count);

// ---- samples that belong together pair by pair: what drifts slowly is in both of a pair, and cancels

// Of samples taken in the order A B B A (or B A A B), so that each two successive samples of both sides are one block:
// the median over all blocks of the ratio (new over base, geometric means within a block), its 95 % interval by order
// statistics, and in *p the two-sided p of Wilcoxon's signed-rank test of the blocks' logarithms (Wilcoxon 1945; normal
// approximation with the corrections for ties and continuity above 25 blocks, exact below). NaN throughout where there
// is no block or a sample is not above 0; no interval below six blocks.
struct ratio ratio_of_pairs(const double *base, const double *new, size_t count, double *p);

// The test alone: whether `values` lie about zero. Zeros are left out (Wilcoxon's way). NaN when none is left.
double signed_rank_test(const double *values, size_t count);

// ---- what a comparison says of one point

enum verdict { // in the order of what matters
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

// Of a ratio of times (new over base) alone. The band of what counts as equal reaches from 1 / (1 + effect) to 1 +
// effect.
//   same       the interval lies within the band
//   slower     it lies above the band, and the test agrees: p at most 0.05; faster likewise below
//   ambiguous  it reaches across an edge of the band, the test disagrees, or there is no interval
// p is that of a test of no difference, corrected for all that were made; NaN: no test, and the interval decides alone.
// *why receives the reason of an ambiguous one, else NULL.
enum verdict verdict_of_times(const struct ratio *ratio, double p, double effect, const char **why);

// ---- from which size on one of two series of times is the lower

enum crossover { CROSSOVER_NONE, CROSSOVER_ALWAYS, CROSSOVER_NEVER, CROSSOVER_AT };

// Times of both at growing sizes; what is not measured is NaN and passed over. The size from which
// on the GPU stays the faster, interpolated on logarithms between the two sizes round it: *size,
// for CROSSOVER_AT. NONE: nothing to compare.
enum crossover crossover_find(const double *sizes, const double *gpu, const double *scalar, size_t count, double *size);

// ---- rank tests: whether two samples differ, whatever their distribution; and what many such tests say together

// Two-sided p of the Mann-Whitney test (Mann and Whitney 1947). Exact where no two values are equal and neither sample
// has more than 20; else the normal approximation with the correction for ties and for continuity (Conover, "Practical
// nonparametric statistics", 5.1). Values must be finite. NaN for an empty sample; 1 where all
// values are equal.
double rank_test(const double *a, size_t a_count, const double *b, size_t b_count);

// Holm's step-down correction (1979), in place: each p becomes the least level at which its own hypothesis is rejected
// while the chance of any false rejection stays below that level. NaN is no test: it stays and does not count.
void holm_correct(double *p, size_t count);

#endif

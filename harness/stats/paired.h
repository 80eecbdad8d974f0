// SPDX-License-Identifier: Apache-2.0
// Samples that belong together pair by pair: what drifts slowly is in both of a pair, and cancels.
#ifndef VKASSAY_STATS_PAIRED_H
#define VKASSAY_STATS_PAIRED_H

#include "ratio.h"

// Of samples taken in the order A B B A (or B A A B), so that each two successive samples of both sides are one block:
// the median over all blocks of the ratio (new over base, geometric means within a block), its 95 % interval by order
// statistics, and in *p the two-sided p of Wilcoxon's signed-rank test of the blocks' logarithms (Wilcoxon 1945; normal
// approximation with the corrections for ties and continuity above 25 blocks, exact below). NaN throughout where there
// is no block or a sample is not above 0; no interval below six blocks.
struct ratio ratio_of_pairs(const double *base, const double *new, size_t count, double *p);

// The test alone: whether `values` lie about zero. Zeros are left out (Wilcoxon's way). NaN when none is left.
double signed_rank_test(const double *values, size_t count);

#endif

// SPDX-License-Identifier: Apache-2.0
// Rank tests: whether two samples differ, whatever their distribution; and what many such tests say together.
#ifndef VKASSAY_STATS_RANK_H
#define VKASSAY_STATS_RANK_H

#include <stdbool.h>
#include <stddef.h>

// Two-sided p of the Mann-Whitney test (Mann and Whitney 1947). Exact where no two values are equal and neither sample
// has more than 20; else the normal approximation with the correction for ties and for continuity (Conover, "Practical
// nonparametric statistics", 5.1). Values must be finite. NaN for an empty sample; 1 where all
// values are equal.
double rank_test(const double *a, size_t a_count, const double *b, size_t b_count);

// Holm's step-down correction (1979), in place: each p becomes the least level at which its own hypothesis is rejected
// while the chance of any false rejection stays below that level. NaN is no test: it stays and does not count.
void holm_correct(double *p, size_t count);

#endif

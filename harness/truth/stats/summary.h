// SPDX-License-Identifier: Apache-2.0
// Summaries of samples: order statistics, and the distribution-free interval of the median.
#ifndef VKASSAY_STATS_SUMMARY_H
#define VKASSAY_STATS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

struct summary {
    double median, lo, hi; // lo, hi: 95 % interval of the median by order statistics (binomial); minimum and maximum
                           // below 6 samples
    double q1, q3, min, max;
    size_t samples; // 0: nothing was measured, and all other members are NaN
};

// Summarizes `values`, which must be finite. The array is not changed.
struct summary summarize(const double *values, size_t count);

// Returns the greatest k for which the k-th smallest and the k-th largest of `count` samples bracket the median with
// 95 % or more. It follows from the binomial distribution and is exact for every count (1 or more). Returns 1 if
// there is none, below 6 samples.
size_t summary_interval_rank(size_t count);

// Returns half the width of the median's interval as a share of the median. Infinite below 6 samples or if the median
// is 0.
double summary_precision(const struct summary *summary);

// Compares doubles in ascending order, for qsort and bsearch.
int summary_by_value(const void *a, const void *b);

#endif

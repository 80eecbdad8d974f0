// SPDX-License-Identifier: Apache-2.0
// Summaries of samples: order statistics, and the distribution-free interval of the median.
#ifndef VKASSAY_STATS_SUMMARY_H
#define VKASSAY_STATS_SUMMARY_H

#include <stdbool.h>
#include <stddef.h>

struct summary {
    double median, lo, hi; // 95 % interval of the median by order statistics (binomial); lo = min,
                           // hi = max below 6
    double q1, q3, min, max;
    size_t samples; // 0: nothing measured, and every other member is NaN
};

// `values` must be finite; the array is not changed.
struct summary summarize(const double *values, size_t count);

// The k for which the k-th smallest and the k-th largest of `count` samples (1 or more) bracket the
// median with 95 % or more: the greatest such k, by the binomial distribution, exact for every
// count; 1 when there is none (below 6).
size_t summary_interval_rank(size_t count);

// Half the width of the median's interval as a share of the median; infinite below 6 samples or at
// a median of 0.
double summary_precision(const struct summary *summary);

// For qsort and bsearch: doubles, rising.
int summary_by_value(const void *a, const void *b);

#endif

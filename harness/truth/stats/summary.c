// SPDX-License-Identifier: Apache-2.0
#include "summary.h"

#include "../../base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int summary_by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Returns the quantile `share` by linear interpolation between the closest ranks of (count - 1) * share. This is rule
// 7 of Hyndman and Fan, "Sample quantiles in statistical packages" (1996), also used by NumPy and R.
static double quantile(const double *sorted, size_t count, double share) {
    double rank = (double)(count - 1) * share;
    size_t below = (size_t)rank;
    if (below + 1 >= count) return sorted[count - 1];
    return sorted[below] + (rank - (double)below) * (sorted[below + 1] - sorted[below]);
}

size_t summary_interval_rank(size_t count) {
    const double confidence = 0.95;
    // The number of samples below the true median is binomial with chance 1/2. The interval between the rank-th
    // samples from either end covers the median if that number is in rank .. count - rank. So the rank is lowered
    // from the middle until this range has the confidence.
    size_t rank = (count + 1) / 2;
    // The chance starts as that of exactly floor(count / 2) heads among `count` fair coins. The product never leaves
    // the range of a double: C(2h, h) / 4^h, with one more factor for odd counts.
    double chance = 1; // of `rank` samples below; by symmetry also of `count - rank`
    for (size_t i = 1; i <= count / 2; i++) chance *= (2 * (double)i - 1) / (2 * (double)i);
    if (count % 2) chance = chance * (double)count / (double)(count + 1);
    double covered = count % 2 ? 0 : chance;
    while (covered < confidence && rank > 1) {
        rank--;
        chance *= (double)(rank + 1) / (double)(count - rank);
        covered += 2 * chance;
    }
    return rank;
}

struct summary summarize(const double *values, size_t count) {
    struct summary none = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0};
    if (!count) return none;
    double *sorted = memory_alloc(count, sizeof *sorted);
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, summary_by_value);
    size_t rank = summary_interval_rank(count);
    struct summary summary = {
        .median = quantile(sorted, count, 0.5),
        .lo = sorted[rank - 1],
        .hi = sorted[count - rank],
        .q1 = quantile(sorted, count, 0.25),
        .q3 = quantile(sorted, count, 0.75),
        .min = sorted[0],
        .max = sorted[count - 1],
        .samples = count,
    };
    free(sorted);
    return summary;
}

double summary_precision(const struct summary *summary) {
    // Five samples bracket the median with 93.75 % at best. So there is no 95 % interval below six samples.
    if (summary->samples < 6 || !(fabs(summary->median) > 0)) return INFINITY;
    return (summary->hi - summary->lo) / 2 / fabs(summary->median);
}

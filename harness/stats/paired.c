// SPDX-License-Identifier: Apache-2.0
#include "paired.h"

#include "../base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { EXACT = 25 }; // blocks: 2^25 signs are counted by their sums, at most 325

static int by_size(const void *a, const void *b) {
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

// Twice the chance that a sum of ranks 1..n with random signs is at most w: the number of ways to each sum, by adding
// one rank after another.
static double exact_p(size_t n, double w) {
    double ways[EXACT * (EXACT + 1) / 2 + 1] = {1}, below = 0;
    size_t top = 0;
    for (size_t rank = 1; rank <= n; rank++) {
        top += rank;
        for (size_t sum = top; sum >= rank; sum--) ways[sum] += ways[sum - rank];
    }
    for (size_t sum = 0; sum <= top && (double)sum <= w; sum++) below += ways[sum];
    return fmin(1, 2 * below / exp2((double)n));
}

// The sums of ranks of positive values; *ties is the sum of t^3 - t over groups of t equal sizes.
static double positive_ranks(const double *sorted, size_t count, double *ties) {
    double sum = 0;
    *ties = 0;
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && fabs(sorted[end]) <= fabs(sorted[first]); end++) {
        }
        double t = (double)(end - first), rank = ((double)first + 1 + (double)end) / 2;
        *ties += t * t * t - t;
        for (size_t i = first; i < end; i++) sum += sorted[i] > 0 ? rank : 0;
    }
    return sum;
}

double signed_rank_test(const double *values, size_t count) {
    double *sorted = memory_alloc(count + 1, sizeof *sorted), ties;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (fabs(values[i]) > 0) sorted[n++] = values[i];
    if (!n) {
        free(sorted);
        return NAN;
    }
    qsort(sorted, n, sizeof *sorted, by_size);
    double plus = positive_ranks(sorted, n, &ties), all = (double)n * (double)(n + 1) / 2;
    free(sorted);
    double w = fmin(plus, all - plus);
    if (n <= EXACT && !(ties > 0)) return exact_p(n, w);
    double variance = (double)n * (double)(n + 1) * (2 * (double)n + 1) / 24 - ties / 48;
    double z = fmax(all / 2 - w - 0.5, 0) / sqrt(variance);
    return fmin(1, erfc(z / sqrt(2)));
}

struct ratio ratio_of_pairs(const double *base, const double *new, size_t count, double *p) {
    struct ratio ratio = {NAN, NAN, NAN};
    size_t blocks = count / 2;
    double *logs = memory_alloc(blocks + 1, sizeof *logs);
    *p = NAN;
    for (size_t i = 0; i < blocks; i++) {
        const double *a = base + 2 * i, *b = new + 2 * i;
        if (a[0] > 0 && a[1] > 0 && b[0] > 0 && b[1] > 0)
            logs[i] = (log(b[0] / a[0]) + log(b[1] / a[1])) / 2;
        else
            blocks = 0;
    }
    if (blocks) {
        struct summary summary = summarize(logs, blocks);
        ratio.value = exp(summary.median);
        if (!isinf(summary_precision(&(struct summary){.median = 1, .samples = blocks}))) {
            ratio.lo = exp(summary.lo);
            ratio.hi = exp(summary.hi);
        }
        *p = signed_rank_test(logs, blocks);
        if (isnan(*p)) *p = 1; // all blocks are equal
    }
    free(logs);
    return ratio;
}

// SPDX-License-Identifier: Apache-2.0
#include "ratio.h"

#include "../base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { LEAST_SAMPLES = 6 }; // fewer bracket no median with 95 %

static bool has_interval(const struct summary *s) {
    return s->samples >= LEAST_SAMPLES && s->lo > 0 && s->lo <= s->median && s->median <= s->hi && isfinite(s->hi);
}

struct ratio ratio_of_medians(const struct summary *base, const struct summary *new) {
    struct ratio ratio = {NAN, NAN, NAN};
    if (!(base->median > 0) || !(new->median > 0) || !isfinite(base->median) || !isfinite(new->median)) return ratio;
    ratio.value = new->median / base->median;
    if (!has_interval(base) || !has_interval(new)) return ratio;
    double below = hypot(log(new->median / new->lo), log(base->hi / base->median));
    double above = hypot(log(new->hi / new->median), log(base->median / base->lo));
    ratio.lo = ratio.value * exp(-below);
    ratio.hi = ratio.value * exp(above);
    return ratio;
}

double geometric_mean(const double *values, size_t count) {
    double sum = 0;
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        if (!(values[i] > 0) || !isfinite(values[i])) continue;
        sum += log(values[i]);
        used++;
    }
    return used ? exp(sum / (double)used) : NAN;
}

// ---- pairs

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

// ---- verdicts

const char *verdict_name(enum verdict verdict) {
    static const char *const names[VERDICT_COUNT] = {
        [VERDICT_WRONG] = "wrong",
        [VERDICT_SLOWER] = "slower",
        [VERDICT_AMBIGUOUS] = "ambiguous",
        [VERDICT_REMOVED] = "removed",
        [VERDICT_FIXED] = "fixed",
        [VERDICT_FASTER] = "faster",
        [VERDICT_NEW] = "new",
        [VERDICT_SAME] = "same",
    };
    return names[verdict];
}

enum verdict verdict_of_times(const struct ratio *ratio, double p, double effect, const char **why) {
    const double level = 0.05;
    *why = NULL;
    if (!isfinite(ratio->lo) || !isfinite(ratio->hi)) {
        *why = "too few samples";
        return VERDICT_AMBIGUOUS;
    }
    if (ratio->lo >= 1 / (1 + effect) && ratio->hi <= 1 + effect) return VERDICT_SAME;
    bool above = ratio->lo > 1 + effect, below = ratio->hi < 1 / (1 + effect);
    if (!above && !below) {
        *why = "the interval crosses the band";
        return VERDICT_AMBIGUOUS;
    }
    if (p > level) {
        *why = "the rank test sees no difference";
        return VERDICT_AMBIGUOUS;
    }
    return above ? VERDICT_SLOWER : VERDICT_FASTER;
}

// ---- crossover

enum crossover crossover_find(
    const double *sizes, const double *gpu, const double *scalar, size_t count, double *size) {
    bool any = false;
    double upper_size = NAN, upper = NAN; // the next larger size, where the GPU is the faster, and
                                          // log(gpu / scalar) there
    for (size_t i = count; i-- > 0;) {
        double here = log(gpu[i] / scalar[i]);
        if (!isfinite(here) || !(sizes[i] > 0)) continue;
        if (here >= 0 && !any) return CROSSOVER_NEVER;
        any = true;
        if (here >= 0) {
            double step = here / (here - upper);
            *size = exp(log(sizes[i]) + step * (log(upper_size) - log(sizes[i])));
            return CROSSOVER_AT;
        }
        upper_size = sizes[i];
        upper = here;
    }
    return any ? CROSSOVER_ALWAYS : CROSSOVER_NONE;
}

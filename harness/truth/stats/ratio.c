// SPDX-License-Identifier: Apache-2.0
#include "ratio.h"

#include "../../base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { LEAST_SAMPLES = 6 }; // fewer samples give no 95 % interval of the median

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

enum { EXACT = 25 }; // most blocks for the exact test: 2^25 sign patterns, counted by rank sums of at most 325

static int by_size(const void *a, const void *b) {
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

// Returns twice the chance of a sum of ranks 1..n with random signs being at most w. Counts the ways to reach each
// sum by adding one rank after another.
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

// Returns the sum of the ranks of positive values. *ties receives the sum of t^3 - t over groups of t equal sizes.
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

enum { QUARTERS = 4 };

// Stores the logarithm of each block's ratio. Returns the number of blocks; 0 if a sample is not above 0.
static size_t block_logs(const double *base, const double *new, size_t count, double *logs) {
    for (size_t i = 0; i < count / 2; i++) {
        const double *a = base + 2 * i, *b = new + 2 * i;
        if (!(a[0] > 0 && a[1] > 0 && b[0] > 0 && b[1] > 0)) return 0;
        logs[i] = (log(b[0] / a[0]) + log(b[1] / a[1])) / 2;
    }
    return count / 2;
}

static void widen_to_quarters(struct ratio *ratio, const double *logs, size_t blocks) {
    for (size_t q = 0; q < QUARTERS; q++) {
        const size_t from = q * blocks / QUARTERS, to = (q + 1) * blocks / QUARTERS;
        const double median = exp(summarize(logs + from, to - from).median);
        ratio->lo = fmin(ratio->lo, median);
        ratio->hi = fmax(ratio->hi, median);
    }
}

static struct ratio paired(const double *base, const double *new, size_t count, bool sessions, double *p) {
    struct ratio ratio = {NAN, NAN, NAN};
    double *logs = memory_alloc(count / 2 + 1, sizeof *logs);
    const size_t blocks = block_logs(base, new, count, logs);
    *p = NAN;
    if (blocks) {
        const struct summary summary = summarize(logs, blocks);
        ratio.value = exp(summary.median);
        if (blocks >= LEAST_SAMPLES) {
            ratio.lo = exp(summary.lo);
            ratio.hi = exp(summary.hi);
            if (sessions) widen_to_quarters(&ratio, logs, blocks);
        }
        *p = signed_rank_test(logs, blocks);
        if (isnan(*p)) *p = 1; // all blocks are equal
    }
    free(logs);
    return ratio;
}

struct ratio ratio_of_pairs(const double *base, const double *new, size_t count, double *p) {
    return paired(base, new, count, false, p);
}

struct ratio ratio_of_sessions(const double *base, const double *new, size_t count, double *p) {
    return paired(base, new, count, true, p);
}

// ---- verdicts

const char *verdict_name(enum verdict verdict) {
    static const char *const names[VERDICT_COUNT] = {
        [VERDICT_WRONG] = "wrong",
        [VERDICT_FLAKY] = "flaky",
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
    const double level = 0.01; // of all points together, so one comparison of equal kernels in a hundred errs
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
    double upper_size = NAN, upper = NAN; // next larger size, faster on the GPU, and its log(gpu / scalar)
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

// ---- rank tests, and the correction for many tests

enum { EXACT_MOST = 20 }; // largest sample for the exact test: C(40, 20) and all smaller counts are exact in a double

struct ranked_value {
    double value;
    bool from_a;
};

static int by_value(const void *a, const void *b) {
    double x = ((const struct ranked_value *)a)->value, y = ((const struct ranked_value *)b)->value;
    return (x > y) - (x < y);
}

// Returns the sum of the ranks of a; equal values share their mean rank. Stores in *ties the sum of t^3 - t over
// groups of t equal values.
static double rank_sum(const struct ranked_value *sorted, size_t count, double *ties) {
    double sum = 0;
    *ties = 0;
    for (size_t first = 0, next; first < count; first = next) {
        size_t mine = 0;
        for (next = first; next < count && sorted[next].value == sorted[first].value; next++)
            mine += sorted[next].from_a;
        double equal = (double)(next - first);
        sum += (double)mine * ((double)first + (equal + 1) / 2);
        *ties += equal * equal * equal - equal;
    }
    return sum;
}

// Returns the chance of U being at most `u`. Counts the ways to reach each U as coefficients of the product over i =
// 1 .. a of (1 - q^(b + i)) / (1 - q^i).
static double exact_tail(size_t a, size_t b, size_t u) {
    double ways[EXACT_MOST * EXACT_MOST + 1] = {1};
    size_t most = a * b;
    for (size_t i = 1; i <= a; i++) {
        for (size_t k = most; k >= b + i; k--) ways[k] -= ways[k - b - i];
        for (size_t k = i; k <= most; k++) ways[k] += ways[k - i];
    }
    double all = 0, tail = 0;
    for (size_t k = 0; k <= most; k++) {
        all += ways[k];
        if (k <= u) tail += ways[k];
    }
    return tail / all;
}

static double p_of(const struct ranked_value *sorted, size_t a, size_t b) {
    double ties, x = (double)a, y = (double)b, n = x + y;
    double u = rank_sum(sorted, a + b, &ties) - x * (x + 1) / 2;
    double least = fmin(u, x * y - u);
    if (ties == 0 && a <= EXACT_MOST && b <= EXACT_MOST) return fmin(1, 2 * exact_tail(a, b, (size_t)least));
    double variance = x * y / 12 * (n + 1 - ties / (n * (n - 1)));
    if (!(variance > 0)) return 1;
    double z = (x * y / 2 - least - 0.5) / sqrt(variance);
    return fmin(1, erfc(z / sqrt(2)));
}

double rank_test(const double *a, size_t a_count, const double *b, size_t b_count) {
    if (!a_count || !b_count) return NAN;
    struct ranked_value *values = memory_alloc(a_count + b_count, sizeof *values);
    for (size_t i = 0; i < a_count; i++) values[i] = (struct ranked_value){a[i], true};
    for (size_t i = 0; i < b_count; i++) values[a_count + i] = (struct ranked_value){b[i], false};
    qsort(values, a_count + b_count, sizeof *values, by_value);
    double p = p_of(values, a_count, b_count);
    free(values);
    return p;
}

static int by_p(const void *a, const void *b) {
    double x = **(double *const *)a, y = **(double *const *)b;
    return (x > y) - (x < y);
}

void holm_correct(double *p, size_t count) {
    size_t tests = 0;
    double **sorted = memory_alloc(count, sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        if (!isnan(p[i])) sorted[tests++] = &p[i];
    qsort(sorted, tests, sizeof *sorted, by_p);
    double least = 0;
    for (size_t i = 0; i < tests; i++) {
        least = fmax(least, fmin(1, *sorted[i] * (double)(tests - i)));
        *sorted[i] = least;
    }
    free(sorted);
}

double ratio_of_load(double load) {
    static const double most = 0.95; // beyond it, the counters are too coarse for the rest
    return load > 0 ? 1 / (1 - fmin(load, most)) : NAN;
}

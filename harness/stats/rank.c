// SPDX-License-Identifier: Apache-2.0
#include "rank.h"

#include "../base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { EXACT_MOST = 20 }; // of either sample: C(40, 20) and every count below it are whole in a double

struct value {
    double value;
    bool from_a;
};

static int by_value(const void *a, const void *b) {
    double x = ((const struct value *)a)->value, y = ((const struct value *)b)->value;
    return (x > y) - (x < y);
}

// Sum of the ranks of a, equal values sharing their mean rank; *ties receives the sum of t^3 - t over groups of t
// equals.
static double rank_sum(const struct value *sorted, size_t count, double *ties) {
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

// Chance that U is at most `u`, from the number of ways to reach each U: the coefficients of the product over i of
// (1 - q^(b + i)) / (1 - q^i), i = 1 .. a.
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

static double p_of(const struct value *sorted, size_t a, size_t b) {
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
    struct value *values = memory_alloc(a_count + b_count, sizeof *values);
    for (size_t i = 0; i < a_count; i++) values[i] = (struct value){a[i], true};
    for (size_t i = 0; i < b_count; i++) values[a_count + i] = (struct value){b[i], false};
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

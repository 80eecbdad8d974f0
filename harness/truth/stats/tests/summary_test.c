// SPDX-License-Identifier: Apache-2.0
#include "../stop.h"
#include "../summary.h"

#include "../../../../reference/philox.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

// Ranks of the 95 % interval of the median, from scipy.stats.binom.cdf: the greatest k with 2 P(B < k) <= 0.05 for B
// ~ Bin(n, 1/2). Up to 50 they agree with printed tables of the sign test (e.g. Conover, table A3).
static void test_ranks(void **state) {
    static const struct {
        size_t count, rank;
    } table[] = {{1, 1}, {2, 1}, {5, 1}, {6, 1}, {8, 1}, {9, 2}, {10, 2}, {11, 2}, {12, 3}, {15, 4}, {17, 5}, {20, 6},
        {25, 8}, {30, 10}, {35, 12}, {40, 14}, {50, 18}, {500, 228}, {999, 469}, {5000, 2431}, {50000, 24781},
        {500000, 249307}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_int_equal(summary_interval_rank(table[i].count), table[i].rank);
}

static void test_ten(void **state) {
    const double values[] = {7, 3, 10, 1, 9, 2, 8, 4, 6, 5};
    double before[10];
    memcpy(before, values, sizeof before);
    struct summary s = summarize(values, 10);
    assert_true(s.median == 5.5 && s.lo == 2 && s.hi == 9 && s.min == 1 && s.max == 10);
    assert_true(s.q1 == 3.25 && s.q3 == 7.75); // as numpy.quantile
    assert_int_equal(s.samples, 10);
    assert_memory_equal(values, before, sizeof before);
    assert_true(fabs(summary_precision(&s) - 3.5 / 5.5) < 1e-15);
}

static void test_few(void **state) {
    struct summary s = summarize(NULL, 0);
    assert_int_equal(s.samples, 0);
    assert_true(isnan(s.median) && isnan(s.lo) && isnan(s.max) && isinf(summary_precision(&s)));
    s = summarize((const double[]){4}, 1);
    assert_true(s.median == 4 && s.lo == 4 && s.hi == 4 && s.q1 == 4 && s.q3 == 4 && s.samples == 1);
    assert_true(isinf(summary_precision(&s))); // equal ends of a single sample give no precision
    s = summarize((const double[]){1, 2, 3, 4, 5}, 5);
    assert_true(s.median == 3 && s.lo == 1 && s.hi == 5 && s.q1 == 2 && s.q3 == 4);
    assert_true(isinf(summary_precision(&s)));
    s = summarize((const double[]){1, 2, 3, 4, 5, 6}, 6);
    assert_true(s.lo == 1 && s.hi == 6 && isfinite(summary_precision(&s)));
    s = summarize((const double[]){0, 0, 0, 0, 0, 0}, 6);
    assert_true(isinf(summary_precision(&s)));
}

// The interval covers the true median with the promised frequency. The distribution is skewed, like times: the true
// median of -log(u) is log 2.
static void test_coverage(void **state) {
    enum { TRIALS = 20000 };
    static const size_t counts[] = {6, 10, 11, 25, 50};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        int held = 0;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            double values[50];
            for (size_t i = 0; i < counts[c]; i++)
                values[i] = -log(1 - philox_uniform(philox(20, trial, c << 32 | i).v[0]));
            struct summary s = summarize(values, counts[c]);
            held += s.lo <= log(2) && log(2) <= s.hi;
        }
        // From the binomial distribution: 0.96875, 0.97852, 0.98828 (ranks 2, 10), 0.95670, 0.96716 (ranks 18, 33).
        static const double promised[] = {0.96875, 0.978516, 0.988281, 0.956715, 0.967161};
        assert_true(fabs((double)held / TRIALS - promised[c]) < 4 * sqrt(0.05 * 0.95 / TRIALS));
    }
}

static void test_stop(void **state) {
    const struct stop_rule rule = {.least = 10, .most = 100, .precision = 0.01, .seconds = 1};
    double calm[200], wild[200];
    for (size_t i = 0; i < 200; i++) {
        calm[i] = 1000 + (double)(i % 3);
        wild[i] = i % 2 ? 1000 : 2000;
    }
    assert_int_equal(stop_check(&rule, calm, 9, 0), STOP_NOT_YET);
    assert_int_equal(stop_check(&rule, calm, 9, 50),
        STOP_NOT_YET); // too few for a median: time waits for `least`
    assert_int_equal(stop_check(&rule, calm, 10, 0), STOP_PRECISE);
    assert_int_equal(stop_check(&rule, calm, 10, 50), STOP_PRECISE);
    assert_int_equal(stop_check(&rule, wild, 10, 0.5), STOP_NOT_YET);
    assert_int_equal(stop_check(&rule, wild, 10, 1), STOP_TIME);
    assert_int_equal(stop_check(&rule, wild, 99, 0.5), STOP_NOT_YET);
    assert_int_equal(stop_check(&rule, wild, 100, 0.5), STOP_COUNT);
    assert_int_equal(stop_check(&rule, wild, 100, 5), STOP_COUNT);
    assert_int_equal(stop_check(&rule, calm, 70, 0.5), STOP_NOT_YET); // not checked: no multiple of 16
    assert_int_equal(stop_check(&rule, calm, 80, 0.5), STOP_PRECISE);
    assert_int_equal(stop_check(&rule, calm, 70, 1), STOP_PRECISE); // always checked at the end
    // Fewer samples suffice if they took very long. A rule of time only ignores the precision.
    const struct stop_rule slow = {
        .least = 10, .most = 100, .precision = -1, .seconds = 0.5, .few = 3, .slow_seconds = 4};
    assert_int_equal(stop_check(&slow, calm, 2, 50), STOP_NOT_YET);
    assert_int_equal(stop_check(&slow, calm, 3, 3.9), STOP_NOT_YET);
    assert_int_equal(stop_check(&slow, calm, 3, 4), STOP_TIME);
    assert_int_equal(stop_check(&slow, calm, 10, 0.4), STOP_NOT_YET);
    assert_int_equal(stop_check(&slow, calm, 10, 0.5), STOP_TIME);
    assert_string_equal(stop_reason_name(STOP_PRECISE), "precise");
    assert_string_equal(stop_reason_name(STOP_TIME), "time");
    assert_string_equal(stop_reason_name(STOP_COUNT), "count");
}

static void pairs_stop_when_their_ratio_is_known(void **state) {
    double base[64], same[64], wild[64];
    for (size_t i = 0; i < 64; i++) {
        base[i] = i < 32 ? 1000 : 1500; // both drift alike
        same[i] = base[i] * (1.1 + 0.001 * (double)(i % 3));
        wild[i] = base[i] * (i / 2 % 2 ? 1 : 1.3);
    }
    assert_false(stop_pairs(base, same, 8, 0.05));
    assert_true(stop_pairs(base, same, 16, 0.05));
    assert_false(stop_pairs(base, same, 20, 0.05)); // not checked
    assert_true(stop_pairs(base, same, 24, 0.05));
    assert_false(stop_pairs(base, same, 16, 0.001)); // not precise enough
    assert_false(stop_pairs(base, wild, 64, 0.05));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_ten),
        cmocka_unit_test(test_few),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(pairs_stop_when_their_ratio_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

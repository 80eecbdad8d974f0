// SPDX-License-Identifier: Apache-2.0
#include "../ratio.h"

#include "../../../../reference/philox.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

static void assert_near(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-12 * fabs(expected))) fail_msg("%.17g, not %.17g", found, expected);
}

// From scipy.stats.mannwhitneyu(a, b, alternative="two-sided", method="exact").
static void exact_for_small_samples(void **state) {
    assert_near(rank_test((double[]){1, 2, 3}, 3, (double[]){4, 5, 6}, 3), 0.1);
    assert_near(rank_test((double[]){1, 3, 5, 7, 9}, 5, (double[]){2, 4, 6, 8, 10.5, 11, 12}, 7), 0.26767676767676774);
    assert_near(rank_test((double[]){19, 22, 16, 29, 24}, 5, (double[]){20, 11, 17, 12}, 4), 0.1111111111111111);
    double a[20], b[20];
    for (int i = 0; i < 20; i++) {
        a[i] = i * i % 23 + i * 0.01;
        b[i] = i * 7 % 19 + i * 0.013 + 1.5;
    }
    assert_near(rank_test(a, 20, b, 20), 0.4135263115144142);
    assert_near(rank_test(b, 20, a, 20), 0.4135263115144142);
}

// From the same with method="asymptotic", which corrects for continuity and ties.
static void approximate_for_ties_and_large_samples(void **state) {
    const double tied_a[] = {1, 2, 2, 3, 3, 3, 4, 4, 5}, tied_b[] = {2, 3, 4, 4, 5, 5, 5, 6, 7, 7};
    assert_near(rank_test(tied_a, 9, tied_b, 10), 0.022569256390276723);
    double a[60], b[45];
    for (int i = 0; i < 60; i++) a[i] = i * 37 % 101 + i * 0.001;
    for (int i = 0; i < 45; i++) b[i] = i * 53 % 97 + i * 0.0013 + 12;
    assert_near(rank_test(a, 60, b, 45), 0.203236545751188);
}

static void nothing_to_test(void **state) {
    assert_true(isnan(rank_test(NULL, 0, (double[]){1}, 1)) && isnan(rank_test((double[]){1}, 1, NULL, 0)));
    assert_true(rank_test((double[]){5, 5, 5}, 3, (double[]){5, 5, 5, 5}, 4) == 1);
    assert_true(rank_test((double[]){1}, 1, (double[]){2}, 1) == 1);
}

// If nothing differs, the test finds a difference no more often than its level.
static void level_is_kept(void **state) {
    enum { TRIALS = 4000 };
    static const size_t counts[] = {10, 30};
    for (size_t c = 0; c < 2; c++) {
        int found = 0;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            double a[30], b[30];
            for (size_t i = 0; i < counts[c]; i++) {
                struct philox bits = philox(5, trial, c << 32 | i);
                a[i] = -log(1 - philox_uniform(bits.v[0]));
                b[i] = -log(1 - philox_uniform(bits.v[1]));
            }
            found += rank_test(a, counts[c], b, counts[c]) <= 0.05;
        }
        assert_true(found < 0.05 * TRIALS + 3 * sqrt(0.05 * 0.95 * TRIALS));
        assert_true(found > 0.03 * TRIALS);
    }
}

// R's p.adjust(c(0.01, 0.04, 0.03, 0.005, 0.9), "holm").
static void holm(void **state) {
    double p[] = {0.01, NAN, 0.04, 0.03, 0.005, 0.9};
    const double expected[] = {0.04, NAN, 0.09, 0.09, 0.025, 0.9};
    holm_correct(p, 6);
    for (int i = 0; i < 6; i++) {
        if (isnan(expected[i]))
            assert_true(isnan(p[i]));
        else
            assert_near(p[i], expected[i]);
    }
    double large[] = {0.6, 0.5};
    holm_correct(large, 2);
    assert_true(large[0] == 1 && large[1] == 1);
    holm_correct(NULL, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_for_small_samples),
        cmocka_unit_test(approximate_for_ties_and_large_samples),
        cmocka_unit_test(nothing_to_test),
        cmocka_unit_test(level_is_kept),
        cmocka_unit_test(holm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

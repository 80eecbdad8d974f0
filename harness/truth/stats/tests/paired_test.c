// SPDX-License-Identifier: Apache-2.0
// Paired samples: known answers (scipy.stats.wilcoxon), and drift that cancels.
#include "../ratio.h"
#include "../stop.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

static void near(double got, double want) {
    if (!(fabs(got - want) <= 1e-9 * fabs(want))) fail_msg("got %.12g, want %.12g", got, want);
}

static void known_answers(void **state) {
    static const double one_sided[] = {1, 2, 3, 4, 5, 6}, mixed[] = {1, -2, 3, 4, -5, 6, 7, 8};
    near(signed_rank_test(one_sided, 6), 2.0 / 64);
    near(signed_rank_test(mixed, 8), 0.1484375); // W = 7: 19 of 256 sign patterns give at most this
    near(signed_rank_test((double[]){0, 0, 3}, 3), 1);
    assert_true(isnan(signed_rank_test((double[]){0, 0}, 2)));
    double many[30];
    for (int i = 0; i < 30; i++) many[i] = i % 3 ? i + 1 : -(i + 1);
    near(signed_rank_test(many, 30), 0.07354309334531803);
    double tied[40]; // 11 sizes, and zeros: from scipy.stats.wilcoxon(tied, correction=True, mode="approx")
    for (int i = 0; i < 40; i++) tied[i] = (double)(i * 37 % 11 - 4) / 2;
    near(signed_rank_test(tied, 40), 0.1058820030341896);
}

// Both sides slow down over the run, in ABBA order. The new side is 4 % slower throughout.
static void linear_drift_cancels(void **state) {
    enum { N = 64 };
    double base[N], new[N], p;
    int time = 0;
    for (int i = 0; i < N; i += 2) {
        base[i] = exp(time++ * 0.005);
        new[i] = 1.04 * exp(time++ * 0.005);
        new[i + 1] = 1.04 * exp(time++ * 0.005);
        base[i + 1] = exp(time++ * 0.005);
    }
    struct ratio ratio = ratio_of_pairs(base, new, N, &p);
    near(ratio.value, 1.04);
    assert_true(ratio.lo <= 1.04 + 1e-12 && ratio.hi >= 1.04 - 1e-12 && ratio.hi - ratio.lo < 1e-9);
    assert_true(p < 1e-5);
}

static void too_little_gives_no_interval(void **state) {
    double p, a[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, bad[] = {1, 0};
    struct ratio ratio = ratio_of_pairs(a, a, 10, &p);
    assert_true(ratio.value == 1 && isnan(ratio.lo) && p == 1);
    assert_true(isnan(ratio_of_pairs(a, a, 1, &p).value) && isnan(p));
    assert_true(isnan(ratio_of_pairs(a, bad, 2, &p).value));
}

// Two noise-free sides are told apart at the first check. Checks are made only after whole blocks.
static void pairs_are_looked_at_in_blocks(void **state) {
    double base[64], head[64];
    for (int i = 0; i < 64; i++) {
        base[i] = 100;
        head[i] = 104;
    }
    for (size_t count = 0; count <= 64; count++)
        assert_int_equal(stop_pairs(base, head, count, 0.03), count >= STOP_LEAST_PAIRS && count % 8 == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(linear_drift_cancels),
        cmocka_unit_test(too_little_gives_no_interval),
        cmocka_unit_test(pairs_are_looked_at_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "../ratio.h"

#include "../../../reference/philox.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static struct summary around(double median, double below, double above) {
    return (struct summary){.median = median, .lo = median / below, .hi = median * above, .samples = 10};
}

// The distances to the interval ends, on the logarithmic scale, are chosen to be 3 and 4, and 5 and 12 hundredths.
static void interval_of_a_ratio(void **state) {
    (void)state;
    struct summary base = around(100, exp(0.05), exp(0.04)), new = around(200, exp(0.03), exp(0.12));
    struct ratio ratio = ratio_of_medians(&base, &new);
    assert_true(ratio.value == 2);
    assert_true(fabs(log(ratio.lo / 2) + 0.05) < 1e-12);
    assert_true(fabs(log(ratio.hi / 2) - 0.13) < 1e-12);
    new.samples = 5;
    ratio = ratio_of_medians(&base, &new);
    assert_true(ratio.value == 2 && isnan(ratio.lo) && isnan(ratio.hi));
    base.median = 0;
    assert_true(isnan(ratio_of_medians(&base, &new).value));
    base = summarize(NULL, 0);
    assert_true(isnan(ratio_of_medians(&base, &new).value));
}

// Two skewed samples have medians of ratio 1.1. Their interval covers 1.1 at least as often as promised.
static void interval_covers(void **state) {
    (void)state;
    enum { TRIALS = 5000 };
    static const size_t counts[][2] = {{6, 6}, {10, 15}, {40, 12}};
    for (size_t c = 0; c < 3; c++) {
        int held = 0;
        for (uint64_t trial = 0; trial < TRIALS; trial++) {
            double base[40], new[40];
            for (size_t i = 0; i < 40; i++) {
                struct philox bits = philox(9, trial, c << 32 | i);
                base[i] = 1 - log(1 - philox_uniform(bits.v[0])) - log(2);
                new[i] = 1.1 * (1 - log(1 - philox_uniform(bits.v[1])) - log(2));
            }
            struct summary a = summarize(base, counts[c][0]), b = summarize(new, counts[c][1]);
            struct ratio ratio = ratio_of_medians(&a, &b);
            held += ratio.lo <= 1.1 && 1.1 <= ratio.hi;
        }
        if (held < 0.945 * TRIALS) fail_msg("%zu and %zu samples: %d of %d", counts[c][0], counts[c][1], held, TRIALS);
    }
}

static void mean_of_ratios(void **state) {
    (void)state;
    // scipy.stats.gmean([1.1, 0.9, 1.25, 2])
    assert_true(fabs(geometric_mean((double[]){1.1, NAN, 0.9, 1.25, 0, 2, INFINITY}, 7) - 1.2542779884280946) < 1e-14);
    assert_true(isnan(geometric_mean(NULL, 0)) && isnan(geometric_mean((double[]){NAN}, 1)));
}

static void verdicts(void **state) {
    (void)state;
    static const struct {
        double lo, hi, p;
        enum verdict verdict;
    } cases[] = {
        {0.98, 1.02, 0.9, VERDICT_SAME},
        {1.01, 1.029, 1e-9, VERDICT_SAME}, // a difference too small to count
        {0.98, 1.02, NAN, VERDICT_SAME},
        {1.031, 1.05, 0.01, VERDICT_SLOWER},
        {1.031, 1.05, NAN, VERDICT_SLOWER},
        {1.031, 1.05, 0.06, VERDICT_AMBIGUOUS},
        {1.029, 1.05, 1e-9, VERDICT_AMBIGUOUS},
        {0.9, 1.1, 0.5, VERDICT_AMBIGUOUS},
        {0.9, 0.97, 0.01, VERDICT_FASTER}, // 1 / 1.03 is 0.9709
        {0.9, 0.97, 0.06, VERDICT_AMBIGUOUS},
        {0.9, 0.98, 0.01, VERDICT_AMBIGUOUS},
        {0.97, 1.02, 0.9, VERDICT_AMBIGUOUS},
        {NAN, NAN, 0.001, VERDICT_AMBIGUOUS},
        {1.2, INFINITY, 0.001, VERDICT_AMBIGUOUS},
        {0, 0.8, 0.001, VERDICT_FASTER},
        {-INFINITY, 0.8, 0.001, VERDICT_AMBIGUOUS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *why;
        struct ratio ratio = {NAN, cases[i].lo, cases[i].hi};
        enum verdict verdict = verdict_of_times(&ratio, cases[i].p, 0.03, &why);
        if (verdict != cases[i].verdict) fail_msg("case %zu is %s", i, verdict_name(verdict));
        assert_true((why != NULL) == (verdict == VERDICT_AMBIGUOUS));
    }
    for (int v = 0; v < VERDICT_COUNT; v++) assert_non_null(verdict_name((enum verdict)v));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interval_of_a_ratio),
        cmocka_unit_test(interval_covers),
        cmocka_unit_test(mean_of_ratios),
        cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

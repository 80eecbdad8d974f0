// SPDX-License-Identifier: Apache-2.0
#include "../ratio.h"

#include "../../../../reference/philox.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

static struct summary around(double median, double below, double above) {
    return (struct summary){.median = median, .lo = median / below, .hi = median * above, .samples = 10};
}

// The distances to the interval ends, on the logarithmic scale, are chosen to be 3 and 4, and 5 and 12 hundredths.
static void interval_of_a_ratio(void **state) {
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

// Without a finite interval around the median, above zero, the ratio has no interval.
static void odd_intervals_give_none(void **state) {
    static const struct {
        double lo, median, hi;
        size_t samples;
        bool any;
    } rows[] = {{90, 100, 120, 6, true}, {100, 100, 100, 6, true}, {90, 100, 120, 5, false}, {0, 100, 120, 6, false},
        {-1, 100, 120, 6, false}, {101, 100, 120, 6, false}, {90, 100, 99, 6, false}, {90, 100, INFINITY, 6, false},
        {NAN, 100, 120, 6, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int side = 0; side < 2; side++) {
            const struct summary odd = {.lo = rows[i].lo, .median = 100, .hi = rows[i].hi, .samples = rows[i].samples},
                                 fine = around(100, 1.1, 1.1);
            const struct ratio ratio = ratio_of_medians(side ? &odd : &fine, side ? &fine : &odd);
            if (!isnan(ratio.lo) != rows[i].any || !isnan(ratio.hi) != rows[i].any) fail_msg("row %zu", i);
            assert_true(ratio.value == 1);
        }
}

// Sizes are powers of ten. Equal times are no gain, and what was not measured is skipped.
static void crossovers_are_between_two_sizes(void **state) {
    static const struct {
        double sizes[4], gpu[4], scalar[4];
        enum crossover found;
        double size;
    } rows[] = {
        {{1, 10, 100, 1000}, {4, 4, 4, 4}, {1, 2, 8, 16}, CROSSOVER_AT, 31.622776601683793},  // from 2 to 1/2
        {{1, 10, 100, 1000}, {4, 4, 4, 4}, {1, 2, NAN, 16}, CROSSOVER_AT, 46.41588833612779}, // from 2 to 1/4: a third
        {{1, 10, 100, 1000}, {4, 4, 4, 4}, {1, 4, 8, 16}, CROSSOVER_AT, 10},                  // equal at 10
        {{1, 10, 100, 1000}, {4, 4, 4, 4}, {8, 8, 8, 16}, CROSSOVER_ALWAYS, 0},
        {{1, 10, 100, 1000}, {4, 4, 4, 4}, {8, 8, 8, 2}, CROSSOVER_NEVER, 0},
        {{1, 10, 100, 1000}, {4, 4, 4, 4}, {8, 8, 8, 4}, CROSSOVER_NEVER, 0},
        {{1, 10, 100, 1000}, {4, 4, 4, NAN}, {8, 8, 8, 2}, CROSSOVER_ALWAYS, 0},
        {{1, 10, 100, -1000}, {4, 4, 4, 4}, {8, 8, 8, 2}, CROSSOVER_ALWAYS, 0}, // a size that is none
        {{1, 10, 100, 1000}, {NAN, NAN, NAN, NAN}, {8, 8, 8, 2}, CROSSOVER_NONE, 0},
        {{1, 10, 100, 1000}, {4, 4, 4, 4}, {8, 8, INFINITY, 16}, CROSSOVER_ALWAYS, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double size = 0;
        assert_int_equal(crossover_find(rows[i].sizes, rows[i].gpu, rows[i].scalar, 4, &size), rows[i].found);
        if (fabs(size - rows[i].size) > 1e-9 * rows[i].size) fail_msg("row %zu: %.17g", i, size);
    }
    assert_int_equal(crossover_find(NULL, NULL, NULL, 0, NULL), CROSSOVER_NONE);
}

static void mean_of_ratios(void **state) {
    // scipy.stats.gmean([1.1, 0.9, 1.25, 2])
    assert_true(fabs(geometric_mean((double[]){1.1, NAN, 0.9, 1.25, 0, 2, INFINITY}, 7) - 1.2542779884280946) < 1e-14);
    assert_true(isnan(geometric_mean(NULL, 0)) && isnan(geometric_mean((double[]){NAN}, 1)));
}

static void verdicts(void **state) {
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
        {1.03, 1.05, 1e-9, VERDICT_AMBIGUOUS}, // ends of the band itself
        {0.9, 1 / 1.03, 1e-9, VERDICT_AMBIGUOUS},
        {1 / 1.03, 1.03, 1e-9, VERDICT_SAME},
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
        cmocka_unit_test(odd_intervals_give_none),
        cmocka_unit_test(crossovers_are_between_two_sizes),
        cmocka_unit_test(mean_of_ratios),
        cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

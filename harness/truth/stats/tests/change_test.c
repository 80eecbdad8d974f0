// SPDX-License-Identifier: Apache-2.0
#include "../change.h"

#include "../../../../reference/philox.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

enum { RUNS = 40 };

// Fills `values` with noise of 1 % around a level. At the given runs the level changes by the given factors.
static void make(double *values, uint64_t stream, const size_t *at, const double *factors, size_t changes) {
    double level = 1000;
    for (size_t i = 0; i < RUNS; i++) {
        for (size_t c = 0; c < changes; c++)
            if (at[c] == i) level *= factors[c];
        values[i] = level * (1 + 0.01 * (philox_uniform(philox(77, stream, i).v[0]) - 0.5));
    }
}

static void changes_are_found_where_they_are(void **state) {
    double values[RUNS];
    struct change found[8];
    make(values, 1, (size_t[]){17}, (double[]){1.05}, 1);
    assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.03, true}, found, 8), 1);
    assert_int_equal(found[0].at, 17);
    make(values, 2, (size_t[]){9, 21, 33}, (double[]){1.2, 0.7, 1.3}, 3);
    assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.03, true}, found, 8), 3);
    assert_true(found[0].at == 9 && found[1].at == 21 && found[2].at == 33);
    assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.03, true}, found, 2), 2); // no third fits
}

// A series of thousands of runs is searched by the medians of blocks. Each change is still found at its run.
static void a_long_series_is_searched_too(void **state) {
    enum { LONG_RUNS = 10000 };
    static double values[LONG_RUNS];
    struct change found[8];
    for (size_t i = 0; i < LONG_RUNS; i++) {
        struct philox bits = philox(7, 1, i);
        double noise = (double)(bits.v[0] % 1000) / 1000 - 0.5;
        values[i] = (i < 1234 ? 100 : i < 7777 ? 110 : 99) * (1 + 0.02 * noise);
    }
    assert_int_equal(change_points(values, LONG_RUNS, &(struct change_rules){0.03, true}, found, 8), 2);
    assert_true(found[0].at >= 1233 && found[0].at <= 1235); // the noise may hide one run
    assert_true(found[1].at >= 7776 && found[1].at <= 7778);
    for (size_t i = 0; i < LONG_RUNS; i++) values[i] = 100 + (double)(philox(8, 1, i).v[0] % 100) / 50;
    assert_int_equal(change_points(values, LONG_RUNS, &(struct change_rules){0.03, true}, found, 8), 0);
}

// A change counts if at most 5 % of all arrangements, 50 of 1,000 with the series itself, have a split as far from
// chance. These two series, found by trying permutations, have 50 and 51.
static void one_arrangement_more_is_chance(void **state) {
    static const double rare[] = {210, 200, 190, 110, 150, 130, 140, 160, 170, 180, 100, 120};
    static const double usual[] = {170, 200, 160, 150, 190, 210, 100, 140, 180, 130, 120, 110};
    struct change found[8];
    assert_int_equal(change_points(rare, 12, &(struct change_rules){0.03, false}, found, 8), 1);
    assert_int_equal(found[0].at, 3);
    assert_int_equal(change_points(usual, 12, &(struct change_rules){0.03, false}, found, 8), 0);
}

// The slowest run of the old level must not be taken for the first run of the new one.
static void the_run_itself_is_found(void **state) {
    for (uint64_t trial = 0; trial < 300; trial++) {
        double values[10];
        struct change found[8];
        for (size_t i = 0; i < 10; i++)
            values[i] = (i < 6 ? 100 : 120) * (1 + 0.002 * philox_uniform(philox(9, trial, i).v[0]));
        assert_int_equal(change_points(values, 10, &(struct change_rules){0.01, true}, found, 8), 1);
        assert_int_equal(found[0].at, 6);
    }
}

static void small_changes_do_not_count(void **state) {
    double values[RUNS];
    struct change found[8];
    make(values, 3, (size_t[]){20}, (double[]){1.02}, 1);
    assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.03, true}, found, 8), 0);
    assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.01, true}, found, 8), 1);
    assert_int_equal(found[0].at, 20);
}

// Normal noise reaches 3.645 sqrt(2) deviations. Each series has its own limit, so a quiet one shows a change hidden
// in a noisy one.
static void each_series_has_its_own_noise(void **state) {
    enum { MANY = 20000 };
    static double normal[MANY];
    double values[RUNS];
    struct change found[8];
    for (size_t i = 0; i < MANY; i++) { // Box-Muller transform
        struct philox bits = philox(5, 1, i);
        double radius = sqrt(-2 * log(1 - philox_uniform(bits.v[0])));
        normal[i] = exp(0.01 * radius * cos(2 * M_PI * philox_uniform(bits.v[1])));
    }
    assert_true(fabs(change_noise(normal, MANY, MANY) - expm1(0.0516)) < 0.002);
    for (size_t noisy = 0; noisy < 2; noisy++) {
        for (size_t i = 0; i < RUNS; i++)
            values[i] = pow(normal[i], noisy ? 3 : 0.1) * (i < 20 ? 100 : 106); // deviations of 3 % and of 0.1 %
        assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.01, true}, found, 8), !noisy);
        if (!noisy) assert_true(found[0].at == 20 && found[0].least == 0.01);
        assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.01, false}, found, 8) > 0, 1);
    }
    // Later values do not affect the noise before them: the differences are 0.01 up to the fourteenth value.
    for (size_t i = 0; i < RUNS; i++) values[i] = i % 2 ? 101 : 100;
    for (size_t i = 14; i < RUNS; i++) values[i] *= i % 2 ? 3 : 1;
    assert_true(fabs(change_noise(values, RUNS, 14) - 0.01) < 1e-12);
    assert_true(change_noise(values, 1, 1) == 0);
    // Neither the change itself nor anything after the last value counts.
    const double last[] = {100, 101, 100, 101, 500};
    assert_true(fabs(change_noise(last, 4, 4) - 0.01) < 1e-12 && change_noise(last, 5, 5) > 1);
    const double first[] = {100, 500, 505, 500, 505};
    assert_true(fabs(change_noise(first, 5, 1) - 0.01) < 1e-12);
}

static void outliers_are_no_change(void **state) {
    double values[RUNS];
    struct change found[8];
    make(values, 4, NULL, NULL, 0);
    values[11] *= 3;
    assert_int_equal(change_points(values, RUNS, &(struct change_rules){0.03, true}, found, 8), 0);
}

// A series without a change is split one time in twenty.
static void level_is_kept(void **state) {
    int marked = 0;
    for (uint64_t trial = 0; trial < 400; trial++) {
        double values[RUNS];
        struct change found[8];
        make(values, 100 + trial, NULL, NULL, 0);
        marked += change_points(values, RUNS, &(struct change_rules){0, false}, found, 8) > 0;
    }
    assert_true(marked > 5 && marked < 36); // 20 expected, with a deviation of 4.4
}

static void few_runs_show_nothing(void **state) {
    const double values[] = {1, 1.01, 1.02, 1.03, 2, 2.01, 2.02, 2.03};
    struct change found[8];
    for (size_t count = 0; count < 8; count++)
        assert_int_equal(change_points(values, count, &(struct change_rules){0.03, true}, found, 8), 0);
    assert_int_equal(change_points(values, 8, &(struct change_rules){0.03, true}, found, 8), 1);
    assert_int_equal(found[0].at, 4);
    const double flat[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    assert_int_equal(change_points(flat, 10, &(struct change_rules){0, true}, found, 8), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_are_found_where_they_are),
        cmocka_unit_test(a_long_series_is_searched_too),
        cmocka_unit_test(one_arrangement_more_is_chance),
        cmocka_unit_test(the_run_itself_is_found),
        cmocka_unit_test(small_changes_do_not_count),
        cmocka_unit_test(each_series_has_its_own_noise),
        cmocka_unit_test(outliers_are_no_change),
        cmocka_unit_test(level_is_kept),
        cmocka_unit_test(few_runs_show_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

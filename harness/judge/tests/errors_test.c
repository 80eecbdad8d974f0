// SPDX-License-Identifier: Apache-2.0
// Tests the expected errors of sums against real sums. They are made in float, in the orders used by kernels: to
// nearest, four times as coarsely, and towards zero.
#include "../errors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

enum { TERMS = 1024, LANES = 64, SUMS = 400 };
enum fault { SOUND, COARSE, TOWARDS_ZERO };

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

// Adds with rounding to 24 bits (22 if coarse), to nearest or towards zero.
static double add(double a, double b, enum fault fault) {
    const double sum = a + b; // exact, as both have 24 bits and similar sizes
    int exponent;
    const double unit = frexp(sum, &exponent) == 0 ? 1 : ldexp(1, exponent - (fault == COARSE ? 22 : 24));
    return (fault == TOWARDS_ZERO ? trunc(sum / unit) : nearbyint(sum / unit)) * unit;
}

static double chain_of(const double *x, int64_t count, int64_t stride, enum fault fault) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum = add(sum, x[i * stride], fault);
    return sum;
}

static double tree_of(const double *x, enum fault fault) {
    double lanes[LANES];
    for (int i = 0; i < LANES; i++) lanes[i] = chain_of(x + i, TERMS / LANES, LANES, fault);
    for (int left = LANES / 2; left; left /= 2)
        for (int i = 0; i < left; i++) lanes[i] = add(lanes[i], lanes[i + left], fault);
    return lanes[0];
}

static double bound_of(double depth) {
    return fmin(depth / 2, 3 * sqrt(depth) + depth * depth * 0x1p-24);
}

// Makes SUMS sums of different terms, in one order and with one fault, and judges them by that order. The outputs
// receive `reach` of their errors.
static struct error_sums sums_of(bool tree, double reach, enum fault fault) {
    const struct sum_order orders[] = {
        {TERMS - 1, 0, TERMS - 1}, {TERMS / LANES + 6, 2 * (2 - 2.0 / LANES), (double)TERMS / LANES / LANES}};
    const struct error_rule rule = {.dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .order = orders[tree]};
    struct error_sums sums = {0};
    uint64_t state = 7;
    for (int s = 0; s < SUMS; s++) {
        double x[TERMS], exact = 0, size = 0;
        struct error_group group = {0};
        for (int i = 0; i < TERMS; i++) {
            x[i] = (double)(float)(uniform(&state) * 1.25 - 0.25);
            exact += x[i];
            size += fabs(x[i]);
        }
        const double got = tree ? tree_of(x, fault) : chain_of(x, TERMS, 1, fault);
        const double depth = (double)rule.order.depth;
        const struct error_bounds bounds = {reach * bound_of(depth), reach * 0.5, reach * bound_of(2 * depth)};
        errors_add(
            &group, reach * (got - exact) / dtype_ulp(DTYPE_F32, size), 1, errors_expected(&rule, size, &bounds));
        errors_close(&sums, &group);
    }
    return sums;
}

static bool holds(const struct error_sums *sums) {
    return sums->squares <= errors_most_squares(sums) && fabs(sums->sum) <= errors_most_sum(sums);
}

static void sound_sums_hold_in_either_order(void **state) {
    (void)state;
    for (int tree = 0; tree < 2; tree++) {
        const struct error_sums sums = sums_of(tree, 1, SOUND);
        assert_int_equal(sums.groups, SUMS);
        assert_true(holds(&sums));
        // The limit is not just wide: at least a third of the expected deviation occurs.
        assert_true(sums.squares > SUMS / 9.0);
    }
}

static void coarse_and_cut_sums_do_not(void **state) {
    (void)state;
    for (int tree = 0; tree < 2; tree++) {
        const struct error_sums coarse = sums_of(tree, 1, COARSE), cut = sums_of(tree, 1, TOWARDS_ZERO);
        assert_true(coarse.squares > errors_most_squares(&coarse));
        assert_true(fabs(coarse.sum) <= errors_most_sum(&coarse));
        assert_true(cut.sum < -errors_most_sum(&cut));
    }
}

// Only half of a sum's errors reaches the output, as under a root. They are judged by half of the order's deviation.
// A longer, serial sum with half the bound would allow more.
static void a_part_of_a_sum_is_judged_by_its_order(void **state) {
    (void)state;
    for (int tree = 0; tree < 2; tree++) {
        const struct error_sums sound = sums_of(tree, 0.5, SOUND), coarse = sums_of(tree, 0.5, COARSE);
        assert_true(holds(&sound));
        assert_true(coarse.squares > errors_most_squares(&coarse));
    }
}

// The error of a row's mean enters outputs of both signs like this.
static void errors_to_one_side_of_outputs_of_both_signs_show(void **state) {
    (void)state;
    struct error_sums sums = {0};
    for (int s = 0; s < SUMS; s++) {
        struct error_group group = {0};
        for (int i = 0; i < 4; i++)
            errors_add(&group, 0.8, i % 2 ? 1 : -1, (struct expected_error){.deviation = 1, .bias = 0});
        errors_close(&sums, &group);
    }
    assert_true(fabs(sums.sum) < 1e-9);
    assert_true(errors_sum(&sums) > errors_most_sum(&sums));
}

static void what_is_no_sum_is_left_out(void **state) {
    (void)state;
    const struct error_rule rule = {.dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .order = {10, 4, 1}};
    struct error_sums sums = {0};
    struct error_group group = {0};
    errors_add(&group, 1000, 1, errors_expected(&rule, 1, &(struct error_bounds){2.5, 2.5, 2.5}));
    errors_add(&group, 1000, 1, errors_expected(&rule, 1, &(struct error_bounds){INFINITY, 2.5, INFINITY}));
    errors_add(&group, 1000, 1, errors_expected(&rule, 0x1p-126, &(struct error_bounds){9, 2.5, 17}));
    errors_close(&sums, &group);
    assert_int_equal(sums.groups, 0);
}

static void a_narrow_store_adds_its_own_rounding(void **state) {
    (void)state;
    const struct error_rule rule = {.dtype = DTYPE_F16, .arithmetic = DTYPE_F32, .order = {10, 4, 1}};
    const struct expected_error expected = errors_expected(&rule, 1, &(struct error_bounds){5, 0.5, 10});
    assert_true(fabs(expected.deviation - sqrt(1.0 / 12)) < 1e-3);
    assert_true(expected.bias < 1e-3);
}

// A single lane adds terms of one ULP to a large term. The sum is exact, except for coarse sums, which lose all of
// them.
static void beside_a_large_term_lost_ones_show(void **state) {
    (void)state;
    const struct error_rule rule = {
        .dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .order = {40, 4, 1}, .with_outlier = 4};
    const struct error_bounds bounds = {bound_of(40), 0.5, bound_of(80)};
    for (int coarse = 0; coarse < 2; coarse++) {
        struct error_sums sums = {0};
        for (int s = 0; s < 32; s++) {
            struct error_group group = {0};
            double sum = 0x1p23 + 4 * s;
            for (int i = 0; i < 16; i++) sum = add(sum, 1, coarse ? COARSE : SOUND);
            errors_add(&group, sum - (0x1p23 + 4 * s + 16), 1, errors_expected(&rule, sum, &bounds));
            errors_close(&sums, &group);
        }
        assert_int_equal(sums.groups, 32);
        assert_int_equal(holds(&sums), !coarse);
    }
}

// If a right kernel may round all additions, as many random roundings are allowed.
static void all_additions_may_err_where_they_may(void **state) {
    (void)state;
    const struct error_bounds bounds = {bound_of(40), 0.5, bound_of(80)};
    const struct error_rule few = {.dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .order = {40, 4, 1}, .with_outlier = 4};
    const struct error_rule all = {
        .dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .order = {40, 4, 1}, .with_outlier = INT64_MAX};
    const double of_few = errors_expected(&few, 1, &bounds).deviation,
                 of_all = errors_expected(&all, 1, &bounds).deviation;
    assert_true(fabs(of_few * of_few - 5.0 / 12) < 0.01);
    assert_true(fabs(of_all * of_all - 41.0 / 12) < 0.01);
}

// Computes s + g^2: a few roundings and no depth.
static void steps_are_judged_by_as_many_roundings(void **state) {
    (void)state;
    const struct error_rule rule = {.dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .in_steps = true};
    for (int fault = SOUND; fault <= TOWARDS_ZERO; fault++) {
        struct error_sums sums = {0};
        uint64_t random = 3;
        for (int s = 0; s < 4096; s++) {
            struct error_group group = {0};
            const double x = (double)(float)(0.5 + uniform(&random)), g = (double)(float)uniform(&random);
            const double square = (double)(float)(g * g), got = add(x, square, (enum fault)fault), want = x + g * g;
            const double bound = (0.5 * g * g + 0.5 * want) / dtype_ulp(DTYPE_F32, want) * 0x1p-23;
            const struct error_bounds bounds = {bound, bound, bound};
            errors_add(&group, (got - want) / dtype_ulp(DTYPE_F32, want), 1, errors_expected(&rule, want, &bounds));
            errors_close(&sums, &group);
        }
        assert_int_equal(sums.groups, 4096);
        assert_int_equal(holds(&sums), fault == SOUND);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sound_sums_hold_in_either_order),
        cmocka_unit_test(coarse_and_cut_sums_do_not),
        cmocka_unit_test(a_part_of_a_sum_is_judged_by_its_order),
        cmocka_unit_test(errors_to_one_side_of_outputs_of_both_signs_show),
        cmocka_unit_test(what_is_no_sum_is_left_out),
        cmocka_unit_test(a_narrow_store_adds_its_own_rounding),
        cmocka_unit_test(beside_a_large_term_lost_ones_show),
        cmocka_unit_test(all_additions_may_err_where_they_may),
        cmocka_unit_test(steps_are_judged_by_as_many_roundings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

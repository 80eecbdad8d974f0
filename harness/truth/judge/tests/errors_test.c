// SPDX-License-Identifier: Apache-2.0
// Tests the expected errors of sums against real sums. They are made in float, in the orders used by kernels: to
// nearest, four times as coarsely, and towards zero.
#include "../errors.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>

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
    for (int tree = 0; tree < 2; tree++) {
        const struct error_sums sums = sums_of(tree, 1, SOUND);
        assert_int_equal(sums.groups, SUMS);
        assert_true(holds(&sums));
        // The limit is not just wide: at least a third of the expected deviation occurs.
        assert_true(sums.squares > SUMS / 9.0);
    }
}

static void coarse_and_cut_sums_do_not(void **state) {
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
    for (int tree = 0; tree < 2; tree++) {
        const struct error_sums sound = sums_of(tree, 0.5, SOUND), coarse = sums_of(tree, 0.5, COARSE);
        assert_true(holds(&sound));
        assert_true(coarse.squares > errors_most_squares(&coarse));
    }
}

// The error of a row's mean enters outputs of both signs like this.
static void errors_to_one_side_of_outputs_of_both_signs_show(void **state) {
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
    const struct error_rule rule = {.dtype = DTYPE_F16, .arithmetic = DTYPE_F32, .order = {10, 4, 1}};
    const struct expected_error expected = errors_expected(&rule, 1, &(struct error_bounds){5, 0.5, 10});
    assert_true(fabs(expected.deviation - sqrt(1.0 / 12)) < 1e-3);
    assert_true(expected.bias < 1e-3);
}

// A single lane adds terms of one ULP to a large term. The sum is exact, except for coarse sums, which lose all of
// them.
static void beside_a_large_term_lost_ones_show(void **state) {
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

// ---- figures worked out by hand, from the formulas in errors.h

// A sum of order {10, 4, 7}: (1 + 4 + 7 g) / 12. g is 1/7 at powers of two, and 3/7 at one and a half of them. A serial
// sum of depth d has 1 + d g. A function of half an ULP adds 0.05 squared.
static const struct {
    double magnitude;
    struct sum_order order;
    struct error_bounds bounds;
    double squares, bias;
} known_sums[] = {
    {1, {10, 4, 7}, {5, 0.5, 10}, 6.0 / 12 + 0.0025, 0.05}, {64, {10, 4, 7}, {5, 0.5, 10}, 6.0 / 12 + 0.0025, 0.05},
    {1.5, {10, 4, 7}, {5, 0.5, 10}, 8.0 / 12 + 0.0025, 0.05},
    {1, {1, 4, 7}, {5, 0.5, 10}, (1 + 10.0 / 7) / 12 + 0.0025, 0.05},     // no order: depth 10
    {1.5, {0, 4, 7}, {30, 0.5, 60}, (1 + 300.0 / 7) / 12 + 0.0025, 0.05}, // depth 30 * 30 / 9
    // A third of the sum reaches the output, and the plain bound counts as two roundings of 1/12.
    {1, {10, 4, 7}, {2.5, 1, 4.1667}, 6.0 / 12 / 9 + 1.0 / 6 + 0.01, 0.1},
    // The bound does not rise as that of such a sum does: a serial sum of depth 4.
    {1, {10, 4, 7}, {2.5, 1, 3}, (1 + 4.0 / 7) / 12 + 0.01, 0.1},
    {1, {10, 40, 7}, {2.5, 1, 3}, 42.0 / 12 / 9 + 0.01, 0.1}, // unless the order's own errors are larger
};

static void assert_close(double found, double expected) {
    if (!(fabs(found - expected) <= 1e-6 * fabs(expected))) fail_msg("%.9g instead of %.9g", found, expected);
}

static void errors_of_sums_are_those_of_the_formula(void **state) {
    for (size_t i = 0; i < sizeof known_sums / sizeof *known_sums; i++) {
        const struct error_rule rule = {.dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .order = known_sums[i].order};
        const struct expected_error found = errors_expected(&rule, known_sums[i].magnitude, &known_sums[i].bounds);
        assert_close(found.deviation, sqrt(known_sums[i].squares));
        assert_close(found.bias, known_sums[i].bias);
    }
}

// Sums of whole numbers are exact: the plain bound counts up to 1.5 ULP as roundings. Functions err by a tenth of it,
// at least by a quarter of an ULP above 1.5, and at most by 4.
static void errors_beside_exact_sums_are_those_of_functions(void **state) {
    static const struct {
        double plain, rounding, function;
    } known[] = {{0.6, 0.1, 0.06}, {1.5, 0.25, 0.15}, {2, 0.25, 0.25}, {3, 0.25, 0.3}, {40, 0.25, 4}, {100, 0.25, 4}};
    struct error_rule rule = {.dtype = DTYPE_F32, .arithmetic = DTYPE_F32};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct error_bounds bounds = {90, known[i].plain, 180};
        const double squares = known[i].rounding + known[i].function * known[i].function;
        rule.dtype = DTYPE_F32;
        const struct expected_error found = errors_of_exact_sums(&rule, &bounds);
        assert_close(found.deviation, sqrt(squares));
        assert_close(found.bias, known[i].function);
        rule.dtype = DTYPE_F16; // an ULP of f32 is 2^-13 of f16, and the store rounds once more
        const struct expected_error stored = errors_of_exact_sums(&rule, &bounds);
        assert_close(stored.deviation, sqrt(squares * 0x1p-26 + 1.0 / 12));
        assert_close(stored.bias, known[i].function * 0x1p-13);
    }
    assert_true(errors_of_exact_sums(&rule, &(struct error_bounds){1, INFINITY, 2}).deviation == 0);
}

// Steps up to a bound of 1 have a sixth of it as their mean square, and above a third.
static void errors_of_steps_are_those_of_the_formula(void **state) {
    const struct error_rule rule = {.dtype = DTYPE_F32, .arithmetic = DTYPE_F32, .in_steps = true};
    static const struct {
        double bound, squares;
    } known[] = {{0.5, 1.0 / 12 + 0.0025}, {1, 1.0 / 6 + 0.01}, {1.2, 0.4 + 0.0144}, {3, 1 + 0.09}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const struct error_bounds bounds = {known[i].bound, known[i].bound, known[i].bound};
        assert_close(errors_expected(&rule, 1, &bounds).deviation, sqrt(known[i].squares));
    }
    const struct error_bounds none = {0, 0, 0}, one = {1, 1, 1};
    assert_true(errors_expected(&rule, 1, &none).deviation == 0);
    assert_true(errors_expected(&rule, 0x1p-124, &one).deviation == 0); // four times the least normal number
    assert_true(errors_expected(&rule, 0x1.8p-124, &one).deviation > 0);
}

static void errors_of_a_total_of_one_are_those_of_the_formula(void **state) {
    const struct sum_order order = {.depth = 10, .tree = 3, .chains = 2 * 243.0 / 49};
    const struct expected_error found = errors_of_unit(&order, 1);
    assert_close(found.deviation, 1); // (1 + 6 + 2) / 12 + 1/4
    assert_close(found.bias, 0.5);
    const struct expected_error rescaled = errors_of_unit(&(struct sum_order){0}, 148); // e to the power of 4.997
    assert_true(fabs(rescaled.bias - 0.5 - 1.749) < 0.001);
}

// Two groups, of two outputs and of one. Errors count in shares of 2, the deviation. The second output is below zero.
static void sums_are_means_of_groups(void **state) {
    const struct expected_error expected = {.deviation = 2, .bias = 0.5};
    struct error_sums sums = {0};
    struct error_group two = {0}, one = {0}, none = {0};
    errors_add(&two, 4, 1, expected);
    errors_add(&two, 2, -0.5, expected);
    errors_add(&one, 3, 0, expected);
    errors_close(&sums, &two);
    errors_close(&sums, &one);
    errors_close(&sums, &none);
    assert_int_equal(sums.outputs, 3);
    assert_int_equal(sums.groups, 2);
    assert_close(sums.squares, (4 + 1) / 2.0 + 2.25);
    assert_close(sums.sum, (2 - 1) / 2.0 + 1.5);
    assert_close(sums.raw, (2 + 1) / 2.0 + 1.5);
    assert_close(sums.bias, 0.25 + 0.25);
    assert_close(errors_sum(&sums), 3);
    sums.raw = -1;
    assert_close(errors_sum(&sums), 2);
    sums.raw = -5;
    assert_close(errors_sum(&sums), -5);
}

// For a hundred groups: 100 + 2 sqrt(20.7 * 100) + 2 * 20.7, and the bias + sqrt(2 * 20.7 * 100).
static void limits_are_those_of_the_tails(void **state) {
    const struct error_sums sums = {.groups = 100, .outputs = 900, .bias = 3};
    assert_close(errors_most_squares(&sums), 232.3945053);
    assert_close(errors_most_sum(&sums), 67.3428301);
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
        cmocka_unit_test(errors_of_sums_are_those_of_the_formula),
        cmocka_unit_test(errors_beside_exact_sums_are_those_of_functions),
        cmocka_unit_test(errors_of_steps_are_those_of_the_formula),
        cmocka_unit_test(errors_of_a_total_of_one_are_those_of_the_formula),
        cmocka_unit_test(sums_are_means_of_groups),
        cmocka_unit_test(limits_are_those_of_the_tails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

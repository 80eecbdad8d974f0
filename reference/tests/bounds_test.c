// SPDX-License-Identifier: Apache-2.0
// Values and bounds of long sums and of grouped convolutions, against formulas computed by hand. Inputs are ones, so
// the sum of the absolute terms is the number of terms.
#include "evaluated.h"
#include "../operator.h"
#include "unit.h"

static struct problem of_ones(const char *op, const int64_t *dims) {
    struct problem p = problem_open(operator_named(op), dims, 5);
    for (int i = 0; i < operator_operands(p.op); i++)
        for (int64_t k = 0; p.in[i] && k < operand_elements(p.op, &p.op->operands[i], p.dims); k++)
            problem_set_at(&p, i, k, 1);
    problem_truth(&p, 0, p.elements);
    return p;
}

// The bound of `additions` in any order, with rounding to nearest: the lesser of the worst case and 3 sqrt(additions)
// with a bias.
static double bound_of(double additions) {
    return fmin(additions / 2, 3 * sqrt(additions) + additions * additions * 0x1p-24);
}

static void assert_bound(const struct problem *p, int64_t i, double wanted) {
    if (!(fabs(p->bound[i] - wanted) <= 1e-12 * wanted))
        fail_msg("%s: the bound of element %d is %.17g, not %.17g", p->op->name, (int)i, p->bound[i], wanted);
}

// A mean adds a division of 2.5 ULP and a rounding of half an ULP.
static void sums_and_means_of_any_length_count_all_terms(void **state) {
    static const int64_t lengths[] = {2, 37, 999, 1000, 1001, 4097, 70000};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const int64_t n = lengths[l], rows[] = {2, n};
        const double sum = bound_of((double)n - 1);
        for (int by_row = 0; by_row < 2; by_row++) {
            struct problem sums = of_ones(by_row ? "sum_rows" : "sum", by_row ? rows : &n);
            struct problem means = of_ones(by_row ? "mean_rows" : "mean", by_row ? rows : &n);
            assert_int_equal(sums.elements, by_row + 1);
            for (int i = 0; i <= by_row; i++) {
                assert_true(sums.out[i] == (double)n && sums.magnitude[i] == (double)n);
                assert_true(means.out[i] == 1 && means.magnitude[i] == 1);
                assert_bound(&sums, i, sum);
                assert_bound(&means, i, sum + 3);
            }
            problem_close(&sums);
            problem_close(&means);
        }
    }
}

// Only channels of an output's group are added, and only taps inside the picture: 9, 6 on an edge, 4 in a corner. The
// products add another ULP. The bias makes as many additions as there are products.
static void a_convolution_adds_the_channels_of_its_group(void **state) {
    enum { CIN = 12, SIDE = 5, COUT = 12 };
    for (int64_t groups = 1; groups <= 4; groups *= 2) {
        const double channels = CIN / (double)groups;
        struct problem p = of_ones("conv2d", (int64_t[]){1, CIN, SIDE, SIDE, COUT, 3, 3, 1, 1, 1, groups});
        assert_int_equal(p.elements, COUT * SIDE * SIDE);
        for (int64_t i = 0; i < p.elements; i++) {
            const int64_t x = i % SIDE, y = i / SIDE % SIDE;
            const double terms = channels * (x % (SIDE - 1) ? 3 : 2) * (y % (SIDE - 1) ? 3 : 2);
            assert_true(p.out[i] == terms + 1 && p.magnitude[i] == terms + 1);
            assert_bound(&p, i, bound_of(terms) + 1);
        }
        assert_true(p.op->flops(p.dims) == COUT * SIDE * SIDE * (2 * channels * 9 + 1));
        problem_close(&p);
        struct problem line = of_ones("conv1d", (int64_t[]){1, CIN, SIDE, COUT, 3, 1, 1, 1, groups});
        for (int64_t i = 0; i < line.elements; i++) {
            const double terms = channels * (i % SIDE % (SIDE - 1) ? 3 : 2);
            assert_true(line.out[i] == terms + 1);
            assert_bound(&line, i, bound_of(terms) + 1);
        }
        assert_true(line.op->flops(line.dims) == COUT * SIDE * (2 * channels * 3 + 1));
        problem_close(&line);
    }
}

// With equal values every slope of a score is 0, but a kernel rounds the differences that cancel.
static void slopes_that_cancel_have_an_error(void **state) {
    struct problem p = of_ones("attention_backward", (int64_t[]){1, 1, 1, 1, 2, 1, 0});
    assert_true(p.out[0] == 0 && p.magnitude[0] > 0 && p.magnitude[0] < 0x1p-18);
    // The bound is the whole error, 2^23 epsilons of its size, and the additions.
    assert_true(p.bound[0] >= 0x1p23 && p.bound[0] < 0x1p24 + 8);
    problem_close(&p);
}

// The mean of equal numbers may be off by a rounding, so each normalised element is 0 or has either sign. Times an
// infinity, it is NaN or either infinity.
static void an_infinite_gradient_of_a_normalised_zero_is_open(void **state) {
    enum { COLS = 5 };
    for (int equal = 0; equal < 2; equal++) {
        struct problem p = problem_open(operator_named("layernorm_backward"), (int64_t[]){1, COLS}, 5);
        for (int64_t i = 0; i < COLS; i++) {
            problem_set_at(&p, 0, i, i == 2 ? INFINITY : 1);
            problem_set_at(&p, 1, i, equal ? 0.75 : (double)(i * i));
            problem_set_at(&p, 2, i, 1);
        }
        problem_truth(&p, 0, COLS);
        for (int64_t i = 0; i < COLS; i++) assert_true(isinf(p.bound[i]) == (equal == 1));
        problem_close(&p);
    }
}

// Near 1 the logarithm may err by 2^-21, which y multiplies. There is no bound once ln 2 times this exceeds a half.
static void a_power_with_an_uncertain_exponent_has_no_bound(void **state) {
    static const struct {
        double x, y;
        bool bounded;
    } rows[] = {{1 + 0x1p-20, 0x1p20, true}, {1 + 0x1p-20, 0x1p21, false}, {1 + 0x1p-20, 1.4 * 0x1p20, true},
        {1 + 0x1p-20, 1.5 * 0x1p20, false}, {1, 0x1p22, false}, {0.25, 3, true}, {2, 0, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t n = 1;
        struct problem p = problem_open(operator_named("pow"), &n, 5);
        problem_set(&p, 0, &rows[i].x), problem_set(&p, 1, &rows[i].y);
        problem_truth(&p, 0, 1);
        if (isfinite(p.bound[0]) != rows[i].bounded) fail_msg("row %d: %g", (int)i, p.bound[0]);
        problem_close(&p);
    }
}

// The root of a b + c is left open if the sum cancels to less than a quarter, overflows, or may be flushed.
static void a_root_of_an_uncertain_sum_has_no_bound(void **state) {
    static const struct {
        double a, b, c;
        bool bounded;
    } rows[] = {{2, 3, 1, true}, {2, 3, -3, true}, {2, 3, -4, false}, {0, 0, 0, true}, {0x1p-63, 0x1p-63, 0, false},
        {0x1p-62, 0x1p-62, 0, true}, {0x1p-70, 0x1p-70, 0, false}, {0x1p64, 0x1p64, 0, false},
        {0x1p100, 0x1p20, 1, true}, {1, -1, 0, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t n = 1;
        struct problem p = problem_open(operator_named("mul_add_sqrt"), &n, 5);
        problem_set(&p, 0, &rows[i].a), problem_set(&p, 1, &rows[i].b), problem_set(&p, 2, &rows[i].c);
        problem_truth(&p, 0, 1);
        if (isfinite(p.bound[0]) != rows[i].bounded) fail_msg("row %d: %g", (int)i, p.bound[0]);
        problem_close(&p);
    }
}

// A key out of sight may be multiplied by 0, so an infinity anywhere in it leaves its row open, and no other row.
static void an_infinite_key_out_of_sight_leaves_its_row_open(void **state) {
    enum { QUERIES = 2, KEYS = 3, WIDTH = 5 };
    for (int at = 0; at < WIDTH; at++) {
        struct problem p = problem_open(operator_named("attention"), (int64_t[]){1, 1, 1, QUERIES, KEYS, WIDTH, 1}, 5);
        problem_set_at(&p, 1, 2 * WIDTH + at, INFINITY); // the last key, which only the last query sees
        problem_truth(&p, 0, p.elements);
        for (int d = 0; d < WIDTH; d++) assert_true(isinf(p.bound[d]));
        problem_close(&p);
        p = problem_open(operator_named("attention"), (int64_t[]){1, 1, 1, QUERIES, KEYS, WIDTH, 1}, 5);
        problem_set_at(&p, 2, 2 * WIDTH + at, INFINITY); // a value leaves only its own column open
        problem_truth(&p, 0, p.elements);
        for (int d = 0; d < WIDTH; d++) assert_true(isinf(p.bound[d]) == (d == at));
        problem_close(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_means_of_any_length_count_all_terms),
        cmocka_unit_test(a_convolution_adds_the_channels_of_its_group),
        cmocka_unit_test(slopes_that_cancel_have_an_error),
        cmocka_unit_test(an_infinite_gradient_of_a_normalised_zero_is_open),
        cmocka_unit_test(a_power_with_an_uncertain_exponent_has_no_bound),
        cmocka_unit_test(a_root_of_an_uncertain_sum_has_no_bound),
        cmocka_unit_test(an_infinite_key_out_of_sight_leaves_its_row_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Small known answers of every operator, worked out by hand, and properties of results for any inputs.
#include "evaluated.h"
#include "../../harness/base/file.h"
#include "../../harness/base/tests/within.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64, MOST_ANSWERS = 500 };

// A line of known.txt.
static struct known {
    char op[40];
    int64_t dims[12];
    double in[5][MOST], want[MOST], tolerance;
} answers[MOST_ANSWERS];
static size_t answer_count;

// Reads numbers up to another character, and returns the place behind them.
static char *read_numbers(char *at, double *out, int most) {
    for (int i = 0;;) {
        at += strspn(at, " ");
        if (*at == '@') {
            i = (int)strtol(at + 1, &at, 10);
            continue;
        }
        char *end;
        const double number = strtod(at, &end);
        if (end == at) return at;
        assert_within(i, 0, most - 1);
        out[i++] = number;
        at = end;
    }
}

static void read_answer(const char *line, struct known *out) {
    char copy[2000], *at = copy;
    double dims[12] = {0};
    snprintf(copy, sizeof copy, "%s", line);
    snprintf(out->op, sizeof out->op, "%s", strsep(&at, " "));
    at = read_numbers(at, dims, 12);
    for (int i = 0; i < 12; i++) out->dims[i] = (int64_t)dims[i];
    for (int i = 0; *at == ':' || *at == ';'; i++) {
        assert_within(i, 0, 4);
        at = read_numbers(at + 1, out->in[i], MOST);
    }
    if (*at == '=') at = read_numbers(at + 1, out->want, MOST);
    if (*at == '~') at = read_numbers(at + 1, &out->tolerance, 1);
    if (*at) fail_msg("\"%s\" is left of %s", at, line);
}

static int read_answers(void **state) {
    struct arena arena = {0};
    struct error err;
    char *text = file_read(&arena, "reference/tests/known.txt", NULL, &err), *line;
    if (!text) fail_msg("%s", err.text);
    while ((line = strsep(&text, "\n"))) {
        if (!*line || *line == '#') continue;
        assert_true(answer_count < MOST_ANSWERS);
        read_answer(line, &answers[answer_count++]);
    }
    assert_true(answer_count >= 228);
    arena_free(&arena);
    return 0;
}

static bool close_enough(double got, double want, double tolerance) {
    if (isnan(want)) return isnan(got);
    if (tolerance == 0 || isinf(want)) return got == want && !signbit(got) == !signbit(want);
    return fabs(got - want) <= tolerance * fmax(1, fabs(want));
}

static struct problem open_known(const struct known *known) {
    struct problem p = problem_open(operator_named(known->op), known->dims, 1);
    for (int i = 0, next = 0; i < operator_operands(p.op); i++)
        if (p.in[i] || p.ints[i]) problem_set(&p, i, known->in[next++]);
    return p;
}

static void answers_are_the_known_ones(void **state) {
    for (size_t i = 0; i < answer_count; i++) {
        struct problem p = open_known(&answers[i]);
        problem_truth(&p, 0, p.elements);
        problem_float(&p, 0, p.elements);
        for (int64_t j = 0; j < p.elements; j++) {
            if (!close_enough(p.out[j], answers[i].want[j], answers[i].tolerance))
                fail_msg("%s (answer %zu): element %lld is %.17g, not %.17g", answers[i].op, i, (long long)j, p.out[j],
                    answers[i].want[j]);
            assert_true(problem_share(&p, j) <= 1);
        }
        problem_close(&p);
    }
}

static void casts_are_those_of_the_dtype(void **state) {
    struct problem p = problem_open(operator_named("cast"), (int64_t[]){4}, 1);
    problem_set(&p, 0, (double[]){0.1, 1e6, 0x1p-25, -3});
    p.dtype = DTYPE_F16;
    problem_truth(&p, 0, 4);
    problem_float(&p, 0, 4);
    const double want[] = {0x1.998p-4, INFINITY, 0, -3};
    for (int i = 0; i < 4; i++) {
        assert_true(p.out[i] == want[i] && p.bound[i] == 0);
        assert_true((double)p.out32[i] == want[i]);
    }
    problem_close(&p);
}

static void casts_to_integers_stay_in_range(void **state) {
    static const double from[] = {2.5, -2.5, 1e20, -1e20, NAN, 300};
    static const double whole[] = {2, -2, INT32_MAX, INT32_MIN, 0, 300}, byte[] = {2, 0, 255, 0, 0, 255};
    struct problem p = problem_open(operator_named("cast"), (int64_t[]){6}, 1);
    problem_set(&p, 0, from);
    p.dtype = DTYPE_I32;
    problem_truth(&p, 0, 6);
    for (int i = 0; i < 6; i++) assert_true(p.out[i] == whole[i]);
    p.dtype = DTYPE_U8;
    problem_truth(&p, 0, 6);
    for (int i = 0; i < 6; i++) assert_true(p.out[i] == byte[i]);
    problem_close(&p);
}

static void division_has_no_bound_beyond_the_specified_divisors(void **state) {
    struct problem p = problem_open(operator_named("div"), (int64_t[]){5}, 1);
    problem_set(&p, 0, (double[]){1, 1, 1, 1, 1});
    problem_set(&p, 1, (double[]){3, 0x1p-127, 0x1.8p126, 0, INFINITY});
    problem_truth(&p, 0, 5);
    assert_true(p.bound[0] == 2.5 && p.bound[3] == 2.5 && p.bound[4] == 2.5);
    assert_true(isinf(p.bound[1]) && isinf(p.bound[2]));
    problem_close(&p);
}

// Results of drivers at whole ULP from the correctly rounded result, but further from the truth.
static void single_instructions_are_counted_from_the_rounded_result(void **state) {
    static const struct {
        const char *op;
        float x, got;
        bool right;
    } cases[] = {
        {"exp", -0.0482818112f, 0.952865422f, true}, // llvmpipe
        {"exp", -0.0482818112f, 0.952865482f, false},
        {"log", 0.388331294f, -0.945896268f, true}, // H200
        {"log", 0.388331294f, -0.945896208f, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problem p = problem_open(operator_named(cases[i].op), (int64_t[]){1}, 1);
        problem_set_at(&p, 0, 0, cases[i].x);
        problem_truth(&p, 0, 1);
        const double error = fabs(cases[i].got - p.out[0]), ulp = dtype_ulp(DTYPE_F32, p.out[0]);
        if ((error <= p.bound[0] * ulp) != cases[i].right)
            fail_msg("%s(%.9g) = %.9g: %g ULP of %g", cases[i].op, cases[i].x, cases[i].got, error / ulp, p.bound[0]);
        problem_close(&p);
    }
}

// With a divisor above 2^126 a kernel may give 0, but nothing larger than twice the truth.
static void nothing_is_asked_where_the_specification_leaves_it_open(void **state) {
    static const struct {
        const char *op;
        double a, b, c;
        bool open;
    } cases[] = {
        {"log", -1, 0, 0, true},
        {"log", 0, 0, 0, true},
        {"log", 1, 0, 0, false},
        {"rsqrt", 0, 0, 0, true},
        {"sqrt", -1, 0, 0, true},
        {"sqrt", 0, 0, 0, false},
        {"sin", 3.2, 0, 0, true},
        {"cos", -3.1, 0, 0, false},
        {"reciprocal", 0x1p127, 0, 0, true},
        {"pow", -2, 2, 0, true},
        {"pow", 0, 0, 0, true},
        {"pow", 0, 2, 0, false},
        {"pow", 1, INFINITY, 0, true},
        {"pow", 1 + 0x1p-23, 0x1p100, 0, true},
        {"mul_add_sqrt", 1, 1, -1, true},
        {"mul_add_sqrt", 1, 1, -0.25, false},
        {"fma", 0x1p100, 0x1p100, -INFINITY, true},
        {"fma", 1, 1, -INFINITY, false},
        {"swiglu", -100, INFINITY, 0, true},
        {"swiglu", -100, 1, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct problem p = problem_open(operator_named(cases[i].op), (int64_t[]){1}, 1);
        const double inputs[] = {cases[i].a, cases[i].b, cases[i].c};
        for (int j = 0; j < 3; j++)
            if (p.in[j]) problem_set(&p, j, &inputs[j]);
        problem_truth(&p, 0, 1);
        if (isinf(p.bound[0]) != cases[i].open)
            fail_msg("%s(%g, %g, %g): bound %g", cases[i].op, inputs[0], inputs[1], inputs[2], p.bound[0]);
        problem_close(&p);
    }
}

// The weight is a normal number, but its product with the value is not.
static void attention_may_flush_what_a_key_weighs(void **state) {
    struct problem p = problem_open(operator_named("attention"), (int64_t[]){1, 1, 1, 1, 3, 1, 0}, 1);
    static const double keys[] = {0, -86, -86.8}, values[] = {0, 1, 0.5};
    p.params[0] = 1;
    problem_set_at(&p, 0, 0, 1);
    for (int i = 0; i < 3; i++) problem_set_at(&p, 1, i, keys[i]), problem_set_at(&p, 2, i, values[i]);
    problem_truth(&p, 0, 1);
    const double lost = exp(-86.8) * 0.5, error = p.bound[0] * dtype_ulp(DTYPE_F32, p.magnitude[0]);
    assert_true(exp(-86.8) > 0x1p-126 && lost < 0x1p-126);
    assert_true(lost < error && error < 8 * 0x1p-126);
    problem_close(&p);
}

static void silu_may_vanish_where_its_divisor_is_beyond_bounds(void **state) {
    struct problem p = problem_open(operator_named("silu"), (int64_t[]){3}, 1);
    problem_set(&p, 0, (double[]){-80, -87.5, -100});
    problem_truth(&p, 0, 3);
    for (int i = 0; i < 3; i++) {
        double zero_is_off_by = fabs(p.out[i]) / dtype_ulp(DTYPE_F32, p.magnitude[i]);
        assert_true((zero_is_off_by <= p.bound[i]) == (i > 0));
        assert_true(p.bound[i] * dtype_ulp(DTYPE_F32, p.magnitude[i]) < 0x1p-119);
    }
    problem_close(&p);
}

static void magnitudes_are_sums_of_absolute_terms(void **state) {
    struct problem p = problem_open(operator_named("matvec"), (int64_t[]){1, 3}, 1);
    problem_set(&p, 0, (double[]){1, -2, 3});
    problem_set(&p, 1, (double[]){4, 5, 2});
    problem_truth(&p, 0, 1);
    assert_true(p.out[0] == 0 && p.magnitude[0] == 20);
    problem_close(&p);
    p = problem_open(operator_named("conv2d"), (int64_t[]){1, 1, 1, 2, 1, 1, 2, 1, 0, 1, 1}, 1);
    problem_set(&p, 0, (double[]){1, -2});
    problem_set(&p, 1, (double[]){4, 5});
    problem_set(&p, 2, (double[]){-6});
    problem_truth(&p, 0, 1);
    assert_true(p.out[0] == -12 && p.magnitude[0] == 20);
    problem_close(&p);
}

static struct problem open_output(const char *op, const int64_t *dims, const char *output) {
    int operand = operator_operand_index(operator_named(op), output);
    return problem_open_output(operator_named(op), dims, operand, 1);
}

static void variance_divides_by_what_it_is_told(void **state) {
    struct problem p = problem_open(operator_named("variance"), (int64_t[]){4}, 1);
    problem_set(&p, 0, (double[]){1, 2, 3, 4});
    for (int correction = 0; correction < 2; correction++) {
        p.params[0] = correction;
        problem_truth(&p, 0, 1);
        assert_true(p.out[0] == 5.0 / (4 - correction));
    }
    problem_close(&p);
    p = problem_open(operator_named("variance"), (int64_t[]){1}, 1);
    problem_truth(&p, 0, 1);
    assert_true(isnan(p.out[0])); // nothing to divide by
    problem_close(&p);
}

// A kernel that subtracts the squared mean from the mean square fails; a right one passes.
static void variance_of_a_large_mean_tells_good_from_bad(void **state) {
    struct problem p = problem_open(operator_named("variance"), (int64_t[]){10000}, 3);
    problem_truth(&p, 0, 1);
    problem_float(&p, 0, 1);
    assert_true(problem_share(&p, 0) <= 1);
    float sum = 0, squares = 0;
    for (int i = 0; i < 10000; i++) sum += p.in32[0][i], squares += p.in32[0][i] * p.in32[0][i];
    p.out32[0] = (squares - sum * sum / 10000) / 9999;
    assert_true(problem_share(&p, 0) > 1);
    problem_close(&p);
}

static void topk_gives_the_places_too(void **state) {
    struct problem p = open_output("topk", (int64_t[]){2, 4, 2}, "indices");
    problem_set(&p, 0, (double[]){1, 4, 2, 3, -1, -1, -2, -3});
    problem_truth(&p, 0, 4);
    const double want[] = {1, 3, 0, 1};
    assert_memory_equal(p.out, want, sizeof want);
    problem_close(&p);
}

static void topk_gives_the_places_of_nan_first(void **state) {
    struct problem p = open_output("topk", (int64_t[]){2, 4, 3}, "indices");
    problem_set(&p, 0, (double[]){1, NAN, INFINITY, 7, NAN, -INFINITY, NAN, 2});
    problem_truth(&p, 0, 6);
    const double want[] = {1, 2, 3, 0, 2, 3};
    assert_memory_equal(p.out, want, sizeof want);
    problem_close(&p);
}

static void batchnorm_statistics_are_those_of_pytorch(void **state) {
    static const struct {
        const char *output;
        double want;
    } statistics[] = {{"mean", 2}, {"var", 1}, {"running_mean", 9.2}, {"running_var", 18.2}};
    for (int i = 0; i < 4; i++) { // momentum 0.1; the running variance gets the unbiased variance, 2
        struct problem p = open_output("batchnorm_training", (int64_t[]){2, 1, 1, 1}, statistics[i].output);
        problem_set(&p, 0, (double[]){1, 3});
        problem_set(&p, 3, (double[]){10});
        problem_set(&p, 4, (double[]){20});
        problem_truth(&p, 0, 1);
        assert_true(fabs(p.out[0] - statistics[i].want) < 1e-14);
        problem_close(&p);
    }
}

// The mean of two large numbers is half a unit off in f32, which counts twice in the sum of squares.
static void a_running_variance_allows_for_the_error_of_its_mean(void **state) {
    struct problem p = open_output("batchnorm_training", (int64_t[]){2, 1, 1, 1}, "running_var");
    problem_set(&p, 0, (double[]){999985.375, 1000014.6875});
    problem_set(&p, 3, (double[]){0});
    problem_set(&p, 4, (double[]){0.5});
    problem_truth(&p, 0, 1);
    problem_float(&p, 0, 1);
    assert_true(problem_share(&p, 0) > 0.001 && problem_share(&p, 0) <= 1);
    problem_close(&p);
}

// Over one image, a group of all channels is a row, and groups of one channel are instances.
static void groupnorm_of_single_channels_is_instancenorm(void **state) {
    struct problem group = problem_open(operator_named("groupnorm"), (int64_t[]){2, 3, 4, 5, 3}, 4);
    struct problem instance = problem_open(operator_named("instancenorm"), (int64_t[]){2, 3, 4, 5}, 4);
    problem_truth(&group, 0, group.elements);
    problem_truth(&instance, 0, instance.elements);
    assert_memory_equal(group.out, instance.out, 120 * sizeof *group.out);
    problem_close(&group);
    problem_close(&instance);
}

static void softmax_rows_sum_to_one(void **state) {
    struct problem p = problem_open(operator_named("softmax"), (int64_t[]){9, 77}, 5);
    problem_truth(&p, 0, p.elements);
    for (int row = 0; row < 9; row++) {
        double sum = 0;
        for (int j = 0; j < 77; j++) sum += p.out[row * 77 + j];
        assert_true(fabs(sum - 1) < 1e-14);
    }
    problem_close(&p);
}

static void layernorm_rows_have_mean_zero_and_variance_one(void **state) {
    struct problem p = problem_open(operator_named("layernorm"), (int64_t[]){5, 64}, 5);
    for (int j = 0; j < 64; j++) p.in[1][j] = 1, p.in[2][j] = 0;
    p.params[0] = 0;
    problem_truth(&p, 0, p.elements);
    for (int row = 0; row < 5; row++) {
        double mean = 0, square = 0;
        for (int j = 0; j < 64; j++) {
            mean += p.out[row * 64 + j] / 64;
            square += p.out[row * 64 + j] * p.out[row * 64 + j] / 64;
        }
        assert_true(fabs(mean) < 1e-14);
        assert_true(fabs(square - 1) < 1e-13);
    }
    problem_close(&p);
}

static void rope_keeps_the_length_of_pairs(void **state) {
    struct problem p = problem_open(operator_named("rope_half"), (int64_t[]){6, 3, 8}, 5);
    for (int i = 0; i < 6 * 4; i++) p.in[1][i] = cos(0.7 * i), p.in[2][i] = sin(0.7 * i);
    problem_truth(&p, 0, p.elements);
    for (int head = 0; head < 18; head++)
        for (int i = 0; i < 4; i++) {
            const double *x = p.in[0] + head * 8 + i, *y = p.out + head * 8 + i;
            assert_true(fabs(hypot(x[0], x[4]) - hypot(y[0], y[4])) < 1e-14);
        }
    problem_close(&p);
}

// A 1 x 1 window without bias is a product of the weights, cout x cin, and the image, cin x (h w).
static void conv2d_of_one_tap_is_matmul(void **state) {
    struct problem conv = problem_open(operator_named("conv2d"), (int64_t[]){1, 5, 4, 3, 7, 1, 1, 1, 0, 1, 1}, 5);
    struct problem product = problem_open(operator_named("matmul"), (int64_t[]){7, 12, 5}, 6);
    for (int i = 0; i < 7; i++) conv.in[2][i] = 0;
    problem_set(&product, 0, conv.in[1]);
    problem_set(&product, 1, conv.in[0]);
    problem_truth(&conv, 0, conv.elements);
    problem_truth(&product, 0, product.elements);
    for (int i = 0; i < 7 * 12; i++) assert_true(fabs(conv.out[i] - product.out[i]) < 1e-14);
    problem_close(&conv);
    problem_close(&product);
}

static void transpose_twice_is_the_identity(void **state) {
    struct problem once = problem_open(operator_named("transpose"), (int64_t[]){5, 9}, 5);
    struct problem twice = problem_open(operator_named("transpose"), (int64_t[]){9, 5}, 6);
    problem_truth(&once, 0, once.elements);
    problem_set(&twice, 0, once.out);
    problem_truth(&twice, 0, twice.elements);
    for (int i = 0; i < 45; i++) assert_true(twice.out[i] == once.in[0][i]);
    problem_close(&once);
    problem_close(&twice);
}

// The i-th axis of the inverse order is the position of i in the original order.
static void permute_and_its_inverse_are_the_identity(void **state) {
    struct problem there = problem_open(operator_named("permute"), (int64_t[]){2, 3, 4, 5, 2, 0, 3, 1}, 5);
    struct problem back = problem_open(operator_named("permute"), (int64_t[]){4, 2, 5, 3, 1, 3, 0, 2}, 6);
    problem_truth(&there, 0, there.elements);
    problem_set(&back, 0, there.out);
    problem_truth(&back, 0, back.elements);
    for (int i = 0; i < 120; i++) assert_true(back.out[i] == there.in[0][i]);
    problem_close(&there);
    problem_close(&back);
}

static void fma_chain_follows_its_closed_form(void **state) {
    struct problem p = problem_open(operator_named("fma_chain"), (int64_t[]){8, 3000}, 5);
    problem_truth(&p, 0, p.elements);
    for (int i = 0; i < 8; i++) {
        double want = 1 + (p.in[0][i] - 1) * pow(1 - 0x1p-10, 3000);
        assert_true(fabs(p.out[i] - want) < 1e-12);
    }
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_the_known_ones),
        cmocka_unit_test(casts_are_those_of_the_dtype),
        cmocka_unit_test(casts_to_integers_stay_in_range),
        cmocka_unit_test(division_has_no_bound_beyond_the_specified_divisors),
        cmocka_unit_test(single_instructions_are_counted_from_the_rounded_result),
        cmocka_unit_test(nothing_is_asked_where_the_specification_leaves_it_open),
        cmocka_unit_test(attention_may_flush_what_a_key_weighs),
        cmocka_unit_test(silu_may_vanish_where_its_divisor_is_beyond_bounds),
        cmocka_unit_test(magnitudes_are_sums_of_absolute_terms),
        cmocka_unit_test(variance_divides_by_what_it_is_told),
        cmocka_unit_test(variance_of_a_large_mean_tells_good_from_bad),
        cmocka_unit_test(topk_gives_the_places_too),
        cmocka_unit_test(topk_gives_the_places_of_nan_first),
        cmocka_unit_test(batchnorm_statistics_are_those_of_pytorch),
        cmocka_unit_test(a_running_variance_allows_for_the_error_of_its_mean),
        cmocka_unit_test(groupnorm_of_single_channels_is_instancenorm),
        cmocka_unit_test(softmax_rows_sum_to_one),
        cmocka_unit_test(layernorm_rows_have_mean_zero_and_variance_one),
        cmocka_unit_test(rope_keeps_the_length_of_pairs),
        cmocka_unit_test(conv2d_of_one_tap_is_matmul),
        cmocka_unit_test(transpose_twice_is_the_identity),
        cmocka_unit_test(permute_and_its_inverse_are_the_identity),
        cmocka_unit_test(fma_chain_follows_its_closed_form),
    };
    return cmocka_run_group_tests(tests, read_answers, NULL);
}

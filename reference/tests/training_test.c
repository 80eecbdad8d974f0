// SPDX-License-Identifier: Apache-2.0
// Losses, optimizers and operations on gradients: special steps, and properties for any inputs.
#include "evaluated.h"
#include "unit.h"

#include <string.h>

static struct problem open_output(const char *op, const int64_t *dims, const char *output) {
    return problem_open_output(operator_named(op), dims, operator_operand_index(operator_named(op), output), 1);
}

static void set_param(struct problem *p, const char *name, double value) {
    p->params[operator_param_index(p->op, name)] = value;
}

static bool near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

static void first_step_of_sgd_takes_the_gradient_whole(void **state) {
    struct problem p = open_output("sgd", (int64_t[]){1}, "v");
    problem_set(&p, 0, (double[]){0});
    problem_set(&p, 1, (double[]){7});
    problem_set(&p, 2, (double[]){3});
    set_param(&p, "dampening", 0.5);
    const double want[] = {0, 3, 0.9 * 7 + 0.5 * 3};
    for (int step = 1; step <= 2; step++) {
        set_param(&p, "step", step);
        problem_truth(&p, 0, 1);
        assert_true(near(p.out[0], want[step], 1e-15));
    }
    problem_close(&p);
}

static void sgd_without_momentum_leaves_its_state(void **state) {
    struct problem p = open_output("sgd", (int64_t[]){50}, "v");
    set_param(&p, "momentum", 0);
    problem_truth(&p, 0, 50);
    for (int i = 0; i < 50; i++) assert_true(p.out[i] == p.in[1][i] && p.bound[i] == 0);
    problem_close(&p);
}

// With fresh averages the corrections leave g / (|g| + eps): a step of the learning rate for any gradient.
static void first_step_of_adam_is_the_rate(void **state) {
    struct problem p = open_output("adam", (int64_t[]){4}, "w");
    const double g[] = {1, -1e-3, 1e3, 1e-8}, w[4] = {0};
    problem_set(&p, 0, w);
    problem_set(&p, 1, w);
    problem_set(&p, 2, w);
    problem_set(&p, 3, g);
    set_param(&p, "step", 1);
    problem_truth(&p, 0, 4);
    for (int i = 0; i < 4; i++) assert_true(fabs(p.out[i] + 1e-3 * g[i] / (fabs(g[i]) + 1e-8)) < 1e-15);
    problem_close(&p);
}

static void adamw_without_decay_is_adam(void **state) {
    struct problem a = open_output("adam", (int64_t[]){50}, "w");
    struct problem b = open_output("adamw", (int64_t[]){50}, "w");
    set_param(&a, "weight_decay", 0);
    set_param(&b, "weight_decay", 0);
    problem_truth(&a, 0, 50);
    problem_truth(&b, 0, 50);
    assert_memory_equal(a.out, b.out, 50 * sizeof *a.out);
    problem_close(&a);
    problem_close(&b);
}

// 1 - beta^step cancels, so a kernel subtracting a float power from 1 differs from a right one.
static void adam_demands_good_bias_corrections(void **state) {
    struct problem p = open_output("adam", (int64_t[]){1}, "w");
    set_param(&p, "step", 3);
    set_param(&p, "weight_decay", 0);
    problem_round_params(&p);
    problem_set(&p, 0, (double[]){0});
    problem_set(&p, 1, (double[]){0.25});
    problem_set(&p, 2, (double[]){0.0625});
    problem_set(&p, 3, (double[]){0.5});
    problem_truth(&p, 0, 1);
    problem_float(&p, 0, 1);
    assert_true(problem_share(&p, 0) <= 1);
    const float b1 = 0.9f, b2 = 0.999f;
    const float m = b1 * 0.25f + (1 - b1) * 0.5f, v = b2 * 0.0625f + (1 - b2) * 0.25f;
    const float scale = sqrtf(v) / sqrtf(1 - b2 * b2 * b2) + 1e-8f;
    p.out32[0] = -1e-3f / (1 - b1 * b1 * b1) * (m / scale);
    assert_true(problem_share(&p, 0) > 1);
    problem_close(&p);
}

// A small v distinguishes eps outside the root from eps inside.
static void eps_stands_outside_the_root(void **state) {
    static const struct {
        const char *op;
        int gradient;
    } cases[] = {{"rmsprop", 2}, {"adagrad", 2}, {"adam", 3}, {"adamw", 3}};
    for (int i = 0; i < 4; i++) {
        struct problem p = open_output(cases[i].op, (int64_t[]){1}, "w");
        for (int j = 0; j < cases[i].gradient; j++) problem_set(&p, j, (double[]){0});
        problem_set(&p, cases[i].gradient, (double[]){1e-12});
        if (operator_param_index(p.op, "step") >= 0) set_param(&p, "step", 1);
        problem_truth(&p, 0, 1);
        const double lr = p.params[0], eps = p.params[operator_param_index(p.op, "eps")];
        const double root = strcmp(cases[i].op, "rmsprop") ? 1e-12 : 1e-13; // alpha is 0.99
        assert_true(near(p.out[0] * -1e12 * (root + eps) / lr, 1, 1e-9));
        problem_close(&p);
    }
}

static void clipped_gradients_have_the_norm_and_short_ones_keep_theirs(void **state) {
    struct problem p = open_output("grad_clip_norm", (int64_t[]){100}, "g");
    problem_truth(&p, 0, 100);
    double squares = 0;
    for (int i = 0; i < 100; i++) squares += p.out[i] * p.out[i];
    assert_true(sqrt(squares) < 1 && sqrt(squares) > 1 - 1e-6);
    set_param(&p, "max_norm", 100);
    problem_truth(&p, 0, 100);
    assert_memory_equal(p.out, p.in[0], 100 * sizeof *p.out);
    problem_close(&p);
}

static void any_number_that_is_not_finite_is_found(void **state) {
    struct problem p = open_output("unscale_and_check", (int64_t[]){9}, "found");
    const double broken[] = {0, NAN, INFINITY, -INFINITY, 1e30};
    for (int i = 0; i < 5; i++) {
        for (int j = 0; j < 9; j++) problem_set_at(&p, 0, j, j == 8 ? broken[i] : j);
        problem_truth(&p, 0, 1);
        assert_true(p.out[0] == (i > 0 && i < 4));
    }
    problem_close(&p);
}

// A softmax and a label both sum to 1.
static void gradients_of_cross_entropy_sum_to_zero(void **state) {
    struct problem p = problem_open(operator_named("cross_entropy_backward"), (int64_t[]){9, 7}, 3);
    problem_truth(&p, 0, p.elements);
    for (int row = 0; row < 9; row++) {
        double sum = 0, size = 0;
        for (int j = 0; j < 7; j++) sum += p.out[7 * row + j], size += fabs(p.out[7 * row + j]);
        const int32_t target = p.ints[1][row];
        assert_true(fabs(sum) < 1e-15);
        assert_true((size == 0) == (target < 0 || target >= 7));
    }
    problem_close(&p);
}

static void cross_entropy_is_nll_of_log_softmax(void **state) {
    const int64_t dims[] = {20, 7};
    struct problem whole = problem_open(operator_named("cross_entropy"), dims, 3);
    struct problem logs = problem_open(operator_named("log_softmax"), dims, 4);
    struct problem nll = problem_open(operator_named("nll"), dims, 5);
    problem_set(&logs, 0, whole.in[0]);
    problem_truth(&logs, 0, logs.elements);
    problem_set(&nll, 0, logs.out);
    for (int i = 0; i < 20; i++) problem_set_at(&nll, 1, i, whole.ints[1][i]);
    for (int ignored = -100; ignored < 7; ignored += 103) { // nothing in range, then class 3
        set_param(&whole, "label_smoothing", 0);
        set_param(&whole, "ignore_index", ignored);
        set_param(&nll, "ignore_index", ignored);
        problem_truth(&whole, 0, 1);
        problem_truth(&nll, 0, 1);
        assert_true(near(whole.out[0], nll.out[0], 1e-14));
    }
    problem_close(&whole);
    problem_close(&logs);
    problem_close(&nll);
}

// A logit of -inf (a masked class) makes the smoothed part or the target's part infinite.
static void a_term_of_weight_zero_is_left_out(void **state) {
    static const struct {
        double smoothing, target, want;
    } cases[] = {
        {0, 1, 0.45227924},
        {0, 2, INFINITY},
        {0.1, 1, INFINITY},
        {1, 1, INFINITY},
        {1, 2, INFINITY},
    };
    struct problem p = problem_open(operator_named("cross_entropy"), (int64_t[]){2, 4}, 1);
    problem_set(&p, 0, (double[]){1, 2, -INFINITY, 0.5, 0, 1, 2, 3});
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_param(&p, "label_smoothing", cases[i].smoothing);
        problem_set(&p, 1, (double[]){cases[i].target, 3});
        problem_truth(&p, 0, 1);
        problem_float(&p, 0, 1);
        if (isinf(cases[i].want))
            assert_true(p.out[0] == INFINITY && p.out32[0] == INFINITY);
        else
            assert_true(near(p.out[0], cases[i].want, 1e-8) && near((double)p.out32[0], cases[i].want, 1e-6));
    }
    problem_close(&p);
}

static void a_mean_over_no_row_is_not_a_number(void **state) {
    struct problem p = problem_open(operator_named("nll"), (int64_t[]){2, 3}, 1);
    problem_set(&p, 1, (double[]){-100, 3});
    problem_truth(&p, 0, 1);
    assert_true(isnan(p.out[0]));
    problem_close(&p);
}

// log(1 + exp(-x)) would be infinite, and the logarithm of a rounded sigmoid wrong.
static void bce_with_logits_is_bce_of_the_sigmoid(void **state) {
    const int64_t dims[] = {200};
    struct problem logits = problem_open(operator_named("bce_with_logits"), dims, 3);
    struct problem plain = problem_open(operator_named("bce"), dims, 4);
    for (int i = 0; i < 200; i++) {
        problem_set_at(&plain, 0, i, 1 / (1 + exp(-logits.in[0][i])));
        problem_set_at(&plain, 1, i, logits.in[1][i]);
    }
    problem_truth(&logits, 0, 1);
    problem_truth(&plain, 0, 1);
    assert_true(near(logits.out[0], plain.out[0], 1e-13));
    problem_close(&logits);
    problem_close(&plain);
}

// The slope at -408 is 5e-178, or 0 in a kernel: times an infinity this is NaN.
static void an_infinity_times_what_may_be_zero_is_open(void **state) {
    struct problem p = open_output("bce_with_logits_backward", (int64_t[]){2}, "dx");
    problem_set(&p, 0, (double[]){-408, 1});
    problem_set(&p, 1, (double[]){0, 0});
    problem_set(&p, 2, (double[]){-INFINITY});
    problem_truth(&p, 0, 2);
    assert_true(p.out[0] == -INFINITY && p.bound[0] == INFINITY);
    assert_true(p.out[1] == -INFINITY && isfinite(p.bound[1]));
    problem_close(&p);
}

// A product and a sum have errors of only half an ULP of the terms, but they are still two operations.
static void two_operations_are_not_one_that_is_correctly_rounded(void **state) {
    struct problem p = open_output("sgd", (int64_t[]){2}, "v");
    problem_set(&p, 0, (double[]){-0.0396, 0});
    problem_set(&p, 1, (double[]){0, 0});
    problem_set(&p, 2, (double[]){0.5, 0.3});
    set_param(&p, "weight_decay", 0.828125);
    set_param(&p, "step", 1);
    problem_truth(&p, 0, 2);
    assert_true(p.bound[0] > 0.5 && p.bound[0] < 0.5001);
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_step_of_sgd_takes_the_gradient_whole),
        cmocka_unit_test(sgd_without_momentum_leaves_its_state),
        cmocka_unit_test(first_step_of_adam_is_the_rate),
        cmocka_unit_test(adamw_without_decay_is_adam),
        cmocka_unit_test(adam_demands_good_bias_corrections),
        cmocka_unit_test(eps_stands_outside_the_root),
        cmocka_unit_test(clipped_gradients_have_the_norm_and_short_ones_keep_theirs),
        cmocka_unit_test(any_number_that_is_not_finite_is_found),
        cmocka_unit_test(gradients_of_cross_entropy_sum_to_zero),
        cmocka_unit_test(cross_entropy_is_nll_of_log_softmax),
        cmocka_unit_test(a_term_of_weight_zero_is_left_out),
        cmocka_unit_test(a_mean_over_no_row_is_not_a_number),
        cmocka_unit_test(bce_with_logits_is_bce_of_the_sigmoid),
        cmocka_unit_test(an_infinity_times_what_may_be_zero_is_open),
        cmocka_unit_test(two_operations_are_not_one_that_is_correctly_rounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

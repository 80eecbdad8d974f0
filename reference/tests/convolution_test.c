// SPDX-License-Identifier: Apache-2.0
// Identities between convolutions, their transposes, pooling and resampling, for any inputs.
#include "evaluated.h"
#include "unit.h"

static struct problem evaluated(const char *op, const int64_t *dims) {
    struct problem p = problem_open(operator_named(op), dims, 5);
    problem_truth(&p, 0, p.elements);
    return p;
}

// Evaluates the operator again with these inputs; NULL keeps the drawn values.
static void evaluate(struct problem *p, const double *first, const double *second, const double *third) {
    const double *values[] = {first, second, third};
    for (int i = 0; i < 3; i++)
        if (values[i]) problem_set(p, i, values[i]);
    problem_truth(p, 0, p->elements);
}

static void assert_close(const double *got, const double *want, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(got[i] - want[i]) <= 1e-13 * fmax(1, fabs(want[i]))))
            fail_msg("element %lld is %.17g, not %.17g", (long long)i, got[i], want[i]);
}

static double inner(const double *a, const double *b, int64_t count) {
    double sum = 0;
    for (int64_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

static const double no_bias[16] = {0};

// (conv x, y) = (x, transposed y) for all x and y, with the same weights. 6 channels over 9 x 8 become 4 over 5 x 4.
static void the_transpose_is_the_adjoint(void **state) {
    struct problem conv = problem_open(operator_named("conv2d"), (int64_t[]){2, 6, 9, 8, 4, 3, 4, 2, 1, 1, 2}, 5);
    struct problem back =
        problem_open(operator_named("conv_transpose2d"), (int64_t[]){2, 4, 5, 4, 6, 3, 4, 2, 1, 0, 1, 2}, 6);
    evaluate(&conv, NULL, NULL, no_bias);
    evaluate(&back, NULL, conv.in[1], no_bias);
    assert_int_equal(conv.elements, 2 * 4 * 5 * 4);
    assert_int_equal(back.elements, 2 * 6 * 9 * 8);
    const double there = inner(conv.out, back.in[0], conv.elements);
    const double here = inner(conv.in[0], back.out, back.elements);
    assert_true(fabs(there - here) <= 1e-12 * fabs(here));
    struct problem gradient = problem_open(operator_named("conv2d_backward_input"), conv.dims, 7);
    evaluate(&gradient, back.in[0], conv.in[1], NULL);
    assert_memory_equal(gradient.out, back.out, (size_t)back.elements * sizeof *back.out);
    problem_close(&conv);
    problem_close(&back);
    problem_close(&gradient);
}

static void weights_times_the_matrix_of_windows_are_the_convolution(void **state) {
    struct problem conv = problem_open(operator_named("conv2d"), (int64_t[]){1, 3, 9, 7, 5, 3, 2, 2, 2, 2, 1}, 5);
    struct problem columns = problem_open(operator_named("im2col"), (int64_t[]){1, 3, 9, 7, 3, 2, 2, 2, 2}, 6);
    evaluate(&conv, NULL, NULL, no_bias);
    evaluate(&columns, conv.in[0], NULL, NULL);
    const int64_t rows = 18, cols = columns.elements / rows;
    struct problem product = problem_open(operator_named("matmul"), (int64_t[]){5, cols, rows}, 7);
    evaluate(&product, conv.in[1], columns.out, NULL);
    assert_int_equal(product.elements, conv.elements);
    assert_close(product.out, conv.out, conv.elements);
    problem_close(&conv);
    problem_close(&columns);
    problem_close(&product);
}

// An operator along one axis equals the operator over two with a first axis of size 1.
static void a_line_is_a_picture_of_one_row(void **state) {
    static const struct {
        const char *line, *picture;
        int64_t line_dims[12], picture_dims[12];
    } pairs[] = {
        {"conv1d", "conv2d", {2, 4, 19, 6, 5, 2, 0, 3, 2}, {2, 4, 1, 19, 6, 1, 5, 2, 0, 3, 2}},
        {"conv_transpose1d", "conv_transpose2d", {2, 4, 19, 6, 5, 1, 0, 0, 3, 2},
            {2, 4, 1, 19, 6, 1, 5, 1, 0, 0, 3, 2}},
        {"max_pool1d", "max_pool2d", {2, 3, 20, 3, 2, 0, 2, 1}, {2, 3, 1, 20, 1, 3, 2, 0, 2, 1}},
        {"avg_pool1d", "avg_pool2d", {2, 3, 20, 3, 2, 0, 1}, {2, 3, 1, 20, 1, 3, 2, 0, 1}},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct problem line = evaluated(pairs[i].line, pairs[i].line_dims);
        struct problem picture = evaluated(pairs[i].picture, pairs[i].picture_dims);
        assert_int_equal(line.elements, picture.elements);
        assert_memory_equal(line.out, picture.out, (size_t)line.elements * sizeof *line.out);
        problem_close(&line);
        problem_close(&picture);
    }
}

static void one_window_over_everything_is_the_global_mean(void **state) {
    struct problem whole = evaluated("global_avg_pool", (int64_t[]){2, 3, 5, 7});
    struct problem window = evaluated("avg_pool2d", (int64_t[]){2, 3, 5, 7, 5, 7, 1, 0, 0});
    assert_close(window.out, whole.out, 6);
    problem_close(&whole);
    problem_close(&window);
}

static void means_count_the_padding_or_do_not(void **state) {
    static const double want[2][2] = {{2, 5}, {1, 5}};
    struct problem p = problem_open(operator_named("avg_pool1d"), (int64_t[]){1, 1, 3, 2, 2, 1, 0}, 1);
    for (int count = 0; count < 2; count++) {
        p.params[0] = count;
        evaluate(&p, (double[]){2, 4, 6}, NULL, NULL);
        assert_close(p.out, want[count], 2);
    }
    problem_close(&p);
}

// From 0 to 8 in five places. Half-pixel coordinates are -0.3 (clamped to 0), 0.1, 0.5, 0.9 and 1.3. With the corners
// aligned they are quarters.
static void interpolation_follows_the_coordinates(void **state) {
    static const double want[2][5] = {{0, 0.8, 4, 7.2, 8}, {0, 2, 4, 6, 8}};
    struct problem p = problem_open(operator_named("upsample_bilinear"), (int64_t[]){1, 1, 1, 2, 1, 5}, 1);
    for (int aligned = 0; aligned < 2; aligned++) {
        p.params[0] = aligned;
        evaluate(&p, (double[]){0, 8}, NULL, NULL);
        assert_close(p.out, want[aligned], 5);
    }
    problem_close(&p);
}

static void the_same_size_is_the_identity(void **state) {
    static const char *const names[] = {"upsample_nearest", "upsample_bilinear"};
    for (int i = 0; i < 2; i++) {
        struct problem p = problem_open(operator_named(names[i]), (int64_t[]){2, 3, 5, 7, 5, 7}, 5);
        for (int aligned = 0; aligned < 2; aligned++) {
            p.params[0] = aligned;
            problem_truth(&p, 0, p.elements);
            assert_close(p.out, p.in[0], p.elements);
        }
        problem_close(&p);
    }
}

// An infinite weight at the padding may be multiplied by its zeros or skipped; one inside counts.
static void weights_beyond_the_picture_leave_the_border_open(void **state) {
    struct problem p = problem_open(operator_named("conv1d"), (int64_t[]){1, 1, 4, 1, 3, 1, 1, 1, 1}, 1);
    evaluate(&p, (double[]){1, 0, 2, 3}, (double[]){INFINITY, 1, 1}, no_bias);
    assert_int_equal(p.elements, 4);
    assert_true(p.bound[0] == INFINITY);
    assert_true(p.out[1] == INFINITY && isfinite(p.bound[1]));
    assert_true(isnan(p.out[2]) && isfinite(p.bound[2])); // 0 times infinity
    assert_true(p.out[3] == INFINITY && isfinite(p.bound[3]));
    problem_close(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_transpose_is_the_adjoint),
        cmocka_unit_test(weights_times_the_matrix_of_windows_are_the_convolution),
        cmocka_unit_test(a_line_is_a_picture_of_one_row),
        cmocka_unit_test(one_window_over_everything_is_the_global_mean),
        cmocka_unit_test(means_count_the_padding_or_do_not),
        cmocka_unit_test(interpolation_follows_the_coordinates),
        cmocka_unit_test(the_same_size_is_the_identity),
        cmocka_unit_test(weights_beyond_the_picture_leave_the_border_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
#include "../../../../reference/table.h"
#include "../../plan/lines.h"
#include "../inputs/placement.h"
#include "../inputs/truth.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <string.h>

// A problem of an operator at these dims, without a device.
struct fixture {
    struct kernel kernel;
    struct point point;
    struct problem problem;
    struct settings settings;
    struct error err;
};

static void open_problem(struct fixture *f, const char *op, const int64_t *dims, uint64_t seed) {
    f->settings = settings_standard();
    f->kernel = (struct kernel){.name = "x", .op = operator_named(op)};
    f->point = (struct point){.kernel = &f->kernel, .dtype = DTYPE_F32};
    for (int i = 0; i < operator_dims(f->kernel.op); i++) f->point.dims[i] = dims[i];
    for (int i = 0; i < operator_params(f->kernel.op); i++) f->point.params[i] = f->kernel.op->params[i].standard;
    assert_null(operator_derive(f->kernel.op, f->point.dims));
    assert_true(problem_open(NULL, &f->point, seed, &f->problem, &f->err));
}

static void choose(struct fixture *f) {
    if (!placement_choose(&f->problem, &f->point, &f->settings, &f->err)) fail_msg("%s", f->err.text);
}

// Returns the share of the outputs without a defined result, as of a serial sum.
static double share_open(const struct fixture *f) {
    struct truth truth = {0};
    int64_t open = 0;
    truth_make(&f->problem, &f->settings, 0, true, false, &truth);
    const int64_t total = truth.outputs[0].total;
    for (int64_t i = 0; i < total; i++) open += isinf(truth.outputs[0].bound[i]);
    truth_free(&truth);
    return (double)open / (double)total;
}

// Queries of one key depend on it, and each pixel but one is beside a picture of one pixel.
static const int64_t few_keys[] = {1, 1, 1, 12, 1, 41, 0}, one_pixel[] = {9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void at_most_a_quarter_of_the_outputs_is_open(void **state) {
    static const struct {
        const char *op;
        const int64_t *dims;
    } cases[] = {{"attention", few_keys}, {"conv2d", one_pixel}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int too_open = 0;
        for (uint64_t seed = 1; seed <= 60; seed++) {
            struct fixture f = {0};
            open_problem(&f, cases[c].op, cases[c].dims, seed);
            too_open += share_open(&f) > 0.25;
            choose(&f);
            if (share_open(&f) > 0.25) fail_msg("%s, seed %d", cases[c].op, (int)seed);
            problem_close(NULL, &f.problem);
        }
        assert_true(too_open >= 3);
    }
}

static void other_inputs_stay_as_they_are(void **state) {
    static const int64_t dims[] = {7, 33, 5};
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct fixture f = {0}, chosen = {0};
        open_problem(&f, "matmul", dims, seed);
        open_problem(&chosen, "matmul", dims, seed);
        choose(&chosen);
        if (!chosen.problem.placement)
            for (int i = 0; i < 2; i++)
                assert_memory_equal(
                    f.problem.operands[i].image, chosen.problem.operands[i].image, (size_t)f.problem.operands[i].bytes);
        assert_true(chosen.problem.placement < LINES_PLACES); // no output of a product is open
        problem_close(NULL, &f.problem);
        problem_close(NULL, &chosen.problem);
    }
}

// A sum of a row depends on all its elements, so each row with a NaN or an infinity is met by it.
static void the_judged_outputs_of_special_inputs_are_counted(void **state) {
    enum { ROWS = 40, COLS = 16 };
    struct fixture f = {0};
    open_problem(&f, "sum_rows", (int64_t[]){ROWS, COLS}, 5);
    choose(&f);
    const double *x = f.problem.operands[0].as_double;
    int64_t rows[SPECIAL_VALUES] = {0}, inputs[SPECIAL_VALUES] = {0};
    for (int row = 0; row < ROWS; row++) {
        int64_t found[SPECIAL_VALUES] = {0};
        for (int col = 0; col < COLS; col++) {
            const double value = x[row * COLS + col];
            if (isnan(value)) found[SPECIAL_NAN]++;
            if (isinf(value)) found[value > 0 ? SPECIAL_INFINITY : SPECIAL_MINUS_INFINITY]++;
        }
        for (int k = 0; k < SPECIAL_VALUES; k++) inputs[k] += found[k];
        rows[SPECIAL_NAN] += found[SPECIAL_NAN] > 0;
        for (int k = SPECIAL_INFINITY; k < SPECIAL_VALUES; k++) rows[k] += found[k] && !found[SPECIAL_NAN];
    }
    assert_true(f.problem.special_count >= 2);
    for (int i = 0; i < f.problem.special_count; i++) {
        const struct special_inputs *row = &f.problem.specials[i];
        assert_string_equal(row->operand, "x");
        assert_int_equal(row->inputs, inputs[row->value]);
        assert_int_equal(row->judged, rows[row->value]);
    }
    problem_close(NULL, &f.problem);
}

// Rows of a softmax are drawn from -4 to 4, and so are elements of relu from -8 to 8, but for hard and special ones.
static void plain_inputs_are_ordinary_numbers(void **state) {
    static const struct {
        const char *op;
        int64_t dims[2];
    } cases[] = {{"softmax", {40, 33}}, {"relu", {1000, 0}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int plain = 0; plain < 2; plain++) {
            struct fixture f = {0};
            int64_t odd = 0;
            open_problem(&f, cases[c].op, cases[c].dims, 3);
            f.settings.plain_inputs = plain;
            choose(&f);
            const double *x = f.problem.operands[0].as_double;
            for (int64_t i = 0; i < f.problem.operands[0].elements; i++) odd += !(fabs(x[i]) <= 8);
            assert_true(plain ? odd == 0 : odd > 0);
            problem_close(NULL, &f.problem);
        }
}

static void the_choice_follows_from_the_inputs(void **state) {
    int moved = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct fixture a = {0}, b = {0};
        open_problem(&a, "attention", few_keys, seed);
        open_problem(&b, "attention", few_keys, seed);
        choose(&a);
        choose(&b);
        assert_int_equal(a.problem.placement, b.problem.placement);
        moved += a.problem.placement > 0;
        for (int i = 0; i < 3; i++)
            assert_memory_equal(
                a.problem.operands[i].image, b.problem.operands[i].image, (size_t)a.problem.operands[i].bytes);
        problem_close(NULL, &a.problem);
        problem_close(NULL, &b.problem);
    }
    assert_true(moved > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_most_a_quarter_of_the_outputs_is_open),
        cmocka_unit_test(other_inputs_stay_as_they_are),
        cmocka_unit_test(the_judged_outputs_of_special_inputs_are_counted),
        cmocka_unit_test(plain_inputs_are_ordinary_numbers),
        cmocka_unit_test(the_choice_follows_from_the_inputs),
    };
    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}

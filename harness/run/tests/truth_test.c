// SPDX-License-Identifier: Apache-2.0
#include "../../../reference/table.h"
#include "../../base/clock.h"
#include "../truth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>

// relu of n values, without a device.
struct fixture {
    struct problem problem;
    double *wide;
    float *narrow;
};

static struct fixture make(int64_t n) {
    struct fixture f = {
        .problem = {.key = 99, .op = operator_named("relu"), .dtype = DTYPE_F32, .dims = {n}, .operand_count = 2}};
    f.wide = malloc((size_t)n * sizeof *f.wide);
    f.narrow = malloc((size_t)n * sizeof *f.narrow);
    for (int64_t i = 0; i < n; i++) f.narrow[i] = (float)(f.wide[i] = (double)(i % 7) - 3);
    f.problem.operands[0] = (struct operand_data){.dtype = DTYPE_F32,
        .role = ROLE_IN,
        .elements = n,
        .as_double = f.wide,
        .as_float = f.narrow,
        .image = f.narrow};
    f.problem.operands[1] = (struct operand_data){.dtype = DTYPE_F32, .role = ROLE_OUT, .elements = n};
    return f;
}

static void release(struct fixture *f) {
    free(f->wide);
    free(f->narrow);
}

static void a_small_output_is_checked_whole(void **state) {
    (void)state;
    struct fixture f = make(1025);
    struct settings settings = settings_standard();
    struct truth truth = {0};
    truth_make(&f.problem, &settings, 0, true, false, &truth);
    assert_int_equal(truth.output_count, 1);
    assert_int_equal(truth.outputs[0].total, 1025);
    for (int i = 0; i < 1025; i++) assert_true(truth.outputs[0].want[i] == fmax(f.wide[i], 0));
    assert_true(isnan(truth.baseline_ns));
    truth_free(&truth);
    release(&f);
}

static void a_big_output_is_sampled_with_both_ends(void **state) {
    (void)state;
    enum { N = 1000003 };
    struct fixture f = make(N);
    struct settings settings = settings_standard();
    settings.check_operations = 10000;
    struct truth truth = {0};
    truth_make(&f.problem, &settings, 0, true, false, &truth);
    const struct truth_output *output = &truth.outputs[0];
    assert_true(output->total <= 10100 && output->total > 9000);
    assert_int_equal(output->ranges[0].first, 0);
    struct range last = output->ranges[output->range_count - 1];
    assert_int_equal(last.first + last.count, N);
    int64_t at = 0, longest_gap = 0;
    for (size_t r = 0; r < output->range_count; r++) {
        struct range range = output->ranges[r];
        if (r > 0) {
            int64_t gap = range.first - output->ranges[r - 1].first - output->ranges[r - 1].count;
            assert_true(gap >= 0);
            if (gap > longest_gap) longest_gap = gap;
        }
        for (int64_t i = 0; i < range.count; i++) assert_true(output->want[at + i] == fmax(f.wide[range.first + i], 0));
        at += range.count;
    }
    assert_int_equal(at, output->total);
    assert_true(longest_gap < 3 * N / (int64_t)output->range_count);
    truth_free(&truth);
    release(&f);
}

// Of 16 times the operations: what takes few of them is judged whole.
static void cheap_outputs_are_judged_whole(void **state) {
    (void)state;
    enum { N = 4000001 };
    struct fixture f = make(N);
    struct settings settings = settings_standard();
    struct truth truth = {0};
    settings.check_operations = (double)N / 16 + 1;
    truth_make(&f.problem, &settings, 0, true, false, &truth);
    assert_int_equal(truth.outputs[0].total, N);
    truth_free(&truth);
    settings.check_operations = (double)N / 16 - 1;
    truth_make(&f.problem, &settings, 0, true, false, &truth);
    assert_true(truth.outputs[0].total < N / 10);
    truth_free(&truth);
    release(&f);
}

static void the_baseline_is_timed_and_extrapolated(void **state) {
    (void)state;
    struct fixture f = make(20000000);
    struct settings settings = settings_standard();
    struct truth truth = {0};
    settings.reference_seconds = 1e-9; // less than one piece of ten million operations
    truth_make(&f.problem, &settings, 0, true, true, &truth);
    assert_true(truth.extrapolated);
    assert_true(truth.baseline_ns > 0);
    assert_true(truth.baseline_ulp == 0); // relu is exact
    truth_free(&truth);
    release(&f);
}

enum { SPIN_NS = 2000000, SLOW = 100 };

static double slow_flops(const int64_t *dims) {
    return 1e7 * (double)dims[0]; // a piece of one element
}

static void slow_f32(const struct call_f32 *call) {
    for (int64_t start = clock_ns(); clock_ns() - start < SPIN_NS;) continue;
    call->out[0] = 1;
}

// One element of a hundred is timed: the figure is that of all.
static void what_was_not_timed_is_scaled_up(void **state) {
    (void)state;
    struct fixture f = make(SLOW);
    struct settings settings = settings_standard();
    struct op slow = *f.problem.op;
    struct truth truth = {0};
    slow.flops = slow_flops;
    slow.f32 = slow_f32;
    f.problem.op = &slow;
    settings.check_operations = 1; // four stretches, which are the whole
    settings.reference_seconds = 1e-9;
    truth_make(&f.problem, &settings, 0, true, true, &truth);
    assert_true(truth.extrapolated);
    assert_true(truth.scale == SLOW); // one was timed
    assert_true(truth.baseline_ns >= (double)SPIN_NS * SLOW);
    truth_free(&truth);
    settings.reference_seconds = 10;
    truth_make(&f.problem, &settings, 0, true, true, &truth);
    assert_false(truth.extrapolated);
    assert_true(truth.scale == 1);
    assert_true(truth.baseline_ns >= (double)SPIN_NS * SLOW);
    truth_free(&truth);
    release(&f);
}

// Where the stretches lie follows from the key; rows are checked as wholes.
static void stretches_are_drawn_and_whole(void **state) {
    (void)state;
    enum { ROWS = 600, COLS = 100, N = ROWS * COLS };
    struct fixture f = make(N);
    struct settings settings = settings_standard();
    int64_t first[2][5];
    f.problem.op = operator_named("softmax");
    f.problem.dims[0] = ROWS;
    f.problem.dims[1] = COLS;
    settings.check_operations = 5.0 * 5 * 5 * COLS;
    for (uint64_t key = 0; key < 2; key++) {
        struct truth truth = {0};
        f.problem.key = 99 + key;
        truth_make(&f.problem, &settings, 0, true, false, &truth);
        const struct truth_output *output = &truth.outputs[0];
        assert_true(output->range_count >= 5 && output->range_count < ROWS);
        for (size_t r = 0; r < output->range_count; r++) {
            assert_int_equal(output->ranges[r].first % COLS, 0);
            assert_int_equal(output->ranges[r].count, COLS);
        }
        for (size_t r = 0; r < 5; r++) first[key][r] = output->ranges[r].first;
        assert_int_equal(first[key][0], 0);
        truth_free(&truth);
    }
    assert_memory_not_equal(first[0], first[1], sizeof first[0]);
    release(&f);
}

static void what_is_known_is_kept(void **state) {
    (void)state;
    struct fixture f = make(100);
    struct settings settings = settings_standard();
    struct truth truth = {0};
    truth_make(&f.problem, &settings, 4, true, true, &truth);
    double *before = truth.outputs[0].want, baseline = truth.baseline_ns;
    truth_make(&f.problem, &settings, 8, true, true, &truth);
    assert_ptr_equal(truth.outputs[0].want, before);
    assert_true(truth.baseline_ns == baseline);
    assert_int_equal(truth.depth, 8);
    f.problem.key++;
    truth_make(&f.problem, &settings, 8, true, false, &truth);
    assert_true(isnan(truth.baseline_ns));
    truth_free(&truth);
    release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_output_is_checked_whole),
        cmocka_unit_test(a_big_output_is_sampled_with_both_ends),
        cmocka_unit_test(cheap_outputs_are_judged_whole),
        cmocka_unit_test(the_baseline_is_timed_and_extrapolated),
        cmocka_unit_test(what_was_not_timed_is_scaled_up),
        cmocka_unit_test(stretches_are_drawn_and_whole),
        cmocka_unit_test(what_is_known_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

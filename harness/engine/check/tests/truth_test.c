// SPDX-License-Identifier: Apache-2.0
#include "../../../../reference/table.h"
#include "../../../base/clock.h"
#include "../../../base/tests/within.h"
#include "../inputs/truth.h"
#include "../../../../reference/operator.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

// A captured point has an operator of its own. On GPUs its problem and truth are made ahead, on another thread.
static void an_operator_without_a_reference_has_no_truth(void **state) {
    struct fixture f = make(1025);
    const struct op recorded = {.name = "capture.relu"};
    const struct settings settings = settings_standard();
    struct truth truth = {0};
    truth_make(&f.problem, &settings, 0, true, false, &truth);
    f.problem.op = &recorded;
    f.problem.key = 100;
    truth_make(&f.problem, &settings, 0, true, true, &truth);
    truth_measure_error(&f.problem, &truth);
    assert_int_equal(truth.output_count, 0);
    assert_true(truth.key == 0);
    truth_free(&truth);
    release(&f);
}

static void a_big_output_is_sampled_with_both_ends(void **state) {
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

// Outputs of few operations are judged whole, up to 16 times the budget of operations.
static void cheap_outputs_are_judged_whole(void **state) {
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

// Only one element of a hundred is timed, and the time is scaled to all.
static void what_was_not_timed_is_scaled_up(void **state) {
    struct fixture f = make(SLOW);
    struct settings settings = settings_standard();
    struct op slow = *f.problem.op;
    struct truth truth = {0};
    slow.flops = slow_flops;
    slow.f32 = slow_f32;
    f.problem.op = &slow;
    settings.check_operations = 1; // so few elements are sampled whole
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

// The places of stretches depend on the key. Rows are checked as a whole.
static void stretches_are_drawn_and_whole(void **state) {
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
    struct fixture f = make(100);
    struct settings settings = settings_standard();
    struct truth truth = {0};
    truth_make(&f.problem, &settings, 4, true, true, &truth);
    double *before = truth.outputs[0].want, baseline = truth.baseline_ns;
    truth_make(&f.problem, &settings, 8, true, true, &truth);
    assert_ptr_equal(truth.outputs[0].want, before);
    assert_true(truth.baseline_ns == baseline);
    assert_int_equal(truth.depths[truth.depth_now].depth, 8);
    f.problem.key++;
    truth_make(&f.problem, &settings, 8, true, false, &truth);
    assert_true(isnan(truth.baseline_ns));
    truth_free(&truth);
    release(&f);
}

// ---- references are made once per problem

static int64_t asked; // outputs requested from a reference
static void (*counted_f64)(const struct call_f64 *call);

static void count_f64(const struct call_f64 *call) {
    __atomic_add_fetch(&asked, call->count, __ATOMIC_RELAXED);
    counted_f64(call);
}

// A matrix product or a softmax of inputs in [-1, 1), with a counting reference.
enum { ROWS = 24, COLS = 40, INNER = 16 };
static struct op counted;
static struct fixture make_counted(const char *name) {
    struct fixture f = make(ROWS * COLS);
    counted = *operator_named(name);
    counted_f64 = counted.f64;
    counted.f64 = count_f64;
    f.problem.op = &counted;
    for (int64_t i = 0; i < ROWS * COLS; i++) f.wide[i] = f.narrow[i] = (float)(i * 37 % 101) / 50 - 1;
    memcpy(f.problem.dims, (int64_t[]){ROWS, COLS, INNER}, 3 * sizeof(int64_t));
    for (int i = 1; i < operator_operands(&counted); i++) f.problem.operands[i] = f.problem.operands[0];
    f.problem.operand_count = operator_operands(&counted);
    f.problem.operands[f.problem.operand_count - 1] =
        (struct operand_data){.dtype = DTYPE_F32, .role = ROLE_OUT, .elements = ROWS * COLS};
    asked = 0;
    return f;
}

// Asserts that *truth has the bits of a new truth for this depth.
static void assert_as_new(const struct fixture *f, int64_t depth, bool rte, const struct truth *truth) {
    const struct settings settings = settings_standard();
    const struct truth_output *is = &truth->outputs[0];
    struct truth anew = {0};
    const int64_t before = asked;
    truth_make(&f->problem, &settings, depth, rte, false, &anew);
    asked = before;
    const size_t bytes = (size_t)is->total * sizeof *is->want;
    assert_int_equal(is->total, ROWS * COLS);
    assert_memory_equal(is->want, anew.outputs[0].want, bytes);
    assert_memory_equal(is->magnitude, anew.outputs[0].magnitude, bytes);
    assert_memory_equal(is->bound, anew.outputs[0].bound, bytes);
    truth_free(&anew);
}

static void a_depth_that_was_there_is_kept(void **state) {
    static const char *const names[] = {"matmul", "softmax"};
    const struct settings settings = settings_standard();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct fixture f = make_counted(names[n]);
        struct truth truth = {0};
        for (int turn = 0; turn < 3; turn++)
            for (int depth = 1; depth <= 4; depth++) {
                truth_make(&f.problem, &settings, depth, depth % 2, false, &truth);
                assert_as_new(&f, depth, depth % 2, &truth);
            }
        // An even bound is requested for one output.
        assert_int_equal(asked, counted.even_bound ? ROWS * COLS + 3 : 4 * ROWS * COLS);
        const int64_t deeper = TRUTH_DEPTHS + 5;
        for (int depth = 5; depth <= deeper; depth++) {
            truth_make(&f.problem, &settings, depth, true, false, &truth);
            assert_as_new(&f, depth, true, &truth);
        }
        asked = 0;
        truth_make(&f.problem, &settings, 1, true, false, &truth); // the first was replaced
        assert_as_new(&f, 1, true, &truth);
        assert_true(asked > 0);
        truth_free(&truth);
        release(&f);
    }
}

// The bounds of another depth equal a new truth's bounds, and leave values unchanged.
static void bounds_of_another_depth_are_asked_for(void **state) {
    static const char *const names[] = {"matmul", "softmax"};
    const struct settings settings = settings_standard();
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct fixture f = make_counted(names[n]);
        struct truth truth = {0}, other = {0};
        double bounds[ROWS * COLS];
        truth_make(&f.problem, &settings, 3, true, false, &truth);
        truth_make(&f.problem, &settings, 7, true, false, &other);
        truth_bounds(&f.problem, &truth.outputs[0], 7, true, bounds);
        assert_memory_equal(bounds, other.outputs[0].bound, sizeof bounds);
        assert_as_new(&f, 3, true, &truth);
        truth_free(&truth);
        truth_free(&other);
        release(&f);
    }
}

// Inputs are of any class here, as in draws; the bound must not depend on them.
static void an_even_bound_is_the_same_everywhere(void **state) {
    size_t found = 0;
    for (size_t o = 0; operators[o]; o++) {
        const struct op *op = operators[o];
        int64_t dims[OPERATOR_DIMS * 2] = {3, 5, 6, 4, 7, 2, 2, 2};
        double values[4096], out[1024], bound[1024];
        if (!op->even_bound) continue;
        if (strcmp(op->name, "bmm") == 0) dims[1] = 3;
        if (operator_derive(op, dims)) fail_msg("%s", op->name);
        for (int i = 0; i < 4096; i++)
            values[i] = i % 11 == 3 ? (double)NAN : i % 13 == 5 ? -(double)INFINITY : i % 5 == 1 ? 0 : i - 99;
        const int output = operator_first_output(op);
        struct call_f64 call = {.dims = dims, .dtype = DTYPE_F32, .output = output, .out = out, .bound = bound};
        for (int i = 0; i < OPERATOR_OPERANDS; i++) call.in[i] = values;
        call.count = operand_elements(op, &op->operands[output], dims);
        assert_within(call.count, 2, 1024);
        for (call.depth = 0; call.depth < 3; call.depth++) {
            call.rte = !call.rte;
            op->f64(&call);
            for (int64_t i = 1; i < call.count; i++) assert_true(bound[i] == bound[0]);
        }
        found++;
    }
    assert_within(found, 8, 100);
}

// ---- one output on several cores

static int64_t chunks;

// Like parallel_for, but from the last chunk to the first.
static void backwards(
    int64_t total, int64_t grain, void (*body)(void *context, int64_t first, int64_t count), void *context) {
    for (int64_t first = (total - 1) / grain * grain; first >= 0; first -= grain) {
        body(context, first, total - first < grain ? total - first : grain);
        chunks++;
    }
}

// Several cores give the bits of one core, for more terms than are made at once and with rows that do not count.
static void one_output_is_the_same_on_several_cores(void **state) {
    static const char *const names[] = {"cross_entropy", "nll", "mse", "l1", "bce", "bce_with_logits"};
    enum { N = 70001 };
    static double x[N * 3], t[N * 3];
    static int32_t target[N];
    for (int64_t i = 0; i < N * 3; i++) x[i] = (double)(i * 37 % 1009) / 1010, t[i] = (double)(i * 53 % 997) / 998;
    for (int64_t i = 0; i < N; i++) target[i] = i % 9 == 4 ? -100 : (int32_t)(i % 3);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const struct op *op = operator_named(names[n]);
        const bool classes = strcmp(op->dims[0], "rows") == 0;
        const double params[] = {-100, 0.1};
        double got[2][3];
        struct call_f64 call = {.dims = (int64_t[]){N, 3}, .params = params, .count = 1, .rte = true};
        call.output = operator_first_output(op);
        call.in[0] = x;
        if (!classes) call.in[1] = t;
        if (classes) call.ints[1] = target;
        for (int cores = 0; cores < 2; cores++) {
            call.on_cores = cores ? backwards : NULL;
            call.out = &got[cores][0], call.magnitude = &got[cores][1], call.bound = &got[cores][2];
            chunks = 0;
            op->f64(&call);
            assert_true(cores == (chunks > 1));
        }
        assert_true(isfinite(got[0][0]) && got[0][2] > 0);
        assert_memory_equal(got[0], got[1], sizeof got[0]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_output_is_checked_whole),
        cmocka_unit_test(an_operator_without_a_reference_has_no_truth),
        cmocka_unit_test(a_big_output_is_sampled_with_both_ends),
        cmocka_unit_test(cheap_outputs_are_judged_whole),
        cmocka_unit_test(the_baseline_is_timed_and_extrapolated),
        cmocka_unit_test(what_was_not_timed_is_scaled_up),
        cmocka_unit_test(stretches_are_drawn_and_whole),
        cmocka_unit_test(what_is_known_is_kept),
        cmocka_unit_test(a_depth_that_was_there_is_kept),
        cmocka_unit_test(bounds_of_another_depth_are_asked_for),
        cmocka_unit_test(an_even_bound_is_the_same_everywhere),
        cmocka_unit_test(one_output_is_the_same_on_several_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

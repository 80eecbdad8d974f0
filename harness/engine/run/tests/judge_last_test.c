// SPDX-License-Identifier: Apache-2.0
// The last timed run of a kernel whose bits vary, without a device. Points that are timed together share one truth, so
// it has the bound of the point that was judged last.
#include "../runner.h"

#include "../../../../reference/table.h"
#include "../../check/check_parts.h"
#include "../../../record/record.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4096, FREE_ORDER = 0, DEPTH = 2 };

// A sum of N ones, which is exact in f32.
struct world {
    struct runner runner;
    struct wall wall;
    struct kernel kernel;
    struct point point;
    float x[N], y;
    double wide[N];
    struct arena arena;
};

static int open_world(void **state) {
    struct world *w = calloc(1, sizeof *w);
    *state = w;
    w->kernel = (struct kernel){.op = operator_named("sum"), .arithmetic = DTYPE_F32, .nondeterministic = "a test"};
    w->point = (struct point){.kernel = &w->kernel, .dtype = DTYPE_F32, .dims = {N}};
    w->runner.options.settings = settings_standard();
    w->runner.phases = phase_timer_start(&w->wall, WALL_IDLE);
    w->runner.problem =
        (struct problem){.key = 7, .op = w->kernel.op, .dtype = DTYPE_F32, .dims = {N}, .operand_count = 2};
    for (int i = 0; i < N; i++) w->wide[i] = w->x[i] = 1;
    w->runner.problem.operands[0] = (struct operand_data){.dtype = DTYPE_F32,
        .role = ROLE_IN,
        .elements = N,
        .bytes = sizeof w->x,
        .as_double = w->wide,
        .as_float = w->x,
        .image = w->x};
    w->runner.problem.operands[1] =
        (struct operand_data){.dtype = DTYPE_F32, .role = ROLE_OUT, .elements = 1, .bytes = 4, .got = &w->y};
    return 0;
}

static int close_world(void **state) {
    struct world *w = *state;
    truth_free(&w->runner.truth);
    arena_free(&w->arena);
    free(w);
    return 0;
}

// Makes the shared truth for another point's depth of sums. Returns the bound in ULP.
static double share_truth(struct world *w, int64_t depth) {
    truth_make(&w->runner.problem, &w->runner.options.settings, depth, true, false, &w->runner.truth);
    return w->runner.truth.outputs[0].bound[0];
}

// Judges a last run whose sum is wrong by some ULP. The checked runs had the exact sum.
static struct record judge_last(struct world *w, double ulps) {
    struct record record = {.check.same_bits = true};
    w->y = N;
    record.check.output_hash = check_hash(&w->runner.problem);
    w->y = (float)(N + ulps * dtype_ulp(DTYPE_F32, N));
    runner_judge_last(&w->runner, &w->point, (struct policy){.rte = true}, &w->arena, &record);
    assert_false(record.check.same_bits);
    return record;
}

static void the_last_run_is_judged_by_the_bound_of_its_own_kernel(void **state) {
    struct world *w = *state;
    const double wide = share_truth(w, FREE_ORDER), narrow = share_truth(w, DEPTH),
                 between = floor((wide + narrow) / 2);
    assert_true(narrow + 1 < between && between + 1 < wide);
    assert_int_equal(judge_last(w, between).status, RECORD_PASS); // the shared bound is the narrow one
    w->kernel.depth[0] = (struct depth_term){.length = {.over = {.factors = {{.number = DEPTH}}, .count = 1}}};
    w->kernel.depth_count = 1;
    assert_int_equal(kernel_depth(&w->kernel, w->point.dims, &w->point.shape), DEPTH);
    share_truth(w, FREE_ORDER);
    const struct record record = judge_last(w, between);
    assert_int_equal(record.status, RECORD_FAIL);
    assert_non_null(strstr(record.reason, "in its last timed run "));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_last_run_is_judged_by_the_bound_of_its_own_kernel, open_world, close_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

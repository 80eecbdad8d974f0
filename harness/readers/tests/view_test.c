// SPDX-License-Identifier: Apache-2.0
// Tests best shapes, ties, losses, rates and crossovers against known values.
#include "../../truth/stats/ratio.h"
#include "../../record/figures.h"
#include "../render/view.h"

#include "render_fixture.h"
#include "../../record/record.h"
#include "../../../reference/tests/unit.h"

static struct result result;
static struct view view;

static int setup(void **state) {
    result = fixture_result(1);
    view_make(&result, &view);
    return 0;
}

static int teardown(void **state) {
    view_free(&view);
    result_free(&result);
    return 0;
}

static const struct view_kernel *kernel_named_in_view(const char *name, const char *dtype) {
    for (size_t o = 0; o < view.count; o++)
        for (size_t k = 0; k < view.operators[o].count; k++) {
            const struct view_kernel *kernel = &view.operators[o].kernels[k];
            if (strcmp(kernel->name, name) == 0 && strcmp(kernel->dtype, dtype) == 0) return kernel;
        }
    fail_msg("%s %s is not in the view", name, dtype);
    return NULL;
}

static void every_record_has_one_place(void **state) {
    size_t records = 0;
    for (size_t o = 0; o < view.count; o++)
        for (size_t k = 0; k < view.operators[o].count; k++)
            for (size_t i = 0; i < view.operators[o].kernels[k].count; i++)
                records += view.operators[o].kernels[k].cases[i].count;
    assert_int_equal(records, result.count);
    assert_int_equal(view.count, 9);
    assert_int_equal(kernel_named_in_view("add.vec4", "f16")->count, 3);
    assert_string_equal(kernel_named_in_view("add.vec4", "f16")->variant, "vec4");
}

static void best_ties_and_losses(void **state) {
    const struct view_case *c = &kernel_named_in_view("add.scalar", "f32")->cases[2];
    assert_int_equal(c->records[0]->dims[0].value, 16777216); // cases are sorted from small to large
    assert_int_equal(c->best->wg[0], 256);
    assert_int_equal(c->tie_count, 1); // 128 is 0.4 % slower, within both intervals
    assert_true(case_ties(c->best, best_of_invocations(c, 128)));
    assert_false(case_ties(c->best, best_of_invocations(c, 64)));
    assert_false(case_ties(c->best, c->best));
    assert_true(fabs(loss_of(c, best_of_invocations(c, 64)) - 1.21) < 1e-9);
    assert_int_equal(worst_of_systems(c)->wg[0], 64);
    assert_null(best_of_invocations(c, 1024)); // skipped
}

// Cases are sorted by size, in whatever order they ran.
static void cases_are_in_order_of_size(void **state) {
    static struct record turned[1000];
    struct result again = result;
    struct view backwards;
    assert_true(result.count <= sizeof turned / sizeof *turned);
    for (size_t i = 0; i < result.count; i++) turned[i] = result.records[result.count - 1 - i];
    again.records = turned;
    view_make(&again, &backwards);
    for (size_t k = 0; k < backwards.kernel_count; k++)
        for (size_t i = 1; i < backwards.kernels[k]->count; i++) {
            const struct view_case *less = &backwards.kernels[k]->cases[i - 1], *more = less + 1;
            assert_true(less->records[0]->bytes <= more->records[0]->bytes);
        }
    view_free(&backwards);
}

static void wrong_points_never_win(void **state) {
    struct view again;
    struct record *fastest = &result.records[3];
    assert_int_equal(fastest->wg[0], 256);
    fastest->status = RECORD_FAIL;
    fastest->time[FIGURE_COMPUTE].median = 1;
    view_make(&result, &again);
    assert_int_equal(again.operators[0].kernels[0].cases[0].best->wg[0], 128);
    assert_ptr_equal(worst_of_systems(&again.operators[0].kernels[0].cases[0]), fastest);
    view_free(&again);
    fastest->status = RECORD_PASS;
    fastest->time[FIGURE_COMPUTE] = fixture_summary(1000, 0.01, 20);
}

static void rates_follow_the_roofline(void **state) {
    struct record r = {.dtype = "f32", .flops = 1e6, .bytes = 1e6};
    r.time[FIGURE_COMPUTE] = fixture_summary(1e5, 0, 10); // 10 GB/s and 10 GFLOP/s; the ridge is at 4
    struct rate low = rate_of(&result, &r);
    assert_string_equal(low.unit, "B/s");
    assert_true(fabs(low.share - 0.5) < 1e-9);
    r.flops = 8e6;
    struct rate high = rate_of(&result, &r);
    assert_string_equal(high.unit, "FLOP/s");
    assert_true(fabs(high.share - 1) < 1e-9);
    r.flops = r.bytes = 0;
    assert_true(isnan(rate_of(&result, &r).value));
}

static void crossovers(void **state) {
    const double sizes[] = {1, 10, 100, 1000}, flat[] = {100, 100, 100, 100}, rising[] = {1, 10, 1000, 10000};
    const double missing[] = {NAN, 10, NAN, 10000}, steep[] = {1000, 1000, 1000, 1000};
    double at = 0;
    // 10 against 100 at size 10, 1000 against 100 at size 100: they meet half way on a logarithmic scale.
    assert_int_equal(crossover_find(sizes, flat, rising, 4, &at), CROSSOVER_AT);
    assert_true(fabs(at - sqrt(10.0 * 100)) < 1e-9);
    assert_int_equal(crossover_find(sizes, flat, missing, 4, &at), CROSSOVER_AT);
    assert_true(fabs(at - 10 * pow(100, 1.0 / 3)) < 1e-9); // from -1 to 2 decades: a third of the way from 10 to 1000
    assert_int_equal(crossover_find(sizes, flat, steep, 4, &at), CROSSOVER_ALWAYS);
    assert_int_equal(crossover_find(sizes, steep, flat, 4, &at), CROSSOVER_NEVER);
    assert_int_equal(crossover_find(sizes, flat, (double[]){NAN, NAN, NAN, NAN}, 4, &at), CROSSOVER_NONE);
    assert_int_equal(crossover_find(sizes, flat, (double[]){200, 50, 200, 200}, 4, &at), CROSSOVER_AT);
    assert_true(at > 10 && at < 100); // the last transfers counts: beyond it the GPU stays faster
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_record_has_one_place),
        cmocka_unit_test(best_ties_and_losses),
        cmocka_unit_test(rates_follow_the_roofline),
        cmocka_unit_test(crossovers),
        cmocka_unit_test(cases_are_in_order_of_size),
        cmocka_unit_test(wrong_points_never_win),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

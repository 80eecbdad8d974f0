// SPDX-License-Identifier: Apache-2.0
// Tests regrets and the portable pick on one kernel at three sizes, with the times below.
#include "../render/choice.h"
#include "../../truth/stats/summary.h"
#include "../../record/result.h"
#include "../../record/record.h"
#include "../../device/profile.h"
#include "expect.h"

#include <math.h>

enum { SIZES = 3, SHAPES = 5 };

static struct record records[SIZES * SHAPES];
static struct result result;
static struct view view;

// Rows: sizes; columns: 32, 64, 128, 256 and 1024 invocations. Best: 64, 128, 256.
static const double times[SIZES][SHAPES] = {
    {200, 100, 110, 130, 300}, {300, 150, 100, 120, 250}, {400, 240, 125, 100, 150}};

static void set_time(struct record *r, double ns, double half) {
    r->time[FIGURE_COMPUTE] = (struct summary){
        .median = ns, .lo = ns * (1 - half), .hi = ns * (1 + half), .min = ns, .max = ns, .samples = 20};
}

static struct record *at(int size, int shape) {
    return &records[size * SHAPES + shape];
}

static void arrange(void) {
    view_free(&view);
    view_make(&result, &view);
}

static int setup(void **state) {
    static const uint32_t widths[SHAPES] = {32, 64, 128, 256, 1024};
    static const char *const names[SIZES] = {"a", "b", "c"};
    static const double sizes[SIZES] = {1000, 100000, 10000000};
    static struct named_number dims[SIZES];
    for (int i = 0; i < SIZES; i++) dims[i] = (struct named_number){"n", sizes[i]};
    for (int i = 0; i < SIZES * SHAPES; i++) {
        records[i] = (struct record){.operator= "add",
            .kernel = "add.scalar",
            .dtype = "f32",
            .name = names[i / SHAPES],
            .case_length = 1,
            .systems = "",
            .dims = &dims[i / SHAPES],
            .dim_count = 1,
            .wg = {widths[i % SHAPES], 1, 1},
            .is_default = i % SHAPES == 3,
            .bytes = 12 * sizes[i / SHAPES]};
        set_time(&records[i], times[i / SHAPES][i % SHAPES], 0.01);
    }
    result = (struct result){.records = records, .count = SIZES * SHAPES};
    arrange();
    return 0;
}

static int teardown(void **state) {
    view_free(&view);
    return 0;
}

static const struct view_kernel *kernel(void) {
    return &view.operators[0].kernels[0];
}

static struct choice pick(void) {
    return choice_of(kernel());
}

static struct regret regret_of(enum heuristic heuristic) {
    return pick().heuristics[heuristic].regret;
}

// Worst factors: 32: 4, 64: 2.4, 128: 1.25, 256: 1.3, 1024: 3.
static void the_pick_has_the_least_worst_regret(void **state) {
    struct choice choice = pick();
    assert_non_null(choice.shape);
    assert_int_equal(choice.shape->wg[0], 128);
    near(choice.regret.worst, 1.25);
    near(choice.regret.lo, 1.25 * 0.99);
    assert_int_equal(choice.regret.sizes, 3);
    assert_true(choice.regret.at->records[0]->dims[0].value == 10000000);
    assert_int_equal(choice.shapes, SHAPES);
    assert_int_equal(choice.ties, 0);
    assert_null(choice.tie);
}

static void heuristics_have_regrets(void **state) {
    near(regret_of(HEURISTIC_DEFAULT).worst, 1.3);
    near(regret_of(HEURISTIC_64).worst, 2.4);
    near(regret_of(HEURISTIC_256).worst, 1.3);
    near(regret_of(HEURISTIC_LARGEST).worst, 3);
    assert_true(regret_of(HEURISTIC_256).at->records[0]->dims[0].value == 1000);
    assert_true(isnan(regret_of(HEURISTIC_SYSTEMS).worst)); // no record has a system's shape
    at(0, 1)->systems = "torchless";
    at(2, 4)->systems = "torsh";
    near(regret_of(HEURISTIC_SYSTEMS).worst, 1.5);
    assert_int_equal(regret_of(HEURISTIC_SYSTEMS).timed, 2);
    assert_int_equal(regret_of(HEURISTIC_SYSTEMS).sizes, 3);
}

// 8 x 8 is the best at two sizes and takes 4 times the best, 64 x 1, at the third. "64" is one of them for all sizes.
static void a_rule_is_one_shape_for_all_sizes(void **state) {
    static const double square[SIZES] = {400, 100, 100};
    for (int size = 0; size < SIZES; size++) {
        at(size, 0)->wg[0] = at(size, 0)->wg[1] = 8;
        set_time(at(size, 0), square[size], 0.01);
    }
    arrange();
    near(regret_of(HEURISTIC_64).worst, 2.4);
    assert_int_equal(pick().heuristics[HEURISTIC_64].shape->wg[0], 64);
    for (int size = 0; size < SIZES; size++)
        assert_ptr_equal(choice_heuristic(&(struct choice){.heuristics[HEURISTIC_64].shape = at(0, 1)},
                             &kernel()->cases[size], HEURISTIC_64),
            at(size, 1));
    at(1, 1)->status = RECORD_SKIP; // a shape timed at all sizes comes first
    arrange();
    near(regret_of(HEURISTIC_64).worst, 4);
    at(1, 0)->status = RECORD_FAIL; // fewer failures count more than that
    arrange();
    near(regret_of(HEURISTIC_64).worst, 2.4);
    at(1, 1)->status = RECORD_FAIL;
    arrange();
    assert_int_equal(regret_of(HEURISTIC_64).wrong, 1);
}

static void overlapping_intervals_are_ties(void **state) {
    for (int size = 0; size < SIZES; size++) set_time(at(size, 3), times[size][3], 0.04); // 1.3 * 0.96 < 1.25 * 1.01
    arrange();
    struct choice choice = pick();
    assert_int_equal(choice.shape->wg[0], 128);
    assert_int_equal(choice.ties, 1);
    assert_int_equal(choice.tie->wg[0], 256);
}

static void a_wrong_shape_is_never_picked(void **state) {
    at(0, 2)->status = RECORD_FAIL; // its speed elsewhere does not matter
    set_time(at(1, 2), 1, 0.01);
    arrange();
    assert_int_equal(pick().shape->wg[0], 256);
}

static void wrong_where_nothing_else_ran_is_wrong_too(void **state) {
    for (int shape = 0; shape < SHAPES; shape++) at(0, shape)->status = shape == 2 ? RECORD_TIMEOUT : RECORD_SKIP;
    arrange();
    assert_false(has_choice(&kernel()->cases[0]));
    assert_int_equal(pick().shape->wg[0], 256); // over the other two sizes, 128 loses 1.25 and 256 only 1.2
    at(1, 3)->status = RECORD_SKIP;
    arrange();
    assert_int_equal(pick().shapes, 3);
    assert_int_equal(pick().shape->wg[0], 64); // 2.4; 1024: 2.5; 128 timed out, and 256 was not timed everywhere
}

static void what_was_not_timed_everywhere_is_not_picked(void **state) {
    at(1, 2)->status = RECORD_SKIP;
    arrange();
    assert_int_equal(pick().shape->wg[0], 256);
    near(pick().regret.worst, 1.3);
    for (int shape = 0; shape < SHAPES; shape++) at(shape % SIZES, shape)->status = RECORD_SKIP;
    arrange();
    assert_null(pick().shape); // each shape lacks a size
}

static void one_shape_is_no_choice(void **state) {
    for (int i = 0; i < SIZES * SHAPES; i++)
        if (i % SHAPES != 1) records[i].status = RECORD_SKIP;
    arrange();
    assert_null(pick().shape);
    assert_int_equal(regret_of(HEURISTIC_64).sizes, 0);
    assert_true(isnan(regret_of(HEURISTIC_64).worst));
}

static void the_largest_is_what_ran(void **state) {
    assert_int_equal(heuristic_record(&kernel()->cases[0], HEURISTIC_LARGEST)->wg[0], 1024);
    at(0, 4)->status = RECORD_SKIP; // does not fit the device
    assert_int_equal(heuristic_record(&kernel()->cases[0], HEURISTIC_LARGEST)->wg[0], 256);
    at(1, 4)->status = RECORD_FAIL; // fits, but is wrong
    assert_int_equal(heuristic_record(&kernel()->cases[1], HEURISTIC_LARGEST)->status, RECORD_FAIL);
    at(2, 3)->wg[0] = 512, at(2, 3)->wg[1] = 2; // two shapes have 1024 invocations; the faster counts
    assert_int_equal(heuristic_record(&kernel()->cases[2], HEURISTIC_LARGEST)->wg[1], 2);
}

// 128 is the pick of all shapes and within the narrow profiles. Without it, the next shape within each profile is
// picked.
static void the_pick_within_a_profile_keeps_to_it(void **state) {
    static const struct needs shared = {.limits = {.shared_bytes = 20000}}, wide = {.limits = {.max_invocations = 256}};
    struct choice choice = choice_of(view.kernels[0]);
    for (int p = 0; p < PROFILES; p++) assert_int_equal(choice.within[p].shape->wg[0], 128);
    for (int size = 0; size < SIZES; size++) {
        at(size, 2)->needs = &shared;
        at(size, 3)->needs = &wide;
    }
    arrange();
    choice = choice_of(view.kernels[0]);
    assert_string_equal(profiles[0].profile.name, "vulkan-1.1-mobile");
    assert_int_equal(choice.within[0].shape->wg[0], 64);
    assert_int_equal(choice.within[1].shape->wg[0], 256);
    assert_int_equal(choice.within[2].shape->wg[0], 128);
    assert_true(choice.within[0].regret.worst > choice.within[1].regret.worst);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_pick_has_the_least_worst_regret, setup, teardown),
        cmocka_unit_test_setup_teardown(heuristics_have_regrets, setup, teardown),
        cmocka_unit_test_setup_teardown(a_rule_is_one_shape_for_all_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(overlapping_intervals_are_ties, setup, teardown),
        cmocka_unit_test_setup_teardown(a_wrong_shape_is_never_picked, setup, teardown),
        cmocka_unit_test_setup_teardown(wrong_where_nothing_else_ran_is_wrong_too, setup, teardown),
        cmocka_unit_test_setup_teardown(what_was_not_timed_everywhere_is_not_picked, setup, teardown),
        cmocka_unit_test_setup_teardown(one_shape_is_no_choice, setup, teardown),
        cmocka_unit_test_setup_teardown(the_largest_is_what_ran, setup, teardown),
        cmocka_unit_test_setup_teardown(the_pick_within_a_profile_keeps_to_it, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

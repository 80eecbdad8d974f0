// SPDX-License-Identifier: Apache-2.0
// Groups of records by case, and the best of a case.
#include "../cases.h"
#include "case_length.h"
#include "sample_record.h"
#include "../../truth/stats/summary.h"
#include "../record.h"
#include "../terms.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

static struct record timed(const char *name, double median, size_t samples) {
    struct record r = {.name = name, .case_length = case_length(name), .status = RECORD_PASS};
    r.time[FIGURE_COMPUTE] =
        (struct summary){.median = median, .lo = median * 0.9, .hi = median * 1.1, .samples = samples};
    return r;
}

static bool is_right(const struct record *record, const void *user) {
    (void)user;
    return record->status == RECORD_PASS;
}

static void cases_keep_the_order_of_the_result(void **state) {
    struct arena arena = {0};
    struct cases cases;
    struct record records[] = {timed("b/f32/n=1/wg=1x1x1", 1, 9), timed("a/f32/n=1/wg=1x1x1", 1, 9),
        timed("b/f32/n=1/wg=2x1x1", 1, 9), timed("b/f32/n=11/wg=1x1x1", 1, 9), timed("a/f32/n=1/wg=4x1x1", 1, 9)};
    records[4].status = RECORD_FAIL;
    cases_make(records, 5, NULL, NULL, &arena, &cases);
    assert_int_equal(cases.count, 3);
    assert_int_equal(cases.items[0].count, 2);
    assert_ptr_equal(cases.items[0].records[1], &records[2]);
    assert_int_equal(cases.items[1].count, 2);
    assert_string_equal(record_case(&arena, cases.items[2].records[0]), "b/f32/n=11");
    assert_string_equal(record_shape(&records[2]), "wg=2x1x1");
    cases_make(records, 5, is_right, NULL, &arena, &cases);
    assert_int_equal(cases.items[1].count, 1);
    arena_free(&arena);
}

static void few_samples_win_only_where_all_have_few(void **state) {
    struct record lucky = timed("a/f32/n=1/wg=1x1x1", 5, 1), slow = timed("a/f32/n=1/wg=2x1x1", 20, CASE_LEAST),
                  fast = timed("a/f32/n=1/wg=4x1x1", 10, CASE_LEAST), near = timed("a/f32/n=1/wg=8x1x1", 11, 2),
                  wrong = timed("a/f32/n=1/wg=16x1x1", 1, 99);
    wrong.status = RECORD_FAIL;
    const struct record *all[] = {&lucky, &slow, &fast, &near, &wrong};
    assert_ptr_equal(case_best(all, 5), &fast);
    assert_ptr_equal(case_best(all, 1), &lucky);
    assert_null(case_best(&all[4], 1));
    assert_null(case_best(all, 0));
    assert_true(case_ties(&fast, &near) && case_ties(&fast, &lucky));
    assert_false(case_ties(&fast, &slow) || case_ties(&fast, &fast) || case_ties(&fast, &wrong));
    assert_false(case_ties(NULL, &fast));
    struct record touches = fast;
    touches.time[FIGURE_COMPUTE].lo = fast.time[FIGURE_COMPUTE].hi; // intervals with one common value
    assert_true(case_ties(&fast, &touches));
}

// A default that nothing was shown to beat is the choice, even with few samples; else the first tie with enough.
static void the_choice_is_the_default_or_the_first_of_the_ties(void **state) {
    static const struct {
        double medians[4]; // intervals of 10 % around them; 0: not timed
        size_t samples[4];
        int standard, fastest, chosen;
        bool undecided;
    } rows[] = {
        {{104, 103, 100, 101}, {10, 10, 10, 10}, 1, 2, 1, true},
        {{104, 103, 100, 101}, {10, 10, 10, 10}, -1, 2, 0, true},
        {{104, 103, 100, 101}, {9, 10, 10, 10}, -1, 2, 1, true}, // the first has too few samples
        {{104, 103, 100, 101}, {9, 10, 10, 10}, 0, 2, 0, true},
        {{140, 103, 100, 101}, {10, 10, 10, 10}, 0, 2, 1, false}, // a default shown to be slower
        {{0, 103, 100, 150}, {0, 10, 10, 10}, 0, 2, 1, false},    // a default that is not timed
        {{140, 150, 100, 160}, {10, 10, 10, 10}, 3, 2, 2, false},
        {{0, 0, 100, 0}, {0, 0, 10, 0}, 2, 2, 2, false}, // alone
    };
    static const char *const names[] = {
        "a/f32/n=1/wg=1x1x1", "a/f32/n=1/wg=2x1x1", "a/f32/n=1/wg=4x1x1", "a/f32/n=1/wg=8x1x1"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct record records[4];
        const struct record *all[4];
        for (int k = 0; k < 4; k++) {
            records[k] = timed(names[k], rows[i].medians[k], rows[i].samples[k]);
            records[k].is_default = k == rows[i].standard;
            all[k] = &records[k];
        }
        const struct case_choice choice = case_choose(all, 4);
        assert_ptr_equal(choice.fastest, all[rows[i].fastest]);
        assert_ptr_equal(choice.chosen, all[rows[i].chosen]);
        assert_int_equal(choice.undecided, rows[i].undecided);
    }
    assert_null(case_choose(NULL, 0).chosen);
}

static void an_interval_wider_than_a_fifth_is_noise(void **state) {
    const struct summary wide = {.median = 100, .lo = 90, .hi = 131}, close = {.median = 100, .lo = 80, .hi = 119},
                         other = {.median = 100, .lo = 20, .hi = 264};
    assert_true(time_is_noise(&wide) && time_is_noise(&other) && !time_is_noise(&close));
    assert_true(time_spread(&other) == 1.22);
}

static void a_case_is_the_front_of_its_name(void **state) {
    static const char *const wrong[] = {"sub.vec4/f32/n=4096", "add.vec4/f32/n=40", "add.vec4/f32/n=4096,alpha=0.1/wg",
        "add.vec4/f32/n=4096,alpha=0.1/wg=64x2x1,ITEMS=4/more"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct arena arena = {0};
        struct error err;
        struct record r = sample_record();
        struct json_object *json = record_to_json(&r, false);
        json_put_string(json, "case", wrong[i]);
        assert_false(record_from_json(&arena, json, &r, &err));
        assert_non_null(strstr(err.text, "$.case: expected the first parts of the name"));
        json_object_put(json);
        arena_free(&arena);
    }
}

// The limit for ties between processes: 100 ns, for short kernels 4 %.
static void what_another_process_would_not_show_is_a_tie(void **state) {
    static const struct {
        double best, other;
        bool tie;
    } cases[] = {{10000, 10098, true}, {10000, 10104, false}, {1e6, 1e6 + 98, true}, {1e6, 1e6 + 104, false},
        {1000, 1038, true}, {1000, 1044, false}, {2500, 2598, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct summary best = {.median = cases[i].best, .lo = cases[i].best - 1, .hi = cases[i].best + 1},
                             other = {.median = cases[i].other, .lo = cases[i].other - 1, .hi = cases[i].other + 1};
        assert_int_equal(times_tie(&best, &other), cases[i].tie);
    }
    // Exact to the nanosecond.
    const struct summary best = {.median = 10000, .lo = 9999, .hi = 10001}, other = {.median = 10102, .lo = 10101};
    assert_true(times_tie(&best, &other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_another_process_would_not_show_is_a_tie),
        cmocka_unit_test(cases_keep_the_order_of_the_result),
        cmocka_unit_test(few_samples_win_only_where_all_have_few),
        cmocka_unit_test(the_choice_is_the_default_or_the_first_of_the_ties),
        cmocka_unit_test(an_interval_wider_than_a_fifth_is_noise),
        cmocka_unit_test(a_case_is_the_front_of_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Groups of records by case, and the best of a case.
#include "../cases.h"
#include "case_length.h"
#include "sample_record.h"
#include "../../stats/summary.h"
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
        cmocka_unit_test(a_case_is_the_front_of_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

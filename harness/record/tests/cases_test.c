// SPDX-License-Identifier: Apache-2.0
// Groups of records by case, the best of a case, and facts from texts of schema version 1.
#include "../cases.h"
#include "../version1.h"
#include "sample_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static struct record timed(const char *name, double median, size_t samples) {
    struct record r = {.name = name, .case_length = version1_case_length(name), .status = RECORD_PASS};
    r.time[FIGURE_COMPUTE] =
        (struct summary){.median = median, .lo = median * 0.9, .hi = median * 1.1, .samples = samples};
    return r;
}

static bool is_right(const struct record *record, const void *user) {
    (void)user;
    return record->status == RECORD_PASS;
}

static void cases_keep_the_order_of_the_result(void **state) {
    (void)state;
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
    (void)state;
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

// ---- version 1

// Makes the sample as version 1 wrote it.
static struct json_object *old_record(const char *name) {
    struct record r = sample_record();
    r.name = name;
    r.case_length = version1_case_length(name);
    r.part = false;
    struct json_object *json = record_to_json(&r, false);
    json_object_object_del(json, "case");
    json_object_object_del(json, "systems");
    json_put_string(json, "seeds", "candle");
    json_object_object_del(json, "clock_why");
    json_put_string(json, "clock", "host: asked for");
    return json;
}

static void facts_of_version_1_come_from_its_texts(void **state) {
    static const struct {
        const char *name, *of_case, *shape;
        bool part;
    } names[] = {
        {"matmul.tiled/f32/m=5,n=5,k=5/wg=16x16x1,TILE_K=16", "matmul.tiled/f32/m=5,n=5,k=5", "wg=16x16x1,TILE_K=16",
            false},
        {"exp.a/f32/n=4/wg=64x1x1/bits=00000000-0000ffff", "exp.a/f32/n=4", "wg=64x1x1/bits=00000000-0000ffff", true},
        {"a name without a shape", "a name without a shape", "", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct arena arena = {0};
        struct error err;
        struct record r;
        struct json_object *json = old_record(names[i].name);
        assert_false(record_from_json(&arena, json, &r, &err)); // this version has a case
        version1_record(json);
        if (!record_from_json(&arena, json, &r, &err)) fail_msg("%s", err.text);
        assert_string_equal(record_case(&arena, &r), names[i].of_case);
        assert_string_equal(record_shape(&r), names[i].shape);
        assert_int_equal(r.part, names[i].part);
        assert_string_equal(r.systems, "candle");
        assert_int_equal(r.clock, CLOCK_HOST);
        assert_string_equal(r.clock_why, "asked for");
        json_object_put(json);
        arena_free(&arena);
    }
}

// The sentence of each check in version 1.
static void failed_checks_of_version_1_come_from_its_reason(void **state) {
    static const struct {
        const char *reason;
        double got, ulp;
        uint32_t failed;
    } faults[] = {
        {"3 of 4096 elements of c are wrong; worst at index 1: got 2, want 1", 2, 99, CHECK_ULP},
        {"3 of 4096 elements of c are wrong; 2 32-bit words of c were never written", NAN, 0.25,
            CHECK_CLASS | CHECK_UNWRITTEN},
        {"9 of 9 checked inputs give a wrong y; worst at 0x3f800000 (1): got nan, want 2", NAN, 99,
            CHECK_CLASS | CHECK_ULP},
        {"wrote past the end of operand c, 4 bytes behind it; changed its input a", 1, 0, CHECK_GUARD | CHECK_INPUT},
        {"wrote before operand c, 4 bytes before its start", 1, 0, CHECK_GUARD},
        {"a second run gave other bits in c", 1, 0, CHECK_BITS},
        {"with its operands packed into one buffer at the least offsets it gave other bits in c", 1, 0, CHECK_PACKED},
        {"validation layer: VUID-x", 1, 0, CHECK_VALIDATION},
        {"something else", 1, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        struct arena arena = {0};
        struct error err;
        struct record r = sample_record();
        r.failed = 0;
        r.reason = faults[i].reason;
        r.check.got = faults[i].got;
        r.check.want = 1;
        r.check.max_ulp = faults[i].ulp;
        struct json_object *json = record_to_json(&r, false);
        version1_record(json);
        if (!record_from_json(&arena, json, &r, &err)) fail_msg("%s", err.text);
        if (r.failed != faults[i].failed) fail_msg("%s: %x", faults[i].reason, r.failed);
        json_object_put(json);
        arena_free(&arena);
    }
}

static void what_a_record_has_stays(void **state) {
    (void)state;
    struct record r = sample_record();
    struct json_object *json = record_to_json(&r, true), *same = record_to_json(&r, true);
    version1_record(json);
    assert_string_equal(json_object_to_json_string(json), json_object_to_json_string(same));
    json_object_put(json);
    json_object_put(same);
    json = json_object_new_int(3);
    version1_record(json);
    json_object_put(json);
    version1_record(NULL);
}

static void a_case_is_the_front_of_its_name(void **state) {
    static const char *const wrong[] = {"sub.vec4/f32/n=4096", "add.vec4/f32/n=40", "add.vec4/f32/n=4096,alpha=0.1/wg",
        "add.vec4/f32/n=4096,alpha=0.1/wg=64x2x1,ITEMS=4/more"};
    (void)state;
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
    (void)state;
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
        cmocka_unit_test(facts_of_version_1_come_from_its_texts),
        cmocka_unit_test(failed_checks_of_version_1_come_from_its_reason),
        cmocka_unit_test(what_a_record_has_stays),
        cmocka_unit_test(a_case_is_the_front_of_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

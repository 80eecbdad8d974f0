// SPDX-License-Identifier: Apache-2.0
// --jobs: several workers check what one checks, and find the same.
#include "vkassay_program.h"

// Times, whose turn it was to build, and what a worker's memory holds of points before.
static const char *const differing[] = {"wall", "build_ns", "memory", NULL};

static void several_workers_find_what_one_finds(void **state) {
    (void)state;
    for (int jobs = 1; jobs <= 3; jobs += 2)
        assert_int_equal(run("check --quiet --jobs %d --out %s/%d 'relu.scalar/f32/*' 'max_rows.workgroup/f32/*'", jobs,
                             folder, jobs),
            STATUS_OK);
    struct json_object *one = records_without(differing, "1/*/*/result.json"),
                       *three = records_without(differing, "3/*/*/result.json");
    assert_true(json_object_array_length(one) > 50);
    assert_true(json_object_equal(one, three));
    json_object_put(one);
    json_object_put(three);
    assert_non_null(strstr(content("3/*/*/result.json"), "\"jobs\": 3"));
}

// In the last check's result, on the terminal and on the page.
static void what_was_covered_is_said_in_a_line(void **state) {
    (void)state;
    static const char line[] = "covered: 2 pairs of a kernel and a type: ";
    assert_holds("output", line);
    assert_holds("3/*/*/report.html", line);
    assert_holds("3/*/*/result.json", "\"covered\": [");
}

static void what_is_timed_has_one_worker(void **state) {
    (void)state;
    assert_int_equal(run("bench --jobs 2 'relu.*'"), STATUS_USAGE);
    assert_non_null(strstr(content("output"), "unknown option --jobs"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_workers_find_what_one_finds),
        cmocka_unit_test(what_was_covered_is_said_in_a_line),
        cmocka_unit_test(what_is_timed_has_one_worker),
    };
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}

// SPDX-License-Identifier: Apache-2.0
// Tests --jobs: several workers check the same points as one, with the same outcome.
#include "vkassay_program.h"

// Differ between runs: times, the point that built a shader, and a worker's memory of earlier points.
static const char *const differing[] = {"wall", "build_ns", "memory", NULL};

static void several_workers_find_what_one_finds(void **state) {
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
    static const char line[] = "covered: 2 pairs of a kernel and a type: ";
    assert_holds("output", line);
    assert_holds("3/*/*/report.html", line);
    assert_holds("3/*/*/result.json", "\"covered\": [");
}

// Timing uses one worker. Building and judging use this number of threads.
static void what_is_timed_takes_it_too(void **state) {
    static const char *const verbs[] = {"bench", "tune", "gate", "baseline", "claims", "try", "peaks", "ab"};
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        assert_int_equal(run("%s --jobs 0", verbs[i]), STATUS_USAGE);
        assert_non_null(strstr(content("output"), "--jobs expects N, found '0'"));
    }
    assert_int_equal(
        run("bench --quiet --jobs 1 --seconds 0.01 --dims n=77 --out %s/timed relu.scalar/f32", folder), STATUS_OK);
}

// Checks every shape at these sizes only.
static void sizes_of_a_check_are_those_asked_for(void **state) {
    assert_int_equal(run("check softmax.online/f32 --dims rows=3,cols=1k --quiet --out %s/sized", folder), STATUS_OK);
    struct json_object *records = records_without(differing, "sized/*/*/result.json");
    size_t of_softmax = 0;
    for (size_t i = 0; i < json_object_array_length(records); i++) {
        const char *name = json_get_string(json_object_array_get_idx(records, i), "name", "");
        of_softmax += strncmp(name, "softmax.online/f32/rows=3,cols=1024/", 36) == 0;
        assert_true(strstr(name, "softmax.online/f32/rows=3,cols=1024/") || !strstr(name, "softmax"));
    }
    assert_true(of_softmax > 3);
    json_object_put(records);
    assert_int_equal(run("check softmax --tier smoke --dims rows=3"), STATUS_USAGE);
    assert_non_null(strstr(content("output"), "either --dims or --tier"));
    assert_int_equal(run("check softmax --dims rows=-3"), STATUS_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_workers_find_what_one_finds),
        cmocka_unit_test(what_was_covered_is_said_in_a_line),
        cmocka_unit_test(what_is_timed_takes_it_too),
        cmocka_unit_test(sizes_of_a_check_are_those_asked_for),
    };
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}

// SPDX-License-Identifier: Apache-2.0
// The coverage of a check: in files and as a line.
#include "../covered.h"
#include "../../base/arena.h"
#include "../../../reference/tests/unit.h"

#include <string.h>

static const struct covered rows[] = {
    {"softmax.online", "f32", 40, 2, 8, 54, 61, 96, 23, 1, 5, 17, 17, 900, 1000, 30, 0, 0, 2, 5, 4, "nan in x"},
    {"softmax.online", "f16", 1, 0, 1, 54, 6, 96, 1, 1, 0, 5, 17, 10, 10, 0, 0, 0, 0, 3, 3, NULL},
    {"matmul.tiled", "f32", 9, 0, 2, 10, 12, 40, 1, 1, 0, 0, 0, 50, 90, 0, 0, 90, 0, 0, 0, NULL},
};

static void a_kernel_and_many_have_a_line(void **state) {
    struct arena arena = {0};
    assert_null(covered_words(&arena, rows, 0));
    assert_string_equal(covered_words(&arena, rows, 2),
        "covered: softmax.online in f32, f16: 9 of 108 shapes, 67 of 192 pairs of tunable values, 24 sizes (5 above "
        "1000 elements), 2 settings of parameters, 22 of 34 patterns of lines; 910 of 1010 outputs checked; not "
        "checked: 30 without a defined result (more than a quarter of the outputs at 2 points), 70 outside the sample, "
        "2 skipped points (reasons above); 7 of 8 special values of operands met a judged output; without effect on a "
        "judged output: nan in x (softmax.online in f32)");
    assert_string_equal(covered_words(&arena, &rows[2], 1),
        "covered: matmul.tiled in f32: 2 of 10 shapes, 12 of 40 pairs of tunable values, 1 size, 1 setting of "
        "parameters; 50 of 90 outputs checked, 90 exactly with whole numbers; not checked: 40 outside the sample");
    const char *many = covered_words(&arena, rows, 3);
    assert_ptr_equal(strstr(many, "covered: 3 pairs of a kernel and a type: 11 of 118 shapes"), many);
    arena_free(&arena);
}

// The text has one output, one point and one skipped point. It leaves out counts of zero.
static void single_ones_are_reported_as_many_are(void **state) {
    struct arena arena = {0};
    struct covered one = rows[2];
    one.exact = 0;
    one.checked = 89;
    assert_non_null(
        strstr(covered_words(&arena, &one, 1), "89 of 90 outputs checked; not checked: 1 outside the sample"));
    one.excluded = 1, one.open_points = 1, one.skipped = 1;
    assert_non_null(strstr(covered_words(&arena, &one, 1),
        "; not checked: 1 without a defined result (more than a quarter of the outputs at 1 point), 1 skipped point "
        "(reasons above)"));
    one.excluded = one.open_points = one.skipped = 0, one.checked = 60, one.unjudged = 30;
    const char *line = covered_words(&arena, &one, 1);
    assert_non_null(
        strstr(line, "60 of 90 outputs checked; not checked: 30 without a recorded result of this device and driver"));
    assert_null(strstr(line, "outside the sample"));
    one.unjudged = 0, one.checked = 90;
    assert_null(strstr(covered_words(&arena, &one, 1), "not checked"));
    arena_free(&arena);
}

static void rows_come_back_as_they_were(void **state) {
    struct arena arena = {0};
    struct covered *again;
    struct error err;
    size_t count;
    struct json_object *run = json_object_new_object();
    assert_true(covered_from_json(&arena, run, &again, &count, &err));
    assert_int_equal(count, 0);
    json_put(run, "covered", covered_to_json(rows, 3));
    assert_true(covered_from_json(&arena, run, &again, &count, &err));
    assert_int_equal(count, 3);
    assert_string_equal(covered_words(&arena, again, count), covered_words(&arena, rows, 3));
    json_put_int(json_object_array_get_idx(json_get(run, "covered"), 1), "pairs", -1);
    assert_false(covered_from_json(&arena, run, &again, &count, &err));
    assert_non_null(strstr(err.text, "covered[1].pairs"));
    json_object_put(run);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_and_many_have_a_line),
        cmocka_unit_test(single_ones_are_reported_as_many_are),
        cmocka_unit_test(rows_come_back_as_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

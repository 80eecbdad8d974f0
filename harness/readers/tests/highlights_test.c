// SPDX-License-Identifier: Apache-2.0
// Tests the highlights of the fixture against a search over all its records.
#include "../render/highlights.h"

#include "../../record/figures.h"
#include "render_fixture.h"
#include "../../record/record.h"
#include "../../../reference/tests/unit.h"

static struct result result;
static struct view view;
static struct highlights found;

static int setup(void **state) {
    result = fixture_result(1);
    return 0;
}

static int teardown(void **state) {
    view_free(&view);
    result_free(&result);
    return 0;
}

static void find(void) {
    view_make(&result, &view);
    highlights_make(&view, &found);
}

static void far_and_near_are_sorted_and_rated(void **state) {
    find();
    assert_true(found.rated > 0 && found.far_count > 0 && found.near_count > 0);
    assert_true(found.far_count <= HIGHLIGHTS && found.far_count <= found.rated);
    for (size_t i = 0; i < found.far_count; i++) {
        assert_true(found.far[i].figure == rate_of(&result, found.far[i].record).share);
        assert_null(found.far[i].record->peak);
        assert_true(i == 0 || found.far[i].figure >= found.far[i - 1].figure);
    }
    for (size_t i = 1; i < found.near_count; i++) assert_true(found.near[i].figure <= found.near[i - 1].figure);
    assert_true(found.near[0].figure >= found.far[0].figure);
}

// A kernel slower than another of its operator and type at the largest size is not listed.
static void of_an_operator_and_type_the_fastest_kernel_stands(void **state) {
    find();
    for (size_t i = 0; i < found.far_count; i++)
        for (size_t k = 0; k < result.count; k++) {
            const struct record *far = found.far[i].record, *other = &result.records[k];
            if (strcmp(far->operator, other->operator) != 0 || strcmp(far->dtype, other->dtype) != 0 ||
                !same_dims(far, other))
                continue;
            assert_false(other->status == RECORD_PASS && compute_ns(other) < compute_ns(far) &&
                         other->time[FIGURE_COMPUTE].samples >= CASE_LEAST);
        }
}

// The default shape of one kernel is made the costliest; it comes first, with its loss.
static void the_default_that_loses_most_leads(void **state) {
    struct record *slow = NULL;
    for (size_t i = 0; i < result.count && !slow; i++)
        if (result.records[i].is_default && record_is_timed(&result.records[i]) &&
            strcmp(result.records[i].kernel, "add.vec4") == 0)
            slow = &result.records[i];
    assert_non_null(slow);
    slow->time[FIGURE_COMPUTE] = fixture_summary(1e9, 0.001, 60);
    find();
    assert_true(found.gain_count > 0);
    assert_ptr_equal(found.gains[0].record, slow);
    assert_true(found.gains[0].figure == 1e9 / compute_ns(found.gains[0].c->best));
    for (size_t i = 1; i < found.gain_count; i++) assert_true(found.gains[i].figure <= found.gains[i - 1].figure);
}

// Without roofs, nothing can be rated.
static void without_peaks_nothing_is_rated(void **state) {
    json_object_object_del(result.context, "peaks");
    find();
    assert_int_equal(found.rated, 0);
    assert_int_equal(found.far_count + found.near_count, 0);
}

static void wide_intervals_are_counted(void **state) {
    struct wide before = wide_of(&result);
    for (size_t i = 0; i < result.count; i++)
        if (record_is_timed(&result.records[i])) {
            result.records[i].time[FIGURE_COMPUTE] = fixture_summary(1000, 0.06, 60);
            break;
        }
    struct wide after = wide_of(&result);
    assert_int_equal(before.timed, after.timed);
    assert_int_equal(after.points, before.points + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(far_and_near_are_sorted_and_rated, setup, teardown),
        cmocka_unit_test_setup_teardown(of_an_operator_and_type_the_fastest_kernel_stands, setup, teardown),
        cmocka_unit_test_setup_teardown(the_default_that_loses_most_leads, setup, teardown),
        cmocka_unit_test_setup_teardown(without_peaks_nothing_is_rated, setup, teardown),
        cmocka_unit_test_setup_teardown(wide_intervals_are_counted, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

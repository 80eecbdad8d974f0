// SPDX-License-Identifier: Apache-2.0
// A growing plan: its order, its end at a wrong case, and its end before a case beyond the budget.
#include "../supervisor.h"
#include "session.h"

#include "../../../base/tests/within.h"

// Sets the sizes of the points; the operator has a few operations an element.
static void set_sizes(struct scene *scene, const int64_t *sizes) {
    struct plan *plan = &scene->session.plan;
    for (size_t i = 0; i < plan->count; i++) plan->points[i].dims[0] = sizes[i];
    scene->session.climbs = true;
    scene->session.point_timeout_s = 1000;
}

// A record of a point whose device worked for a second on dispatches of this length.
static struct json_object *record_of(const char *status, double once_s) {
    struct json_object *record = json_object_new_object(), *wall = json_object_new_object(),
                       *time = json_object_new_object(), *compute = json_object_new_object();
    json_put_string(record, "status", status);
    json_put(record, "wall", wall);
    json_put(record, "time", time);
    json_put(time, "compute", compute);
    json_put_double(wall, "compute_ns", 1e9);
    json_put_double(wall, "judge_ns", once_s > 0 ? 0.1e9 : 0);
    json_put_double(compute, "median_ns", once_s * 1e9);
    return record;
}

static void note(struct climb *climb, struct scene *scene, size_t index, const char *status, double once_s) {
    struct json_object *record = record_of(status, once_s);
    climb_note(climb, &scene->session, index, record);
    json_object_put(record);
}

static void small_cases_are_first_and_similar_ones_left_out(void **state) {
    static const int64_t sizes[] = {8000, 1, 500, 40, 900, 41, 4100};
    static const int64_t steps[] = {1, 40, 41, 500, 4100};
    struct scene scene;
    struct plan *plan = &scene.session.plan;
    scene_open(&scene, "a b c d e f g");
    set_sizes(&scene, sizes);
    supervise_climb(plan, true);
    assert_int_equal(plan->count, 5);
    for (size_t i = 0; i < plan->count; i++) assert_int_equal(plan->points[i].dims[0], steps[i]);
    scene_close(&scene);
}

static void no_case_is_left_out_of_given_sizes(void **state) {
    static const int64_t sizes[] = {8000, 1, 500, 40, 900, 41, 4100};
    struct scene scene;
    scene_open(&scene, "a b c d e f g");
    set_sizes(&scene, sizes);
    supervise_climb(&scene.session.plan, false);
    assert_int_equal(scene.session.plan.count, 7);
    assert_int_equal(scene.session.plan.points[6].dims[0], 8000);
    scene_close(&scene);
}

static void a_wrong_case_is_the_last(void **state) {
    static const int64_t sizes[] = {1, 10, 100};
    struct climb climb = {0};
    struct scene scene;
    scene_open(&scene, "a b c");
    set_sizes(&scene, sizes);
    assert_true(climb_goes_on(&climb, &scene.session, 0, 0));
    note(&climb, &scene, 0, "fail", 0);
    assert_false(climb_goes_on(&climb, &scene.session, 1, 1));
    assert_int_equal(scene.session.plan.count, 1);
    assert_int_equal(climb.end.left_out, 2);
    assert_true(climb.end.wrong);
    scene_close(&scene);
}

// Goes on from a case of 1 element that takes no time and one of 100 with 20 dispatches of 50 ms to one of 1000: ten
// seconds of dispatches, and one of judging.
static bool goes_on(struct scene *scene, struct climb *climb, double budget_s, double timeout_s) {
    static const int64_t sizes[] = {1, 100, 1000};
    scene_open(scene, "a b c");
    set_sizes(scene, sizes);
    scene->session.budget_s = budget_s;
    scene->session.point_timeout_s = timeout_s;
    assert_true(climb_goes_on(climb, &scene->session, 0, 100)); // peaks took 100 s
    note(climb, scene, 0, "pass", 0);
    assert_true(climb_goes_on(climb, &scene->session, 1, 100));
    note(climb, scene, 1, "pass", 0.05);
    return climb_goes_on(climb, &scene->session, 2, 101);
}

static void a_case_beyond_the_budget_is_not_begun(void **state) {
    struct climb climb = {0}, other = {0};
    struct scene scene;
    assert_false(goes_on(&scene, &climb, 11, 1000));
    assert_within(climb.end.expected_s, 10, 11);
    assert_int_equal(scene.session.plan.count, 2);
    scene_close(&scene);
    assert_true(goes_on(&scene, &other, 13, 1000));
    scene_close(&scene);
}

static void a_case_near_its_timeout_is_not_begun(void **state) {
    struct climb climb = {0};
    struct scene scene;
    assert_false(goes_on(&scene, &climb, 100, 20));
    scene_close(&scene);
}

// A tenth of a second of judging 100 elements would be 1000 s of judging a million.
static void milliseconds_of_judging_do_not_end_the_climb(void **state) {
    static const int64_t sizes[] = {1, 100, 1000000};
    struct climb climb = {0};
    struct scene scene;
    scene_open(&scene, "a b c");
    set_sizes(&scene, sizes);
    scene.session.budget_s = 20;
    assert_true(climb_goes_on(&climb, &scene.session, 0, 0));
    note(&climb, &scene, 0, "pass", 0);
    assert_true(climb_goes_on(&climb, &scene.session, 1, 1));
    note(&climb, &scene, 1, "pass", 1e-7);
    assert_true(climb_goes_on(&climb, &scene.session, 2, 2));
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cases_are_first_and_similar_ones_left_out),
        cmocka_unit_test(no_case_is_left_out_of_given_sizes),
        cmocka_unit_test(a_wrong_case_is_the_last),
        cmocka_unit_test(a_case_beyond_the_budget_is_not_begun),
        cmocka_unit_test(a_case_near_its_timeout_is_not_begun),
        cmocka_unit_test(milliseconds_of_judging_do_not_end_the_climb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

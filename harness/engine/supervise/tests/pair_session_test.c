// SPDX-License-Identifier: Apache-2.0
// Pairs of points of two versions, with a worker that may be lost to one side.
#include "session.h"

static bool run_pairs(struct scene *scene, const struct version_pair *pairs, size_t count) {
    int before = open_descriptors();
    scene->session.journal_path = NULL;
    scene->session.context = scene_context("7");
    bool ok = supervise_pairs(&scene->arena, &scene->session, pairs, count, &scene->outcome, &scene->err);
    assert_int_equal(open_descriptors(), before);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    return ok;
}

static int times(const struct scene *scene, const char *what) {
    fake_log = scene->log;
    return fake_times(what);
}

// Each two points of the session are a pair. If a side costs the worker, checking each alone finds it.
static void a_pair_loses_its_culprit_alone(void **state) {
    static const struct {
        const char *acts, *statuses[4];
        int pairs;
        bool no_culprit;
    } cases[] = {
        {"pass pass pass2 pass3", {"pass", "pass", "pass", "pass"}, 2, false},
        {"pass segv pass2 pass3", {"pass", "crash", "pass", "pass"}, 2, false},
        {"hang pass pass2 pass3", {"timeout", "pass", "pass", "pass"}, 2, false},
        {"pass lost pass2 pass3", {"pass", "device-lost", "pass", "pass"}, 2, false},
        {"pass garbage pass2 fail", {"pass", "crash", "pass", "fail"}, 2, false},
        {"pass rounds_segv pass2 pass3", {"pass", "pass", "pass", "pass"}, 2, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        scene_open(&scene, cases[i].acts);
        scene.session.point_timeout_s = 0.5;
        const struct point *points = scene.session.plan.points;
        const struct version_pair pairs[] = {{{&points[0], &points[1]}}, {{&points[2], &points[3]}}};
        assert_true(run_pairs(&scene, pairs, 2));
        assert_int_equal(scene.outcome.left, 0);
        assert_int_equal(scene.outcome.count, 4);
        for (size_t k = 0; k < 4; k++) assert_string_equal(status_at(&scene, k), cases[i].statuses[k]);
        assert_int_equal(times(&scene, "pair"), cases[i].pairs);
        assert_int_equal(scene.outcome.no_culprit, cases[i].no_culprit);
        assert_true(json_get_bool(json_get(scene.outcome.context, "run"), "complete", false));
        scene_close(&scene);
    }
}

// A side that lost the worker runs again alone. If it passes once, the driver is flaky, and no version is better.
static void a_crash_that_does_not_repeat_is_flaky(void **state) {
    static const struct {
        const char *acts, *statuses[2];
        bool flaky[2];
    } cases[] = {
        {"segv_until1 pass", {"crash", "pass"}, {true, false}},
        {"pass segv_until1", {"pass", "crash"}, {false, true}},
        {"segv_until1 segv_until2", {"crash", "crash"}, {true, true}},
        {"segv_until3 pass", {"crash", "pass"}, {true, false}}, // passes in the end
        {"segv segv_from3", {"crash", "crash"}, {false, true}}, // the other side fails in the end
        // A second attempt of one side, and then three confirmations of both.
        {"segv_until4 pass", {"crash", "pass"}, {true, false}},
        {"segv_until5 pass", {"crash", "pass"}, {false, false}},
        {"segv segv_from4", {"crash", "crash"}, {false, true}},
        {"segv segv_from5", {"crash", "pass"}, {false, false}},
        {"segv_but1 pass", {"crash", "pass"}, {true, false}}, // one right run is enough
        {"lost_until4 pass", {"device-lost", "pass"}, {true, false}},
        {"late_until4 pass", {"timeout", "pass"}, {true, false}},
        {"segv pass", {"crash", "pass"}, {false, false}},
        {"pass segv", {"pass", "crash"}, {false, false}},
        {"fail pass", {"fail", "pass"}, {false, false}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        scene_open(&scene, cases[i].acts);
        scene.session.retry = true;
        const struct point *points = scene.session.plan.points;
        const struct version_pair pairs[] = {{{&points[0], &points[1]}}};
        assert_true(run_pairs(&scene, pairs, 1));
        for (size_t k = 0; k < 2; k++) {
            struct json_object *attempts = json_get(scene.outcome.records[k], "attempts");
            assert_string_equal(status_at(&scene, k), cases[i].statuses[k]);
            if (json_get_bool(attempts, "flaky", false) != cases[i].flaky[k])
                fail_msg("%s: side %zu", cases[i].acts, k);
            if (strcmp(cases[i].statuses[k], "pass") != 0) assert_int_equal(json_object_object_length(attempts), 2);
        }
        assert_int_equal(scene.outcome.left, 0);
        scene_close(&scene);
    }
}

// Both sides take 1 ms for 4 MB.
static void an_impossible_time_fails_in_a_pair(void **state) {
    for (int fails = 0; fails < 2; fails++) {
        struct scene scene;
        scene_open(&scene, "pass pass2");
        const struct point *points = scene.session.plan.points;
        const struct version_pair pairs[] = {{{&points[0], &points[1]}}};
        scene.session.floors.hot_bytes_per_s = 4e6 / (4 * (fails ? 1.1e-3 : 0.9e-3));
        assert_true(run_pairs(&scene, pairs, 1));
        for (size_t k = 0; k < 2; k++) assert_string_equal(status_at(&scene, k), fails ? "fail" : "pass");
        if (fails) assert_non_null(strstr(reason_at(&scene, 0), "its time is not possible: "));
        scene_close(&scene);
    }
}

// Each step is within its time limit; together they are not.
static void a_slow_pair_that_goes_on_is_no_timeout(void **state) {
    struct scene scene;
    scene_open(&scene, "slowly pass");
    scene.session.point_timeout_s = 1.2;
    const struct point *points = scene.session.plan.points;
    const struct version_pair pairs[] = {{{&points[0], &points[1]}}};
    assert_true(run_pairs(&scene, pairs, 1));
    assert_string_equal(status_at(&scene, 0), "pass");
    assert_int_equal(times(&scene, "start"), 1);
    assert_false(scene.outcome.no_culprit);
    scene_close(&scene);
}

// Both sides have one name, as a kernel in both folders does.
static void records_of_one_name_go_to_both_sides(void **state) {
    struct scene scene;
    scene_open(&scene, "pass");
    const struct point *point = scene.session.plan.points;
    const struct version_pair pairs[] = {{{point, point}}, {{point, NULL}}, {{NULL, point}}};
    assert_true(run_pairs(&scene, pairs, 3));
    for (size_t k = 0; k < 6; k++) {
        if (k == 3 || k == 4)
            assert_null(scene.outcome.records[k]);
        else
            assert_string_equal(status_at(&scene, k), "pass");
    }
    assert_int_equal(times(&scene, "pair"), 1);
    assert_int_equal(times(&scene, "fake.pass"), 2);
    scene_close(&scene);
}

static void without_a_worker_there_is_no_pair(void **state) {
    struct scene scene;
    scene_open(&scene, "pass pass2");
    scene.folders[0] = "exit9";
    const struct point *points = scene.session.plan.points;
    const struct version_pair pairs[] = {{{&points[0], &points[1]}}};
    assert_false(run_pairs(&scene, pairs, 1));
    assert_non_null(strstr(scene.err.text, "exit status 9"));
    assert_int_equal(scene.outcome.left, 1);
    assert_false(json_get_bool(json_get(scene.outcome.context, "run"), "complete", true));
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_loses_its_culprit_alone),
        cmocka_unit_test(a_crash_that_does_not_repeat_is_flaky),
        cmocka_unit_test(an_impossible_time_fails_in_a_pair),
        cmocka_unit_test(a_slow_pair_that_goes_on_is_no_timeout),
        cmocka_unit_test(records_of_one_name_go_to_both_sides),
        cmocka_unit_test(without_a_worker_there_is_no_pair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

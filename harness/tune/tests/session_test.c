// SPDX-License-Identifier: Apache-2.0
// Searches with a fake worker: which shape wins or is barred, the cost of a crash, and resuming.
#include "valley.h"

#include <math.h>

// The fastest shape is wrong at neighbouring dims, so the next best is chosen. At n=300 it is wrong from the start.
static void the_best_right_shape_wins(void **state) {
    static const char *const names[] = {"race", "exhaustive", "random"};
    for (size_t i = 0; i < 3; i++) {
        struct scene scene;
        struct seen seen = {0};
        open_valley(&scene);
        assert_true(tune(&scene, &seen, names[i]));
        assert_int_equal(seen.count, 2);
        for (size_t c = 0; c < 2; c++) {
            const struct tuned_case *one = &seen.cases[c];
            assert_string_equal(seen.best[c], "wg=64x1x1");
            assert_string_equal(one->strategy, names[i]);
            assert_true(one->best_ns == 1.2e6 && one->ties == 0 && !one->stopped);
            assert_int_equal(one->product, 8);
            assert_int_equal(one->legal, 7);
            assert_int_equal(one->wrong, 3);      // 128, 256, 512
            assert_int_equal(one->neighbours, 2); // n - 1 and n + 1
            assert_true(fabs(one->standard_loss - (1.6 / 1.2 - 1)) < 1e-9);
            assert_true(fabs(one->runner_up_loss - (1.4 / 1.2 - 1)) < 1e-9);
        }
        assert_int_equal(scene.outcome.count, 14);
        struct json_object *barred = record_of(&scene, "/n=100/wg=128x1x1");
        assert_string_equal(json_get_string(barred, "status", ""), "fail");
        assert_non_null(
            strstr(json_get_string(barred, "reason", ""), "right at these dims, but fail at fake.valley/f32/n=99/"));
        assert_non_null(strstr(json_get_string(barred, "replay", ""), "/n=99/wg=128x1x1"));
        assert_string_equal(json_get_string(record_of(&scene, "/n=300/wg=256x1x1"), "status", ""), "crash");
        struct json_object *best = json_get(json_get(record_of(&scene, "/n=100/wg=64x1x1"), "time"), "compute");
        assert_true(json_get_double(best, "median_ns", 0) == 1.2e6);
        assert_int_equal(json_object_array_length(json_get(best, "raw_ns")), json_get_int(best, "samples", -1));
        scene_close(&scene);
    }
}

// The fastest shapes take 1 ms and 1.2 ms, but 4 MB take 1.3 ms at four times the best peak.
static void an_impossible_time_is_no_choice(void **state) {
    struct scene scene;
    struct seen seen = {0};
    open_valley(&scene);
    scene.session.floors.hot_bytes_per_s = 4e6 / (4 * 1.3e-3);
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_string_equal(seen.best[0], "wg=32x1x1");
    assert_true(seen.cases[0].best_ns == 1.4e6);
    struct json_object *barred = record_of(&scene, "/n=100/wg=64x1x1");
    assert_string_equal(json_get_string(barred, "status", ""), "fail");
    assert_non_null(strstr(json_get_string(barred, "reason", ""), "its time is not possible: "));
    scene_close(&scene);
}

static void the_context_says_how(void **state) {
    struct scene scene;
    struct seen seen = {0};
    open_valley(&scene);
    assert_true(tune(&scene, &seen, "exhaustive"));
    struct json_object *cases = json_get(json_get(json_get(scene.outcome.context, "run"), "tuning"), "cases");
    assert_int_equal(json_object_array_length(cases), 2);
    struct json_object *first = json_object_array_get_idx(cases, 0), *pruned = json_get(first, "pruned");
    assert_string_equal(json_get_string(first, "case", ""), "fake.valley/f32/n=100");
    assert_int_equal(json_object_array_length(pruned), 1);
    assert_int_equal(json_get_int(json_object_array_get_idx(pruned, 0), "shapes", 0), 1);
    // The last record of each case is as the list has it, for a resumed search.
    size_t marked = 0;
    for (size_t i = 0; i < scene.outcome.count; i++) {
        struct json_object *mark = json_get(scene.outcome.records[i], "tuned_case");
        if (mark) assert_true(json_object_equal(mark, json_object_array_get_idx(cases, marked++)));
    }
    assert_int_equal(marked, 2);
    scene_close(&scene);
}

// After an interrupt behind the first case, the resumed search does only the rest.
static void a_search_goes_on(void **state) {
    struct scene scene;
    struct seen seen = {.stop_after = 1};
    open_valley(&scene);
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_true(scene.outcome.interrupted);
    assert_int_equal(scene.outcome.left, 1);
    assert_false(whole_is(json_get(scene.outcome.context, "run")));
    assert_int_equal(seen.count, 1);
    assert_int_equal(scene.outcome.count, 7);
    seen = (struct seen){0};
    scene.session.resume = true;
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_false(scene.outcome.interrupted);
    assert_true(whole_is(json_get(scene.outcome.context, "run")));
    assert_int_equal(seen.count, 1);
    assert_non_null(strstr(json_get_string(scene.outcome.records[13], "name", ""), "/n=300/"));
    assert_int_equal(scene.outcome.count, 14);
    scene_close(&scene);
}

// Records of another device or seed do not belong beside new ones.
static void another_search_is_not_resumed(void **state) {
    struct scene scene;
    struct seen seen = {.stop_after = 1};
    const struct tuning tuning = {.strategy = strategy_named("exhaustive"), .report = note, .user = &seen};
    open_valley(&scene);
    assert_true(tune(&scene, &seen, "exhaustive"));
    size_t lines = journal_lines(&scene);
    scene_release(&scene);
    seen = (struct seen){0};
    scene.session.resume = true;
    scene.session.context = scene_context("8");
    assert_false(supervise_tune(&scene.arena, &scene.session, &tuning, &scene.outcome, &scene.err));
    assert_int_equal(scene.err.status, STATUS_USAGE);
    assert_non_null(strstr(scene.err.text, "with seed 7; it cannot be resumed with 8"));
    assert_int_equal(seen.count, 0);
    assert_int_equal(journal_lines(&scene), lines);
    scene_close(&scene);
}

static void a_budget_is_kept(void **state) {
    struct scene scene;
    struct seen seen = {0};
    open_valley(&scene);
    scene.session.budget_s = 1e-6;
    assert_true(tune(&scene, &seen, "race"));
    assert_true(scene.outcome.out_of_budget);
    assert_int_equal(seen.count, 0);
    assert_int_equal(scene.outcome.count, 0);
    assert_int_equal(scene.outcome.left, 2);
    scene_close(&scene);
}

// The start of the worker uses up the budget. The default is asked all the same, and its case is kept.
static void the_default_is_asked_beyond_the_budget(void **state) {
    static const char *const names[] = {"race", "exhaustive", "random", "greedy"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct scene scene;
        struct seen seen = {0};
        open_valley(&scene);
        scene.folders[0] = "tardy";
        scene.session.budget_s = 0.6;
        assert_true(tune(&scene, &seen, names[i]));
        assert_int_equal(seen.count, 1);
        assert_string_equal(seen.best[0], "wg=1024x1x1");
        assert_true(seen.cases[0].stopped);
        assert_int_equal(seen.cases[0].tried, 1);
        assert_int_equal(scene.outcome.left, 1);
        scene_close(&scene);
    }
}

// The default is wrong, and there is no time for others. The case counts as not searched.
static void a_stopped_case_without_a_right_shape_is_left(void **state) {
    struct scene scene;
    struct seen seen = {0};
    open_valley(&scene);
    for (size_t i = 0; i < scene.session.plan.count; i++)
        scene.session.plan.points[i].is_default = scene.session.plan.points[i].shape.value[0] == 512;
    scene.folders[0] = "tardy";
    scene.session.budget_s = 0.6;
    assert_true(tune(&scene, &seen, "race"));
    assert_string_equal(seen.best[0], "none");
    assert_true(scene.outcome.out_of_budget);
    assert_int_equal(scene.outcome.left, 2);
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_right_shape_wins),
        cmocka_unit_test(an_impossible_time_is_no_choice),
        cmocka_unit_test(the_context_says_how),
        cmocka_unit_test(a_search_goes_on),
        cmocka_unit_test(another_search_is_not_resumed),
        cmocka_unit_test(a_budget_is_kept),
        cmocka_unit_test(the_default_is_asked_beyond_the_budget),
        cmocka_unit_test(a_stopped_case_without_a_right_shape_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// A point with an unexpected outcome is run once more: the result of the two attempts, and its record.
#include "../expectations.h"
#include "../../../record/terms.h"
#include "session.h"
#include "../../../record/record.h"

static const struct {
    const char *act, *expected; // expected NULL: to pass
    int times;                  // how often the point is run
    const char *status, *attempts;
    enum expectation_outcome outcome;
} cases[] = {
    {"pass", NULL, 1, "pass", NULL, OUTCOME_GOOD},
    {"skip", NULL, 1, "skip", NULL, OUTCOME_GOOD},
    {"fail", NULL, 2, "fail", "{\"statuses\":[\"fail\",\"fail\"],\"flaky\":false}", OUTCOME_WRONG},
    {"error", NULL, 2, "error", "{\"statuses\":[\"error\",\"error\"],\"flaky\":false}", OUTCOME_WRONG},
    {"segv", NULL, 2, "crash", "{\"statuses\":[\"crash\",\"crash\"],\"flaky\":false}", OUTCOME_WRONG},
    {"fails_once", NULL, 2, "fail", "{\"statuses\":[\"fail\",\"pass\"],\"flaky\":true}", OUTCOME_WRONG},
    {"hang_once", NULL, 2, "timeout", "{\"statuses\":[\"timeout\",\"pass\"],\"flaky\":true}", OUTCOME_WRONG},
    {"fails_later", NULL, 1, "pass", NULL, OUTCOME_GOOD},
    {"fail", "fail", 1, "fail", NULL, OUTCOME_EXPECTED_FAILURE},
    {"segv", "crash", 1, "crash", NULL, OUTCOME_EXPECTED_FAILURE},
    {"segv", "fail", 2, "crash", "{\"statuses\":[\"crash\",\"crash\"],\"flaky\":false}", OUTCOME_WRONG},
    {"pass", "fail", 2, "pass", "{\"statuses\":[\"pass\",\"pass\"],\"flaky\":false}", OUTCOME_UNEXPECTED_PASS},
    {"fails_later", "fail", 2, "fail", "{\"statuses\":[\"pass\",\"fail\"],\"flaky\":true}", OUTCOME_UNEXPECTED_PASS},
    {"skip", "fail", 1, "skip", NULL, OUTCOME_GOOD},
    {"fails_once", "flake", 1, "fail", NULL, OUTCOME_KNOWN_FLAKE},
    {"pass", "flake", 1, "pass", NULL, OUTCOME_GOOD},
};

static void one_more_attempt_tells_fail_from_flake(void **state) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        char kernel[40];
        const struct expectation expected = {"*", NULL, NULL, cases[i].expected, "why"};
        scene_open(&scene, cases[i].act);
        scene_points(&scene, "after");
        scene.session.retry = true;
        scene.session.point_timeout_s = 1;
        if (cases[i].expected) scene.session.plan.points[0].expected = &expected;
        assert_true(scene_run(&scene));
        struct json_object *record = scene.outcome.records[0], *attempts = json_get(record, "attempts");
        snprintf(kernel, sizeof kernel, "fake.%s", cases[i].act);
        if (logged(&scene, kernel) != cases[i].times || strcmp(status_at(&scene, 0), cases[i].status) != 0)
            fail_msg("%s: run %d times, status %s", cases[i].act, logged(&scene, kernel), status_at(&scene, 0));
        assert_int_equal(record_outcome_json(record), cases[i].outcome);
        assert_int_equal(attempts != NULL, cases[i].attempts != NULL);
        if (attempts)
            assert_string_equal(json_object_to_json_string_ext(attempts, JSON_C_TO_STRING_PLAIN), cases[i].attempts);
        const char *noted = json_get_string(json_get(record, "expected"), "status", NULL);
        assert_int_equal(noted != NULL, cases[i].expected != NULL);
        if (noted) assert_string_equal(noted, cases[i].expected);
        // It is a normal record, kept once, and the run goes on.
        struct arena arena = {0};
        struct record read;
        assert_true(record_from_json(&arena, record, &read, &scene.err));
        assert_int_equal(record_outcome(&read), cases[i].outcome);
        arena_free(&arena);
        assert_int_equal(journal_lines(&scene), 3);
        assert_string_equal(status_at(&scene, 1), "pass");
        scene_close(&scene);
    }
}

// GPU-assisted validation rewrites shaders, so a driver's failure there calls for a run without it, and the second
// attempt is without it, too. A failure of values does not.
static void a_failure_of_the_rewritten_shader_is_run_again_without_it(void **state) {
    static const struct {
        const char *act;
        int times; // how often the point is run
        const char *status, *attempts;
        bool unchecked;
    } rows[] = {
        {"bare_segv", 2, "pass", NULL, true},
        {"bare_lost", 2, "pass", NULL, true},
        {"bare_late", 2, "pass", NULL, true},
        {"bare_call", 2, "pass", NULL, true},
        {"bare_shaky", 3, "fail", "{\"statuses\":[\"fail\",\"pass\"],\"flaky\":true}", true},
        {"fail", 2, "fail", "{\"statuses\":[\"fail\",\"fail\"],\"flaky\":false}", false},
        {"error", 2, "error", "{\"statuses\":[\"error\",\"error\"],\"flaky\":false}", false},
        {"segv", 3, "crash", "{\"statuses\":[\"crash\",\"crash\"],\"flaky\":false}", true},
    };
    struct scene scene;
    scene_open(&scene, "bare_segv bare_lost bare_late bare_call bare_shaky fail error segv");
    scene.session.retry = scene.session.options.gpu_assisted = true;
    if (!scene_run(&scene)) fail_msg("%s", scene.err.text); // lost workers in a row are the layer's
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct json_object *record = scene.outcome.records[i], *attempts = json_get(record, "attempts");
        char kernel[40];
        snprintf(kernel, sizeof kernel, "fake.%s", rows[i].act);
        if (logged(&scene, kernel) != rows[i].times || strcmp(status_at(&scene, i), rows[i].status) != 0)
            fail_msg("%s: run %d times, status %s", rows[i].act, logged(&scene, kernel), status_at(&scene, i));
        assert_int_equal(json_get_string(record, "bounds_unchecked", NULL) != NULL, rows[i].unchecked);
        assert_int_equal(attempts != NULL, rows[i].attempts != NULL);
        if (attempts)
            assert_string_equal(json_object_to_json_string_ext(attempts, JSON_C_TO_STRING_PLAIN), rows[i].attempts);
    }
    scene_close(&scene);
}

// If no worker can be had for the second attempt, the first is kept.
static void the_first_attempt_is_not_lost(void **state) {
    struct scene scene;
    scene_open(&scene, "segv exit3 abrt pass");
    scene.session.retry = true;
    assert_false(scene_run(&scene));
    assert_non_null(strstr(scene.err.text, "3 workers in a row"));
    assert_int_equal(journal_lines(&scene), 1 + 3);
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_more_attempt_tells_fail_from_flake),
        cmocka_unit_test(a_failure_of_the_rewritten_shader_is_run_again_without_it),
        cmocka_unit_test(the_first_attempt_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

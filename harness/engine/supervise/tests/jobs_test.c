// SPDX-License-Identifier: Apache-2.0
// Untimed points by several workers at once leave the same records as one worker.
#include "session.h"

static void scene_share(struct scene *scene, int jobs) {
    scene->session.options.time = false;
    scene->session.options.settings.memory_share = 0.5;
    scene->session.jobs = jobs;
    scene->device.heap_count = 1;
    scene->device.heaps[0].bytes = (uint64_t)1 << 30;
    scene->device.heaps[0].device_local = true;
    scene->device.storage_range = scene->device.largest_allocation = (uint64_t)1 << 30;
}

static void several_are_at_work_at_once(void **state) {
    struct scene scene;
    scene_open(&scene, "meet1 meet2");
    scene_share(&scene, 2);
    assert_true(scene_run(&scene));
    for (size_t i = 0; i < 2; i++) assert_string_equal(status_at(&scene, i), "pass");
    assert_int_equal(logged(&scene, "start"), 2);
    assert_int_equal(json_get_int(json_get(scene.outcome.context, "run"), "jobs", 0), 2);
    scene_close(&scene);
}

// A worker lost to the unchanged kernel says nothing about the mutant.
static void a_mutant_is_a_point(void **state) {
    static const char *const names[] = {"pass", "fail", "segv", "sound_segv"};
    static const char *const statuses[] = {"pass", "fail", "crash", "error"};
    struct scene scene, kernel;
    struct mutant_of mutants[4];
    scene_open(&kernel, "pass");
    scene_open(&scene, "");
    scene_share(&scene, 2);
    const struct mutant_set set = {kernel.session.plan.points, 1, names, 4};
    for (size_t i = 0; i < 4; i++) {
        mutants[i] = (struct mutant_of){names[i], &set};
        scene.session.plan.points[scene.session.plan.count++] = point_of_mutant(&scene.arena, &mutants[i]);
    }
    assert_true(scene_run(&scene));
    for (size_t i = 0; i < 4; i++) assert_string_equal(status_at(&scene, i), statuses[i]);
    assert_non_null(strstr(reason_at(&scene, 3), "unchanged kernel"));
    assert_string_equal(json_get_string(scene.outcome.records[2], "name", ""), "fake.pass!segv");
    scene_close(&scene);
    scene_close(&kernel);
}

static char *records_of(struct scene *scene) {
    struct json_object *all = json_object_new_array();
    for (size_t i = 0; i < scene->outcome.count; i++)
        json_object_array_add(all, json_object_get(scene->outcome.records[i]));
    char *text = arena_copy(&scene->arena, json_object_to_json_string_ext(all, JSON_C_TO_STRING_PRETTY));
    json_object_put(all);
    return text;
}

// Gives each point less work than the one before, so several workers take batches in the plan's order, too.
static void less_work_each(struct scene *scene) {
    struct plan *plan = &scene->session.plan;
    for (size_t i = 0; i < plan->count; i++) {
        plan->points[i].dims[0] = (int64_t)(plan->count - i);
        point_name(&scene->arena, &plan->points[i]);
    }
}

// Holds for every outcome of a point and of its worker.
static void they_leave_the_records_of_one(void **state) {
    char *one = NULL;
    static const int jobs[] = {1, 2, 5};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        struct scene scene;
        scene_open(&scene, "pass fail pass segv pass2 hang error skip call lost pass3 late abrt garbage fails_once "
                           "pass segv pass4 pass");
        scene_share(&scene, jobs[i]);
        less_work_each(&scene);
        scene.session.point_timeout_s = 3; // a busy host may stop a sound worker for a second
        scene.session.retry = true;
        const struct refusal refusal = {.kind = REFUSAL_INVOCATIONS, .figures = {1024, 256}};
        scene.session.plan.points[2].refused = &refusal;
        assert_true(scene_run(&scene));
        assert_int_equal(journal_lines(&scene), 1 + scene.session.plan.count);
        assert_int_equal(scene.outcome.left, 0);
        char *records = records_of(&scene);
        if (!one) one = strdup(records);
        assert_string_equal(records, one);
        scene_close(&scene);
    }
    free(one);
}

// A worker lost to a point goes on with the rest of its batch.
static void a_worker_that_dies_costs_its_point_alone(void **state) {
    struct scene scene;
    scene_open(&scene, "pass segv hang pass pass pass2 pass2");
    scene_share(&scene, 3);
    scene.session.point_timeout_s = 0.5;
    assert_true(scene_run(&scene));
    static const char *const statuses[] = {"pass", "crash", "timeout", "pass", "pass", "pass", "pass"};
    for (size_t i = 0; i < 7; i++) assert_string_equal(status_at(&scene, i), statuses[i]);
    assert_false(scene.outcome.no_culprit);
    scene_close(&scene);
}

// Workers share memory, the device's time and the device itself. A point that failed for lack of them is run again
// after the others have ended.
static void company_is_no_points_fault(void **state) {
    static const char *const acts[] = {"late_once", "skips_once", "lost_once", "hang_once"};
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++)
        for (int jobs = 1; jobs <= 2; jobs++) {
            struct scene scene;
            scene_open(&scene, acts[i]);
            scene_points(&scene, "pass pass2");
            scene_share(&scene, jobs);
            scene.session.point_timeout_s = 0.5;
            assert_true(scene_run(&scene));
            bool alone = strcmp(status_at(&scene, 0), "pass") != 0;
            assert_int_equal(alone, jobs == 1);
            if (jobs == 2) assert_null(json_get(scene.outcome.records[0], "attempts"));
            struct json_object *lost = json_get(json_get(scene.outcome.context, "run"), "lost_workers");
            const char *words = lost ? json_object_to_json_string_ext(lost, JSON_C_TO_STRING_NOSLASHESCAPE) : "";
            char when[300];
            snprintf(when, sizeof when, "beside others, at %s, which is run again", scene.session.plan.points[0].name);
            assert_int_equal(strstr(words, when) != NULL, jobs == 2 && i != 1); // skips_once keeps it
            assert_string_equal(status_at(&scene, 1), "pass");
            scene_close(&scene);
        }
}

// Two workers share half the memory, so each may take a quarter.
static void what_needs_much_memory_is_run_alone(void **state) {
    for (int large = 0; large < 2; large++) {
        struct scene scene;
        scene_open(&scene, "meet1 meet2");
        scene_share(&scene, 2);
        for (size_t i = 0; i < 2; i++) scene.session.plan.points[i].dims[0] = large ? (1 << 25) + 1 : 1 << 25;
        assert_true(scene_run(&scene));
        assert_string_equal(status_at(&scene, 1), "pass"); // the second point finds the mark of the first
        assert_int_equal(logged(&scene, "start"), large ? 1 : 2);
        scene_close(&scene);
    }
}

static void interrupt_at_three(void *user, const struct progress *progress) {
    (void)user;
    if (progress->record && progress->done == 3) raise(SIGINT);
}

// Points not reached when a signal comes, or the budget is spent, are left for the resumed run.
static void they_stop_and_go_on(void **state) {
    signal(SIGINT, SIG_DFL); // ignored if the tests run in a shell's background
    struct scene scene;
    scene_open(&scene, "slow1 slow2 slow3 slow4 hang_once slow5 slow6 slow7 slow8");
    scene_share(&scene, 2);
    scene.session.point_timeout_s = 1;
    scene.session.progress = interrupt_at_three;
    assert_true(scene_run(&scene));
    assert_true(scene.outcome.interrupted);
    assert_true(scene.outcome.count >= 3 && scene.outcome.count < 9);
    assert_int_equal(scene.outcome.left, 9 - scene.outcome.count);
    assert_int_equal(journal_lines(&scene), 1 + scene.outcome.count);
    scene.session.progress = NULL;
    scene.session.resume = true;
    scene.session.budget_s = 1e-9;
    assert_true(scene_run(&scene));
    assert_true(scene.outcome.out_of_budget);
    scene.session.budget_s = 0;
    assert_true(scene_run(&scene));
    assert_int_equal(scene.outcome.left, 0);
    for (size_t i = 0; i < 9; i++) {
        assert_string_equal(status_at(&scene, i), "pass");
        assert_string_equal(json_get_string(scene.outcome.records[i], "name", ""), scene.session.plan.points[i].name);
    }
    scene_close(&scene);
}

static void none_that_start_end_the_run(void **state) {
    struct scene scene;
    scene_open(&scene, "pass pass2 pass3");
    scene_share(&scene, 3);
    scene.folders[0] = "exit9";
    assert_false(scene_run(&scene));
    assert_int_equal(scene.err.status, STATUS_FAULT);
    assert_non_null(strstr(scene.err.text, "3 workers in a row were lost"));
    assert_int_equal(scene.outcome.count, 0);
    assert_int_equal(scene.outcome.left, 3);
    assert_non_null(json_get(json_get(scene.outcome.context, "run"), "lost_workers"));
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(several_are_at_work_at_once),
        cmocka_unit_test(a_mutant_is_a_point),
        cmocka_unit_test(they_leave_the_records_of_one),
        cmocka_unit_test(a_worker_that_dies_costs_its_point_alone),
        cmocka_unit_test(company_is_no_points_fault),
        cmocka_unit_test(what_needs_much_memory_is_run_alone),
        cmocka_unit_test(they_stop_and_go_on),
        cmocka_unit_test(none_that_start_end_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// The outcome of points and of the run if workers answer, fail, die, hang or send nonsense.
#include "../../../base/tests/within.h"

#include "../../../record/result.h"
#include "../../../base/clock.h"
#include "session.h"
#include "../../../record/journal.h"

static void every_status(void **state) {
    static const struct {
        const char *act, *status, *reason;
    } cases[] = {
        {"pass", "pass", ""},
        {"fail", "fail", "wrong"},
        {"segv", "crash", "killed by SIGSEGV"},
        {"halves", "pass", ""},
        {"exit3", "crash", "exit status 3"},
        {"error", "error", "does not compile"},
        {"hang", "timeout", "no answer within 1 s (--timeout); the worker was killed"},
        {"skip", "skip", "no float16"},
        {"lost", "device-lost", "device lost"},
        {"pass2", "pass", ""},
        {"late", "timeout", "the GPU did not finish"},
        {"abrt", "crash", "killed by SIGABRT"},
        {"pass3", "pass", ""},
    };
    enum { CASES = sizeof cases / sizeof *cases };
    struct scene scene;
    scene_open(&scene, "");
    for (size_t i = 0; i < CASES; i++) scene_points(&scene, cases[i].act);
    scene.session.point_timeout_s = 1;
    assert_true(scene_run(&scene));
    assert_int_equal(scene.outcome.count, CASES);
    for (size_t i = 0; i < CASES; i++) {
        assert_string_equal(status_at(&scene, i), cases[i].status);
        assert_string_equal(reason_at(&scene, i), cases[i].reason);
        assert_string_equal(json_get_string(scene.outcome.records[i], "name", ""), scene.session.plan.points[i].name);
    }
    assert_int_equal(logged(&scene, "start"), 7);
    assert_int_equal(logged(&scene, "descriptor"), 0);
    assert_int_equal(journal_lines(&scene), 1 + CASES);
    assert_false(scene.outcome.interrupted);
    assert_false(scene.outcome.out_of_budget);
    scene_close(&scene);
}

static void a_lost_point_is_described_and_replayable(void **state) {
    struct scene scene;
    scene_open(&scene, "segv");
    assert_true(scene_run(&scene));
    struct json_object *record = scene.outcome.records[0];
    assert_string_equal(json_get_string(record, "kernel", ""), "fake.segv");
    assert_string_equal(json_get_string(record, "operator", ""), "relu");
    assert_string_equal(json_get_string(record, "replay", ""), "vkassay check 'fake.segv/f32/n=1/wg=1x1x1' --seed 7");
    scene_close(&scene);
}

// A nonsensical answer costs only its point, and the reason quotes it.
static void nonsense_is_a_crash(void **state) {
    static const struct {
        const char *act, *reason;
    } cases[] = {
        {"garbage", "the worker answered \"Segmentation \\u0001 fault \xef\xbf\xbd (core dumped)\" "
                    "where a record was expected"},
        {"torn", "the worker answered \"{\\\"name\\\": \\\"fake.t\" where a record was expected"},
        {"number", "the worker answered \"17\" where a record was expected"},
        {"other", "the worker answered with the record of another point, another/f32/n=1/wg=1x1x1"},
        {"flood", "an endless answer; the worker was killed"},
        {"deaf", "the worker was killed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        scene_open(&scene, "pass");
        scene_points(&scene, cases[i].act);
        scene_points(&scene, "pass");
        assert_true(scene_run(&scene));
        assert_string_equal(status_at(&scene, 0), "pass");
        assert_string_equal(status_at(&scene, 1), "crash");
        assert_string_equal(reason_at(&scene, 1), cases[i].reason);
        assert_string_equal(status_at(&scene, 2), "pass");
        scene_close(&scene);
    }
}

// Gives the worker time to act after its answer.
static void dawdle(void *user, const struct progress *progress) {
    (void)user;
    if (progress->record) usleep(100000);
}

// Acts of a worker after its answer are not blamed on the next point.
static void the_next_point_is_not_blamed(void **state) {
    struct scene scene;
    scene_open(&scene, "babble pass leave pass leave");
    scene.session.progress = dawdle;
    assert_true(scene_run(&scene));
    for (size_t i = 0; i < 5; i++) assert_string_equal(status_at(&scene, i), "pass");
    assert_int_equal(logged(&scene, "start"), 3);
    // Five times a tenth of a second without a record to account for it.
    struct json_object *wall = json_get(json_get(scene.outcome.context, "run"), "wall");
    assert_true(json_get_double(wall, "idle_s", 0) >= 0.5);
    scene_close(&scene);
}

static void refused_points_are_not_sent(void **state) {
    struct scene scene;
    scene_open(&scene, "pass segv pass");
    const struct refusal refusal = {.kind = REFUSAL_INVOCATIONS, .figures = {1024, 256}};
    scene.session.plan.points[1].refused = &refusal;
    assert_true(scene_run(&scene));
    assert_string_equal(status_at(&scene, 1), "skip");
    assert_string_equal(reason_at(&scene, 1), "1024 invocations; the device allows 256");
    assert_string_equal(json_get_string(json_get(scene.outcome.records[1], "refusal"), "kind", ""), "invocations");
    assert_int_equal(logged(&scene, "fake.segv"), 0);
    assert_int_equal(logged(&scene, "start"), 1);
    scene_close(&scene);
}

// Asserts what the result says of the run; `why` NULL: the run is whole.
static void assert_cut_short(const struct scene *scene, const char *why, int64_t left) {
    struct json_object *run = json_get(scene->outcome.context, "run");
    assert_int_equal(whole_is(run), !why);
    assert_string_equal(json_get_string(run, "why", ""), why ? why : "");
    assert_int_equal(json_get_int(run, "left", -7), left);
    assert_int_equal(scene->outcome.left, left);
}

static void three_deaths_end_the_run(void **state) {
    struct scene scene;
    scene_open(&scene, "pass pass segv exit3 abrt hang pass");
    scene.session.point_timeout_s = 0.5;
    assert_false(scene_run(&scene));
    assert_int_equal(scene.err.status, STATUS_FAULT);
    assert_non_null(strstr(scene.err.text, "3 workers in a row"));
    assert_non_null(strstr(scene.err.text, "fake.hang/f32/n=6/wg=1x1x1, no answer within 0.5 s (--timeout)"));
    assert_int_equal(journal_lines(&scene), 1 + 6);
    assert_int_equal(scene.outcome.count, 6);
    assert_cut_short(&scene, scene.err.text, 1);
    scene_close(&scene);
}

// An error of a call ends the worker, too, but its point is finished.
static void a_finished_point_forgives_earlier_losses(void **state) {
    struct scene scene;
    scene_open(&scene, "segv abrt call exit3 hang_once pass");
    scene.session.point_timeout_s = 0.5;
    if (!scene_run(&scene)) fail_msg("%s", scene.err.text);
    assert_string_equal(status_at(&scene, 2), "error");
    assert_string_equal(status_at(&scene, 3), "crash");
    assert_string_equal(status_at(&scene, 5), "pass");
    scene_close(&scene);
}

// A kernel may kill the driver in every shape: this costs only its points.
static void one_fatal_kernel_does_not_end_the_run(void **state) {
    struct scene scene;
    scene_open(&scene, "segv segv segv segv segv pass");
    assert_true(scene_run(&scene));
    for (size_t i = 0; i < 5; i++) assert_string_equal(status_at(&scene, i), "crash");
    assert_string_equal(status_at(&scene, 5), "pass");
    assert_cut_short(&scene, NULL, 0);
    scene_close(&scene);
}

// Makes all points belong to one problem.
static void scene_join(struct scene *scene) {
    struct plan *plan = &scene->session.plan;
    for (size_t i = 0; i < plan->count; i++) {
        plan->points[i].dims[0] = 1;
        point_name(&scene->arena, &plan->points[i]);
    }
}

// If a worker is lost while building ahead, the loss is recorded for the culprit point, even if its shaders build the
// next time. If the culprit is unknown, it is recorded for each suspect.
static void a_loss_ahead_of_time_is_recorded(void **state) {
    static const char
        segv[] = "killed by SIGSEGV, while its shaders were built ahead",
        any[] = "killed by SIGSEGV, while its shaders were built ahead, and 2 others: it may have been any of them";
    static const struct {
        const char *acts;
        const char *statuses[3];
        const char *reason; // of the second point
        int prefills, starts;
    } cases[] = {
        {"pass unbuildable pass2", {"pass", "crash", "pass"}, segv, 1, 2},
        {"together unbuildable pass2", {"pass", "crash", "pass"}, segv, 3, 3}, // two are tried alone
        {"together unbuildable_once pass2", {"crash", "crash", "crash"}, any, 4, 2},
        {"together dying pass2", {"pass", "crash", "pass"}, "killed by SIGABRT, while its shaders were built ahead", 1,
            2},
        {"pass endless pass2", {"pass", "timeout", "pass"},
            "no answer within 0.5 s (--timeout); the worker was killed, while its shaders were built ahead", 1, 2},
        {"pass unready pass2", {"pass", "device-lost", "pass"}, "device lost", 1, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int retry = 0; retry < 2; retry++) {
            struct scene scene;
            scene_open(&scene, cases[i].acts);
            scene.session.retry = retry;
            scene.session.point_timeout_s = 0.5;
            assert_true(scene_run(&scene));
            assert_int_equal(scene.outcome.count, 3);
            for (size_t k = 0; k < 3; k++) {
                const char *attempts =
                    json_object_to_json_string(json_get(json_get(scene.outcome.records[k], "attempts"), "statuses"));
                assert_string_equal(status_at(&scene, k), cases[i].statuses[k]);
                if (retry && strcmp(cases[i].statuses[k], "pass") != 0) assert_non_null(strstr(attempts, "\"pass\""));
            }
            assert_string_equal(reason_at(&scene, 1), cases[i].reason);
            assert_int_equal(logged(&scene, "prefill"), cases[i].prefills);
            assert_int_equal(logged(&scene, "start"), cases[i].starts);
            scene_close(&scene);
        }
}

// A loss ahead also costs only its own point if the points form a group.
static void a_loss_ahead_costs_its_own_point_of_a_group(void **state) {
    struct scene scene;
    scene_open(&scene, "pass unbuildable pass2");
    scene_join(&scene);
    assert_true(scene_run(&scene));
    assert_string_equal(status_at(&scene, 0), "pass");
    assert_string_equal(status_at(&scene, 1), "crash");
    assert_string_equal(status_at(&scene, 2), "pass");
    scene_close(&scene);
}

// A worker whose driver failed is replaced although it answered; this is not counted as a loss.
static void a_failing_driver_costs_a_worker(void **state) {
    struct scene scene;
    scene_open(&scene, "pass call call2 call3 call4 call pass");
    assert_true(scene_run(&scene));
    for (size_t i = 1; i < 6; i++) assert_string_equal(status_at(&scene, i), "error");
    assert_string_equal(status_at(&scene, 6), "pass");
    assert_int_equal(logged(&scene, "start"), 6);
    scene_close(&scene);
}

static void shaders_are_built_before_the_first_point(void **state) {
    struct scene scene;
    scene_open(&scene, "pass segv pass2 pass3");
    assert_true(scene_run(&scene));
    assert_int_equal(logged(&scene, "prefill"), 2); // once for each worker
    scene_run(&scene);
    scene.session.options.validate = true; // its messages belong to one point
    assert_true(scene_run(&scene));
    assert_int_equal(logged(&scene, "prefill"), 4);
    scene_close(&scene);
}

static void points_of_a_problem_go_together(void **state) {
    struct scene scene;
    scene_open(&scene, "pass pass2 skip pass3");
    scene_join(&scene);
    const struct refusal refusal = {.kind = REFUSAL_SHARED_OVERFLOW};
    scene.session.plan.points[1].refused = &refusal;
    assert_true(scene_run(&scene));
    static const char *const statuses[] = {"pass", "skip", "skip", "pass"};
    assert_int_equal(scene.outcome.count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(status_at(&scene, i), statuses[i]);
        assert_string_equal(json_get_string(scene.outcome.records[i], "name", ""), scene.session.plan.points[i].name);
    }
    assert_int_equal(logged(&scene, "group"), 1);
    assert_int_equal(logged(&scene, "fake.pass"), 0); // none ran alone
    scene.session.options.time = false;
    assert_true(scene_run(&scene));
    assert_int_equal(logged(&scene, "group"), 1);
    scene_close(&scene);
}

// The worker names the point that it works on. So a point that hangs is given up after its own time, however many
// points its group has: here half a second, and not half a second for each of 25.
static void a_point_of_a_large_group_has_no_more_time(void **state) {
    char acts[400] = "pass hang";
    for (int i = 2; i < 25; i++) snprintf(acts + strlen(acts), sizeof acts - strlen(acts), " pass%d", i);
    struct scene scene;
    scene_open(&scene, acts);
    scene_join(&scene);
    scene.session.point_timeout_s = 0.5;
    const int64_t start = clock_ns();
    assert_true(scene_run(&scene));
    assert_true((double)(clock_ns() - start) * 1e-9 < 8);
    assert_string_equal(status_at(&scene, 1), "timeout");
    assert_string_equal(status_at(&scene, 24), "pass");
    scene_close(&scene);
}

// A lost worker costs only the culprit point of its group, at any stage.
static void a_group_loses_the_culprit_alone(void **state) {
    static const struct {
        const char *acts, *status, *reason;
        int alone; // how often the first passing point is run alone
    } cases[] = {
        {"pass segv pass2", "crash", "killed by SIGSEGV", 1},
        {"pass hang pass2", "timeout", "no answer within 0.5 s (--timeout); the worker was killed", 1},
        {"pass lost pass2", "device-lost", "device lost", 1},
        {"pass garbage pass2", "crash",
            "the worker answered \"Segmentation \\u0001 fault \xef\xbf\xbd (core dumped)\" "
            "where a record was expected",
            0},
        {"pass rounds_segv pass2", "pass", "", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        scene_open(&scene, cases[i].acts);
        scene_join(&scene);
        scene.session.point_timeout_s = 0.5;
        assert_true(scene_run(&scene));
        assert_int_equal(scene.outcome.count, 3);
        assert_string_equal(status_at(&scene, 0), "pass");
        assert_string_equal(status_at(&scene, 1), cases[i].status);
        assert_string_equal(reason_at(&scene, 1), cases[i].reason);
        assert_string_equal(status_at(&scene, 2), "pass");
        assert_int_equal(logged(&scene, "fake.pass"), cases[i].alone);
        // If no point loses a worker alone, the culprit is unknown, but the loss is kept.
        bool nobody = strstr(cases[i].acts, "rounds_segv") != NULL;
        struct json_object *losses = json_get(json_get(scene.outcome.context, "run"), "lost_workers");
        assert_int_equal(scene.outcome.no_culprit, nobody);
        assert_int_equal(losses != NULL, nobody);
        if (nobody)
            assert_string_equal(json_object_get_string(json_object_array_get_idx(losses, 0)),
                "while a group was timed: killed by SIGSEGV");
        scene_close(&scene);
    }
}

static void workers_that_cannot_start_end_the_run(void **state) {
    static const struct {
        const char *script, *quoted;
    } cases[] = {{"exit9", "exit status 9"}, {"garbage", "\"hello\""}, {"sorry", "no driver is left"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        scene_open(&scene, "pass");
        scene.folders[0] = cases[i].script;
        assert_false(scene_run(&scene));
        assert_int_equal(scene.err.status, STATUS_FAULT);
        assert_non_null(strstr(scene.err.text, cases[i].quoted));
        assert_int_equal(logged(&scene, "start"), 3);
        assert_int_equal(logged(&scene, "fake.pass"), 0);
        assert_int_equal(journal_lines(&scene), 1);
        scene_close(&scene);
    }
}

static void a_program_that_is_gone(void **state) {
    struct scene scene;
    scene_open(&scene, "pass");
    scene.session.program = "/nowhere/vkassay";
    assert_false(scene_run(&scene));
    assert_string_equal(scene.err.text, "/nowhere/vkassay: cannot be run: No such file or directory");
    scene_close(&scene);
}

static void the_budget_ends_the_run(void **state) {
    struct scene scene;
    scene_open(&scene, "slow slow slow slow slow slow slow slow slow slow");
    scene.session.budget_s = 0.25;
    assert_true(scene_run(&scene));
    assert_true(scene.outcome.out_of_budget);
    assert_cut_short(&scene, "the budget was spent", 10 - (int64_t)scene.outcome.count);
    assert_within(scene.outcome.count, 1, 4);
    scene_close(&scene);
}

// The fake's figures: 2e6 operations and 4e6 bytes in 1 ms, so 2 GFLOP/s and 4 GB/s.
static void points_that_would_take_too_long_are_skipped(void **state) {
    struct scene scene;
    scene_open(&scene, "peak_a peak_b pass pass pass");
    struct plan *plan = &scene.session.plan;
    plan->points[0].peak = "copy_bytes_per_s";
    plan->points[1].peak = "fma_f32_flops_per_s";
    // relu: one operation and eight bytes an element. By its bytes, at 0.4 GB/s, n elements take n / 50e6 s.
    plan->points[2].dims[0] = 20000000;
    plan->points[3].dims[0] = 50000000;
    plan->points[4].dims[0] = 24000000;
    assert_true(scene_run(&scene));
    assert_string_equal(status_at(&scene, 2), "pass");
    assert_string_equal(status_at(&scene, 3), "skip");
    assert_string_equal(
        reason_at(&scene, 3), "estimated 1 s per dispatch at a tenth of the measured 4 GB/s; the suite allows 0.5 s");
    assert_string_equal(status_at(&scene, 4), "pass");
    scene_close(&scene);
}

struct seen {
    size_t calls, ticks, records, last_done;
    bool named;
};

static void phases(void *user, const struct progress *progress) {
    struct seen *seen = user;
    seen->calls++;
    seen->ticks += !progress->record;
    seen->records += progress->record != NULL;
    seen->last_done = progress->done;
    seen->named = progress->current != NULL;
    size_t sum = 0;
    for (int i = 0; i < RECORD_STATUS_COUNT; i++) sum += progress->counts[i];
    assert_int_equal(sum, progress->done);
    assert_int_equal(progress->total, 3);
}

static void progress_is_reported(void **state) {
    struct scene scene;
    struct seen seen = {0};
    scene_open(&scene, "pass hang pass");
    scene.session.point_timeout_s = 0.7;
    scene.session.progress = phases;
    scene.session.user = &seen;
    assert_true(scene_run(&scene));
    assert_int_equal(seen.records, 3);
    assert_int_equal(seen.last_done, 3);
    assert_within(seen.ticks, 3, 100);
    assert_true(seen.named);
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return fake_worker();
    close_range(3, ~0u, 0); // so a worker inherits only our descriptors
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status),
        cmocka_unit_test(a_lost_point_is_described_and_replayable),
        cmocka_unit_test(nonsense_is_a_crash),
        cmocka_unit_test(the_next_point_is_not_blamed),
        cmocka_unit_test(refused_points_are_not_sent),
        cmocka_unit_test(three_deaths_end_the_run),
        cmocka_unit_test(a_finished_point_forgives_earlier_losses),
        cmocka_unit_test(one_fatal_kernel_does_not_end_the_run),
        cmocka_unit_test(points_of_a_problem_go_together),
        cmocka_unit_test(a_point_of_a_large_group_has_no_more_time),
        cmocka_unit_test(a_group_loses_the_culprit_alone),
        cmocka_unit_test(a_loss_ahead_of_time_is_recorded),
        cmocka_unit_test(a_loss_ahead_costs_its_own_point_of_a_group),
        cmocka_unit_test(a_failing_driver_costs_a_worker),
        cmocka_unit_test(shaders_are_built_before_the_first_point),
        cmocka_unit_test(workers_that_cannot_start_end_the_run),
        cmocka_unit_test(a_program_that_is_gone),
        cmocka_unit_test(the_budget_ends_the_run),
        cmocka_unit_test(points_that_would_take_too_long_are_skipped),
        cmocka_unit_test(progress_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Searches with a fake worker: the figures reported of each case, and the session's settings.
#include "valley.h"

#include <math.h>

// Each request is in the worker's log: the samples, one of each barred shape, and the checks at neighbouring dims.
static void every_figure_of_a_search_is_reported(void **state) {
    struct scene scene;
    struct seen seen = {0};
    open_valley(&scene);
    assert_true(tune(&scene, &seen, "exhaustive"));
    struct json_object *tuning = json_get(json_get(scene.outcome.context, "run"), "tuning");
    assert_true(json_object_is_type(json_get(tuning, "budget_s"), json_type_null));
    for (size_t c = 0; c < 2; c++) {
        const struct tuned_case *one = &seen.cases[c];
        struct json_object *about = json_object_array_get_idx(json_get(tuning, "cases"), c);
        const int samples = c == 0 ? 50 : 40; // ten of each right shape; at n=300, 128 is wrong from the start
        assert_string_equal(seen.name[c], c == 0 ? "fake.valley/f32/n=100" : "fake.valley/f32/n=300");
        assert_string_equal(seen.runner_up[c], "wg=32x1x1");
        assert_string_equal(seen.standard[c], "wg=1024x1x1");
        assert_true(one->lo_ns == 1.2e6 && one->hi_ns == 1.2e6);
        assert_int_equal(one->tried, 7);
        assert_int_equal(one->samples, samples);
        assert_true(one->seconds > 0 && one->seconds < scene.outcome.wall_s);
        static const char *const keys[] = {"shapes", "legal", "tried", "wrong", "samples", "neighbours"};
        const int figures[] = {8, 7, 7, 3, samples, 2};
        for (size_t k = 0; k < 6; k++) assert_int_equal(json_get_int(about, keys[k], -1), figures[k]);
        assert_string_equal(json_get_string(about, "case", ""), seen.name[c]);
        assert_string_equal(json_get_string(about, "strategy", ""), "exhaustive");
        assert_true(json_get_double(about, "seconds", 0) == one->seconds);
        assert_false(json_get_bool(about, "stopped", true));
    }
    assert_int_equal(logged(&scene, "fake.valley"), (50 + 2 + 3) + (40 + 3 + 2));
    assert_string_equal(json_get_string(record_of(&scene, "/n=100/wg=64x1x1"), "stop", ""), "count");
    scene_close(&scene);
}

// The most common reason comes first. The plan has no point for shapes refused by rules on the dims.
static void pruned_shapes_are_counted_by_reason(void **state) {
    static const struct {
        int values;
        const char *reasons[2];
        int shapes[2];
    } cases[] = {{10, {"a rule of the manifest about these dims", "2048 invocations; the device allows 1024"}, {2, 1}},
        {8, {"2048 invocations; the device allows 1024"}, {1}}};
    for (size_t i = 0; i < 2; i++) {
        struct scene scene;
        struct seen seen = {0};
        struct kernel *kernel = open_kernel(&scene, "fake.valley");
        kernel->tunables[0].value_count = cases[i].values;
        add_case(&scene, kernel, 100);
        assert_true(tune(&scene, &seen, "exhaustive"));
        struct json_object *about =
            json_object_array_get_idx(json_get(json_get(json_get(scene.outcome.context, "run"), "tuning"), "cases"), 0);
        struct json_object *pruned = json_get(about, "pruned");
        const size_t count = cases[i].reasons[1] ? 2 : 1;
        assert_int_equal(json_object_array_length(pruned), count);
        for (size_t k = 0; k < count; k++) {
            struct json_object *one = json_object_array_get_idx(pruned, k);
            assert_string_equal(json_get_string(one, "reason", ""), cases[i].reasons[k]);
            assert_int_equal(json_get_int(one, "shapes", 0), cases[i].shapes[k]);
        }
        scene_close(&scene);
    }
}

// A case without a legal shape is done. Its record says why.
static void a_case_without_a_legal_shape_is_skipped(void **state) {
    struct scene scene;
    struct seen seen = {0};
    const struct kernel *kernel = open_kernel(&scene, "fake.valley");
    add_shape(&scene, kernel, 100, 2048);
    add_case(&scene, kernel, 300);
    assert_true(tune(&scene, &seen, "race"));
    assert_int_equal(seen.count, 2);
    assert_string_equal(seen.best[0], "none");
    assert_string_equal(seen.best[1], "wg=64x1x1");
    assert_true(isnan(seen.cases[0].runner_up_loss) && isnan(seen.cases[0].standard_loss));
    assert_int_equal(scene.outcome.left, 0);
    assert_string_equal(status_at(&scene, 0), "skip");
    assert_string_equal(reason_at(&scene, 0), "2048 invocations; the device allows 1024");
    scene_close(&scene);
}

// Few shapes are all asked; more race, unless a strategy is named.
static void the_number_of_shapes_chooses_the_strategy(void **state) {
    static const struct {
        int64_t shapes;
        const char *strategy;
    } cases[] = {{2, "exhaustive"}, {8, "exhaustive"}, {9, "race"}};
    for (size_t i = 0; i < 3; i++) {
        struct scene scene;
        struct seen seen = {0};
        const struct tuning tuning = {.report = note, .user = &seen};
        const struct kernel *kernel = open_kernel(&scene, "fake.valley");
        for (int64_t k = 1; k <= cases[i].shapes; k++) add_shape(&scene, kernel, 100, 16 * k);
        scene.session.context = scene_context("7");
        assert_true(supervise_tune(&scene.arena, &scene.session, &tuning, &scene.outcome, &scene.err));
        assert_string_equal(seen.cases[0].strategy, cases[i].strategy);
        assert_int_equal(seen.cases[0].legal, cases[i].shapes);
        scene_close(&scene);
    }
}

// A number of samples that was asked for replaces the usual ten.
static void the_least_number_of_samples_can_be_set(void **state) {
    static const int cases[][3] = {{3, 3, 3}, {3, 4, 10}}; // least, most, samples taken of a shape
    for (size_t i = 0; i < 2; i++) {
        struct scene scene;
        struct seen seen = {0};
        open_valley(&scene);
        scene.session.options.settings.least_samples = cases[i][0];
        scene.session.options.settings.most_samples = cases[i][1];
        assert_true(tune(&scene, &seen, "exhaustive"));
        assert_int_equal(seen.cases[0].samples, 5 * cases[i][2]);
        scene_close(&scene);
    }
}

// Only the first record of a shape is tried again, and only if it is bad. A shape that fails once stays barred.
static void a_bad_shape_is_tried_once_more(void **state) {
    static const struct {
        const char *kernel, *shape, *status, *second; // status of the first and of the second attempt
    } cases[] = {
        {"fake.valley", "/wg=512x1x1", "fail", "fail"},
        {"fake.valley", "/wg=256x1x1", "crash", "crash"},
        {"fake.valley_shaky", "/wg=1024x1x1", "fail", "pass"},
        {"fake.valley_later", "/wg=16x1x1", "fail", NULL},
        {"fake.valley", "/wg=64x1x1", "pass", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct scene scene;
        struct seen seen = {0};
        const struct kernel *kernel = open_kernel(&scene, cases[i].kernel);
        add_case(&scene, kernel, 100);
        scene.session.retry = true;
        assert_true(tune(&scene, &seen, "exhaustive"));
        struct json_object *record = record_of(&scene, cases[i].shape), *attempts = json_get(record, "attempts");
        struct json_object *statuses = json_get(attempts, "statuses");
        const char *const statuses_tried[] = {cases[i].status, cases[i].second};
        assert_string_equal(json_get_string(record, "status", ""), cases[i].status);
        assert_int_equal(attempts != NULL, cases[i].second != NULL);
        for (size_t k = 0; attempts && k < 2; k++)
            assert_string_equal(json_object_get_string(json_object_array_get_idx(statuses, k)), statuses_tried[k]);
        if (attempts)
            assert_int_equal(json_get_bool(attempts, "flaky", false), strcmp(cases[i].status, cases[i].second) != 0);
        scene_close(&scene);
    }
}

// A shape that cannot run at neighbouring dims is not wrong there.
static void a_skip_nearby_is_no_fault(void **state) {
    struct scene scene;
    struct seen seen = {0};
    const struct kernel *kernel = open_kernel(&scene, "fake.valley_skips");
    add_case(&scene, kernel, 100);
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_string_equal(seen.best[0], "wg=128x1x1");
    assert_int_equal(seen.cases[0].neighbours, 2);
    scene_close(&scene);
}

struct watched {
    size_t bad, good, most_done, total;
    bool stop; // at the first bad record
    char current[80];
};

static void watch(void *user, const struct progress *progress) {
    struct watched *w = user;
    const char *status = json_get_string(progress->record, "status", NULL);
    if (status) ++*(strcmp(status, "pass") == 0 ? &w->good : &w->bad);
    if (progress->done > w->most_done) w->most_done = progress->done;
    w->total = progress->total;
    snprintf(w->current, sizeof w->current, "%s", progress->current ? progress->current : "");
    if (status && w->stop) raise(SIGTERM);
}

// Progress counts the shapes of all cases, and tells of each bad record once: 256 and 512, and 128 because of its
// neighbours.
static void progress_tells_shapes_and_bad_records(void **state) {
    struct scene scene;
    struct seen seen = {0};
    struct watched watched = {0};
    open_valley(&scene);
    scene.session.progress = watch;
    scene.session.user = &watched;
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_int_equal(watched.good, 0);
    assert_int_equal(watched.bad, 6);
    assert_int_equal(watched.most_done, 14);
    assert_int_equal(watched.total, 14);
    assert_non_null(strstr(watched.current, "fake.valley/f32/n=300/wg="));
    scene_close(&scene);
}

// A bad record of a case that was not finished is in the result. The journal lacks it, as the case is searched again.
static void a_fault_of_an_unfinished_case_is_kept(void **state) {
    struct scene scene;
    struct seen seen = {0};
    struct watched watched = {.stop = true};
    open_valley(&scene);
    scene.session.progress = watch;
    scene.session.user = &watched;
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_true(scene.outcome.interrupted);
    assert_int_equal(scene.outcome.left, 2);
    assert_int_equal(scene.outcome.count, 1);
    assert_string_equal(status_at(&scene, 0), "crash");
    assert_int_equal(journal_lines(&scene), 1); // the context
    assert_int_equal(watched.most_done, 6);     // the default and five shapes before the crash
    scene.session.resume = true;
    scene.session.progress = NULL;
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_int_equal(scene.outcome.count, 14);
    scene_close(&scene);
}

// A budget that is not spent changes nothing.
static void a_large_budget_stops_nothing(void **state) {
    struct scene scene;
    struct seen seen = {0};
    open_valley(&scene);
    scene.session.budget_s = 3600;
    assert_true(tune(&scene, &seen, "exhaustive"));
    struct json_object *tuning = json_get(json_get(scene.outcome.context, "run"), "tuning");
    assert_true(json_get_double(tuning, "budget_s", 0) == 3600);
    assert_false(scene.outcome.out_of_budget);
    for (size_t c = 0; c < 2; c++) {
        assert_int_equal(seen.cases[c].tried, 7);
        assert_false(seen.cases[c].stopped);
    }
    scene_close(&scene);
}

// The start of the worker takes 0.9 s, and the first of two cases has half of 1.7 s.
static void cases_share_the_budget(void **state) {
    struct scene scene;
    struct seen seen = {0};
    open_valley(&scene);
    scene.folders[0] = "tardy";
    scene.session.budget_s = 1.7;
    assert_true(tune(&scene, &seen, "exhaustive"));
    assert_true(seen.cases[0].stopped);
    assert_int_equal(seen.cases[0].tried, 1);
    scene_close(&scene);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "worker") == 0) return fake_worker();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_figure_of_a_search_is_reported),
        cmocka_unit_test(pruned_shapes_are_counted_by_reason),
        cmocka_unit_test(a_case_without_a_legal_shape_is_skipped),
        cmocka_unit_test(the_number_of_shapes_chooses_the_strategy),
        cmocka_unit_test(the_least_number_of_samples_can_be_set),
        cmocka_unit_test(a_bad_shape_is_tried_once_more),
        cmocka_unit_test(a_skip_nearby_is_no_fault),
        cmocka_unit_test(progress_tells_shapes_and_bad_records),
        cmocka_unit_test(a_fault_of_an_unfinished_case_is_kept),
        cmocka_unit_test(a_large_budget_stops_nothing),
        cmocka_unit_test(cases_share_the_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

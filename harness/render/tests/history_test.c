// SPDX-License-Identifier: Apache-2.0
// The history of runs of the fixture in which one point becomes slower on a known day.
#include "../pages/history.h"
#include "../render.h"

#include "../../base/file.h"
#include "render_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RUNS = 10, CHANGE = 6 }; // the first run of the new level
static struct result results[RUNS];
static const char *paths[RUNS];
static char folder[64];
static struct arena arena;

// The nth record that was timed.
static struct record *timed(struct result *result, size_t nth) {
    for (size_t i = 0; i < result->count; i++)
        if (result->records[i].status == RECORD_PASS && !nth--) return &result->records[i];
    return NULL;
}

static void scale(struct record *record, double factor) {
    struct summary *s = &record->time[FIGURE_COMPUTE];
    s->median *= factor;
    s->lo *= factor;
    s->hi *= factor;
}

// Given in an order that is not that of their dates: every run is handed over at (3 r) mod 10.
static int setup(void **state) {
    (void)state;
    strcpy(folder, "/tmp/vkassay-history-XXXXXX");
    for (size_t r = 0; r < RUNS; r++) {
        size_t at = 3 * r % RUNS;
        struct result *result = &results[at];
        *result = fixture_result(1);
        json_put_string(
            json_get(result->context, "run"), "started", arena_format(&arena, "2026-03-%02zuT00:00:00Z", r + 1));
        paths[at] = arena_format(&arena, "day-%02zu.json", r + 1);
        for (size_t i = 0; i < result->count; i++) scale(&result->records[i], 1 + 0.001 * (double)((i + 7 * r) % 5));
        if (r >= CHANGE) scale(timed(result, 4), 1.25);
        if (r == 2) fixture_becomes(timed(result, 0), RECORD_FAIL, "made up");
    }
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state) {
    char command[100];
    (void)state;
    for (size_t r = 0; r < RUNS; r++) result_free(&results[r]);
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void the_change_is_found(void **state) {
    struct history history;
    struct error err;
    (void)state;
    const char *name = timed(&results[0], 4)->name, *once_wrong = timed(&results[0], 0)->name;
    if (!history_make(results, paths, RUNS, 0.03, &history, &err)) fail_msg("%s", err.text);
    assert_int_equal(history.run_count, RUNS);
    for (size_t r = 0; r < RUNS; r++)
        assert_string_equal(history.runs[r].path, arena_format(&arena, "day-%02zu.json", r + 1));
    assert_int_equal(history.changed, 1);
    assert_string_equal(history.points[0].name, name);
    assert_int_equal(history.points[0].change_count, 1);
    assert_int_equal(history.points[0].changes[0], CHANGE);
    assert_true(fabs(history.points[0].factors[0] - 1.25) < 0.003);
    assert_int_equal(history.points[0].timed, RUNS);
    const struct history_point *point = NULL;
    for (size_t i = 0; i < history.count; i++)
        if (strcmp(history.points[i].name, once_wrong) == 0) point = &history.points[i];
    assert_non_null(point);
    assert_int_equal(point->timed, RUNS - 1);
    assert_int_equal(point->wrong, 1);
    assert_true(point->times[2].median == 0);
    history_free(&history);
    assert_true(history_make(results, paths, RUNS, 0.3, &history, &err)); // it is less than 30 %
    assert_int_equal(history.changed, 0);
    history_free(&history);
}

static void one_device_alone_has_a_history(void **state) {
    struct history history;
    struct error err;
    (void)state;
    strcpy(results[3].device.name, "another device");
    assert_false(history_make(results, paths, RUNS, 0.03, &history, &err));
    assert_int_equal(err.status, STATUS_BAD_INPUT);
    assert_non_null(strstr(err.text, "another device"));
    strcpy(results[3].device.name, results[0].device.name);
    strcpy(results[3].device.driver_info, "another driver");
    assert_true(history_make(results, paths, RUNS, 0.03, &history, &err));
    history_free(&history);
}

// The runs on both sides of the change are of two revisions: these are named, with a line that finds the one between.
static void a_change_names_its_revisions(void **state) {
    struct history history;
    struct error err;
    struct suspects found;
    (void)state;
    for (size_t r = 0; r < RUNS; r++) {
        bool after = strcmp(json_get_string(json_get(results[r].context, "run"), "started", ""), "2026-03-07") >= 0;
        json_put_string(json_get(results[r].context, "tool"), "git", after ? "b2e8caa-dirty" : "v0.1-3-g9a15f01");
    }
    assert_true(history_make(results, paths, RUNS, 0.03, &history, &err));
    assert_true(history_suspects(&arena, &history.points[0], &found));
    assert_string_equal(found.before, "v0.1-3-g9a15f01");
    assert_string_equal(found.after, "b2e8caa");
    assert_string_equal(
        found.bisect, arena_format(&arena,
                          "git bisect start b2e8caa v0.1-3-g9a15f01 && git bisect run scripts/ab.sh v0.1-3-g9a15f01 "
                          "%s",
                          history.points[0].name));
    assert_false(history_suspects(&arena, &history.points[1], &found)); // it did not change
    assert_null(history_one_sided(&arena, &history));                   // one change says nothing of a machine
    history_free(&history);
    for (size_t r = 0; r < RUNS; r++) // what git would not take is no revision
        json_put_string(json_get(results[r].context, "tool"), "git", r % 2 ? "$(touch x)" : "--exec=x");
    assert_true(history_make(results, paths, RUNS, 0.03, &history, &err));
    assert_false(history_suspects(&arena, &history.points[0], &found));
    history_free(&history);
}

// Many points that change with one run, all but one of them one way.
static void what_moves_one_way_is_the_machines(void **state) {
    struct history_point points[6];
    struct history history = {.run_count = 10, .points = points, .count = 6, .changed = 6};
    (void)state;
    for (size_t i = 0; i < 6; i++)
        points[i] =
            (struct history_point){.of = &history, .changes = {4}, .factors = {i ? 1.2 : 0.8}, .change_count = 1};
    const char *words = history_one_sided(&arena, &history);
    assert_non_null(words);
    assert_non_null(strstr(words, "At run 5 5 of 6 changes are one way, slower"));
    points[1].factors[0] = 0.7; // two of six the other way
    assert_null(history_one_sided(&arena, &history));
}

static void few_runs_give_no_verdict(void **state) {
    struct error err = {0};
    size_t charts = 0;
    (void)state;
    if (!render_history(results, paths, 2, 0.03, folder, "reports", NULL, &charts, &err)) fail_msg("%s", err.text);
    char *page = file_read(&arena, arena_format(&arena, "%s/history.html", folder), NULL, &err);
    assert_non_null(strstr(page, "no verdict yet: 2 of 8 runs"));
    assert_null(strstr(page, "summary good"));
}

static void the_page_draws_each_point(void **state) {
    struct error err = {0};
    size_t charts = 0;
    (void)state;
    for (size_t r = 0; r < RUNS; r++) results[r].count = 12; // few, as each is drawn
    FILE *out = tmpfile();
    assert_non_null(out);
    json_put_string(json_get(results[0].context, "run"), "suite", "<script>alert(1)</script>");
    if (!render_history(results, paths, RUNS, 0.03, folder, "reports", out, &charts, &err)) fail_msg("%s", err.text);
    char *page = file_read(&arena, arena_format(&arena, "%s/history.html", folder), NULL, &err), said[2000];
    assert_non_null(page);
    rewind(out);
    said[fread(said, 1, sizeof said - 1, out)] = '\0';
    fclose(out);
    size_t points = 0;
    for (size_t i = 0; i < results[0].count; i++) points += results[0].records[i].time[FIGURE_COMPUTE].samples > 0;
    assert_int_equal(charts, points);
    assert_null(strstr(page, "{{"));
    assert_null(strstr(page, "<script>alert"));
    assert_non_null(strstr(page, "10 points over 10 runs: the level of 1 changed"));
    assert_non_null(strstr(page, "<td class=wraps>run 7: 1.2"));
    assert_non_null(
        strstr(said, "(since 2026-03-07T00:00:00Z)\nhistory: 10 points over 10 runs, the level of 1 changed\n"));
    const char *svg = file_read(
        &arena, arena_format(&arena, "%s/history-001-%s.svg", folder, "add.scalar_f32_n_1025_wg_512x1x1"), NULL, &err);
    if (!svg) fail_msg("%s", err.text);
    assert_non_null(strstr(svg, "2026-03-01"));
    assert_non_null(strstr(svg, "stroke-dasharray")); // the mark of the change
    svg = file_read(
        &arena, arena_format(&arena, "%s/history-002-%s.svg", folder, "add.scalar_f32_n_1025_wg_128x1x1"), NULL, &err);
    if (!svg) fail_msg("%s", err.text);
    assert_null(strstr(svg, "stroke-dasharray"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_change_is_found, setup, teardown),
        cmocka_unit_test_setup_teardown(one_device_alone_has_a_history, setup, teardown),
        cmocka_unit_test_setup_teardown(a_change_names_its_revisions, setup, teardown),
        cmocka_unit_test(what_moves_one_way_is_the_machines),
        cmocka_unit_test_setup_teardown(few_runs_give_no_verdict, setup, teardown),
        cmocka_unit_test_setup_teardown(the_page_draws_each_point, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Tests a history of runs of the fixture; one point becomes slower on a known day.
#include "../history/history.h"
#include "../render/render.h"

#include "../../base/file.h"
#include "history_fixture.h"
#include "../../truth/stats/summary.h"
#include "../../record/record.h"
#include "../../device/device_info.h"
#include "expect.h"

#include <stdlib.h>

enum { RUNS = 10, CHANGE = 6 }; // the first run of the new level
static struct result results[RUNS];
static const char *paths[RUNS];
static char folder[64];
static struct arena arena;
static struct histories histories;

// Returns the only history of the results.
static struct history *history_with(double effect) {
    const struct history_rules rules = {DEVICE_UNIT, effect, NULL};
    histories_free(&histories);
    histories_of(results, paths, RUNS, &rules, &histories);
    assert_int_equal(histories.count, 1);
    return &histories.items[0];
}

// Returns the nth timed record.
static struct record *timed(struct result *result, size_t nth) {
    for (size_t i = 0; i < result->count; i++)
        if (result->records[i].status == RECORD_PASS && !nth--) return &result->records[i];
    return NULL;
}

// The results are passed in an order other than by date: run r at position (3 r) mod 10.
static int setup(void **state) {
    strcpy(folder, "/tmp/vkassay-history-XXXXXX");
    if (!mkdtemp(folder)) return -1;
    for (size_t r = 0; r < RUNS; r++) {
        size_t at = 3 * r % RUNS;
        struct result *result = &results[at];
        *result = fixture_result(1);
        json_put_string(
            json_get(result->context, "run"), "started", arena_format(&arena, "2026-03-%02zuT00:00:00Z", r + 1));
        paths[at] = arena_format(&arena, "%s/day-%02zu.json", folder, r + 1);
        for (size_t i = 0; i < result->count; i++) scale(&result->records[i], 1 + 0.001 * (double)((i + 7 * r) % 5));
        if (r >= CHANGE) scale(timed(result, 4), 1.25);
        if (r == 2) fixture_becomes(timed(result, 0), RECORD_FAIL, "made up");
    }
    return 0;
}

static int teardown(void **state) {
    char command[100];
    histories_free(&histories);
    for (size_t r = 0; r < RUNS; r++) result_free(&results[r]);
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static void the_change_is_found(void **state) {
    const char *name = timed(&results[0], 4)->name, *once_wrong = timed(&results[0], 0)->name;
    const struct history *history = history_with(0.03);
    assert_int_equal(history->run_count, RUNS);
    for (size_t r = 0; r < RUNS; r++)
        assert_string_equal(history->runs[r].path, arena_format(&arena, "%s/day-%02zu.json", folder, r + 1));
    assert_int_equal(history->changed, 1);
    assert_string_equal(history->points[0].name, name);
    assert_int_equal(history->points[0].change_count, 1);
    assert_int_equal(history->points[0].changes[0], CHANGE);
    assert_true(fabs(history->points[0].factors[0] - 1.25) < 0.003);
    assert_int_equal(history->points[0].timed, RUNS);
    const struct history_point *point = NULL;
    for (size_t i = 0; i < history->count; i++)
        if (strcmp(history->points[i].name, once_wrong) == 0) point = &history->points[i];
    assert_non_null(point);
    assert_int_equal(point->timed, RUNS - 1);
    assert_int_equal(point->wrong, 1);
    assert_true(point->times[2].median == 0);
    assert_int_equal(history_with(0.3)->changed, 0); // the change is less than 30 %
}

// Devices of one name are told apart by their units. Drivers do not tell them apart.
static void each_device_has_its_history(void **state) {
    struct history_rules rules = {DEVICE_UNIT, 0.03, NULL};
    strcpy(results[3].device->driver_info, "another driver");
    assert_int_equal(history_with(0.03)->run_count, RUNS);
    assert_null(history_with(0.03)->unit);
    for (size_t r = 0; r < RUNS; r++) strcpy(results[r].device->device_uuid, r == 4 ? "01" : r == 3 ? "02" : "03");
    strcpy(results[3].device->name, "another device");
    histories_free(&histories);
    histories_of(results, paths, RUNS, &rules, &histories);
    assert_int_equal(histories.count, 3);
    assert_true(histories.many_names);
    assert_int_equal(histories.items[0].run_count, RUNS - 2);
    assert_string_equal(histories.items[0].unit, "03");
    assert_string_equal(histories.items[1].device, "another device");
    assert_null(histories.items[1].unit);
    assert_string_equal(histories.items[2].unit, "01");
    rules.projection = DEVICE_MODEL;
    histories_free(&histories);
    histories_of(results, paths, RUNS, &rules, &histories);
    assert_int_equal(histories.count, 2);
    assert_int_equal(histories.items[0].run_count, RUNS - 1);
}

// The runs before and after the change have different revisions. Both are named, with a command to bisect between
// them.
static void a_change_names_its_revisions(void **state) {
    struct candidate_commits found;
    for (size_t r = 0; r < RUNS; r++) {
        bool after = strcmp(json_get_string(json_get(results[r].context, "run"), "started", ""), "2026-03-07") >= 0;
        json_put_string(json_get(results[r].context, "tool"), "git", after ? "b2e8caa-dirty" : "v0.1-3-g9a15f01");
    }
    struct history *history = history_with(0.03);
    assert_true(history_candidate_commits(&arena, &history->points[0], 0, &found));
    assert_string_equal(found.before, "v0.1-3-g9a15f01");
    assert_string_equal(found.after, "b2e8caa");
    assert_string_equal(
        found.bisect, arena_format(&arena,
                          "git bisect start b2e8caa v0.1-3-g9a15f01 && git bisect run scripts/ab.sh v0.1-3-g9a15f01 "
                          "%s",
                          history->points[0].name));
    assert_false(history_level_shifts(history, CHANGE).one_sided); // a single change does not suggest the machine
    history->points[0].factors[0] = 0.8;
    assert_true(history_candidate_commits(&arena, &history->points[0], 0, &found));
    assert_string_equal(found.bisect, arena_format(&arena,
                                          "git bisect start b2e8caa v0.1-3-g9a15f01 && git bisect run sh -c "
                                          "'scripts/ab.sh b2e8caa %s; test $? -eq 2'",
                                          history->points[0].name));
    for (size_t r = 0; r < RUNS; r++) // git does not accept these as revisions
        json_put_string(json_get(results[r].context, "tool"), "git", r % 2 ? "$(touch x)" : "--exec=x");
    history = history_with(0.03);
    assert_false(history_candidate_commits(&arena, &history->points[0], 0, &found));
}

// Many points change at one run, all but one in the same direction.
static void what_moves_one_way_is_the_machines(void **state) {
    struct history_point points[6];
    struct history history = {.run_count = 10, .points = points, .count = 6, .changed = 6};
    for (size_t i = 0; i < 6; i++)
        points[i] =
            (struct history_point){.of = &history, .changes = {4}, .factors = {i ? 1.2 : 0.8}, .change_count = 1};
    struct level_shifts shifts = history_level_shifts(&history, 4);
    struct text words = {0};
    assert_true(shifts.one_sided);
    put_level_shifts(&words, &shifts);
    assert_string_equal(text_str(&words), "5 of 6 moved one way, slower");
    text_free(&words);
    assert_false(history_level_shifts(&history, 3).one_sided);
    points[1].factors[0] = 0.7; // two of six in the other direction
    assert_false(history_level_shifts(&history, 4).one_sided);
}

// Runs both command lines unchanged in a repository. Its ab.sh exits with the status in a file of each revision.
static void the_lines_find_the_revision(void **state) {
    struct history_run runs[2] = {{.git = "old"}, {.git = "new"}};
    struct history history = {.run_count = 2, .runs = runs};
    struct history_point point = {
        .of = &history, .name = "a.b/f32/n=1/wg=64x1x1,IT'EMS=1", .changes = {1}, .change_count = 1};
    strcpy(folder, "/tmp/vkassay-bisect-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (int slower = 0; slower < 2; slower++) {
        struct candidate_commits found;
        point.factors[0] = slower ? 1.5 : 0.5;
        assert_true(history_candidate_commits(&arena, &point, 0, &found));
        const char *script = arena_format(&arena, "%s/bisect", folder);
        const char *lines = arena_format(&arena,
            "set -e; exec >/dev/null 2>&1; rm -rf %s/r; git init -q %s/r; cd %s/r; mkdir scripts\n"
            "git config user.name x; git config user.email x@y.z\n"
            "cat >scripts/ab.sh <<'END'\n#!/bin/sh\n[ \"$2\" = \"a.b/f32/n=1/wg=64x1x1,IT'EMS=1\" ] || exit 65\n"
            "[ $(cat time) -gt $(git show $1:time) ] && exit 2; exit 0\nEND\nchmod +x scripts/ab.sh\n"
            "for i in 1 2 3 4 5 6 7; do echo $((%s)) >time; echo $i >n; git add .; git commit -qm $i; [ $i != 1 ] || "
            "git tag old; done; git tag new\n"
            "%s\ngit show -s --format=%%s refs/bisect/bad >%s/found\n",
            folder, folder, folder, slower ? "i < 5 ? 100 : 150" : "i < 5 ? 100 : 50", found.bisect, folder);
        struct error err = {0};
        assert_true(file_write(script, lines, strlen(lines), &err));
        assert_int_equal(system(arena_format(&arena, "bash %s", script)), 0);
        assert_string_equal(file_read(&arena, arena_format(&arena, "%s/found", folder), NULL, &err), "5\n");
    }
    assert_int_equal(system(arena_format(&arena, "rm -rf %s", folder)), 0);
    arena_free(&arena);
}

// A change of 2 % counts for a quiet point; a change of 4 % does not count for a noisy one.
static void each_point_has_its_own_threshold(void **state) {
    const char *quiet = timed(&results[0], 6)->name, *noisy = timed(&results[0], 8)->name;
    for (size_t r = 0; r < RUNS; r++) {
        struct result *result = &results[3 * r % RUNS];
        result->count = 40;
        const double swing[] = {1, 1.05, 0.97, 1.04};
        scale(timed(result, 6), r >= CHANGE ? 1.02 : 1);
        scale(timed(result, 8), swing[r % 4] * (r >= CHANGE ? 1.04 : 1));
    }
    const struct history *history = history_with(0.01);
    size_t seen = 0;
    for (size_t i = 0; i < history->count; i++) {
        const struct history_point *point = &history->points[i];
        if (strcmp(point->name, quiet) == 0 && ++seen) {
            assert_int_equal(point->change_count, 1);
            assert_true(point->least[0] >= 0.01 && point->least[0] < 0.02);
        }
        if (strcmp(point->name, noisy) == 0 && ++seen) {
            assert_int_equal(point->change_count, 0);
            assert_true(point->noise > 0.05);
        }
    }
    assert_int_equal(seen, 2);
}

static char *page_of(size_t runs, double effect, FILE *out, size_t *charts) {
    const struct history_rules rules = {DEVICE_UNIT, effect, NULL};
    struct error err = {0};
    histories_free(&histories);
    histories_of(results, paths, runs, &rules, &histories);
    if (!history_page(&histories.items[0], folder, "reports", out, charts, &err)) fail_msg("%s", err.text);
    return file_read(&arena, arena_format(&arena, "%s/history.html", folder), NULL, &err);
}

static void few_runs_give_no_verdict(void **state) {
    size_t charts = 0;
    char *page = page_of(2, 0.03, NULL, &charts);
    assert_non_null(strstr(page, "no verdict yet: 2 of 8 runs"));
    assert_null(strstr(page, "summary good"));
}

static char *page_of_all(double effect) {
    size_t charts = 0;
    return page_of(RUNS, effect, NULL, &charts);
}

// A point failed in the third run, and no level changed by half.
static void a_run_that_was_not_right_leaves_no_green_headline(void **state) {
    for (size_t r = 0; r < RUNS; r++) results[r].count = 12;
    const char *page = page_of_all(0.5);
    assert_null(strstr(page, "summary good"));
    assert_non_null(
        strstr(page, "<p class=\"summary bad\">10 points over 10 runs: the level of 0 changed; 1 run was not "
                     "right</p>"));
    for (size_t r = 0; r < RUNS; r++)
        for (size_t i = 0; i < 12; i++)
            if (results[r].records[i].status == RECORD_FAIL) results[r].records[i].status = RECORD_SKIP;
    assert_non_null(strstr(page_of_all(0.5), "<p class=\"summary good\">"));
}

static void the_page_draws_each_point(void **state) {
    struct error err = {0};
    size_t charts = 0;
    for (size_t r = 0; r < RUNS; r++) results[r].count = 12; // few points, because each is drawn
    FILE *out = tmpfile();
    assert_non_null(out);
    json_put_string(json_get(results[0].context, "run"), "suite", "<script>alert(1)</script>");
    char *page = page_of(RUNS, 0.03, out, &charts), said[2000];
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
    assert_non_null(strstr(page, ">7, 2026-03-07T00:00:00Z</td>"));
    assert_null(strstr(page, "og:image")); // needs an absolute address
    assert_non_null(strstr(said, ": run 7: 1.2"));
    assert_non_null(strstr(said, "x (since 2026-03-07T00:00:00Z; counts from "));
    assert_non_null(strstr(said, "\nhistory: 10 points over 10 runs: the level of 1 changed; 1 run was not right\n"));
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
        cmocka_unit_test_setup_teardown(each_device_has_its_history, setup, teardown),
        cmocka_unit_test_setup_teardown(a_change_names_its_revisions, setup, teardown),
        cmocka_unit_test(what_moves_one_way_is_the_machines),
        cmocka_unit_test(the_lines_find_the_revision),
        cmocka_unit_test_setup_teardown(each_point_has_its_own_threshold, setup, teardown),
        cmocka_unit_test_setup_teardown(few_runs_give_no_verdict, setup, teardown),
        cmocka_unit_test_setup_teardown(a_run_that_was_not_right_leaves_no_green_headline, setup, teardown),
        cmocka_unit_test_setup_teardown(the_page_draws_each_point, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

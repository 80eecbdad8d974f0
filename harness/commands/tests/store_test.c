// SPDX-License-Identifier: Apache-2.0
// Tests results kept for their history: adding, listing, pruning and drawing.
#include "vkassay_program.h"

// Makes runs 0 to 5 in FOLDER/runs, some with another driver.
static int make_runs(void **state) {
    if (program_open(state) != 0) return -1;
    return shell(
        "%s scripts/made_up.py runs reports/examples/nvidia-h200/quick.json --count 6 --points 5 --out %s/runs",
        python_with("json"), folder);
}

static void runs_are_added_once(void **state) {
    assert_int_equal(run("store add %s/store %s/runs/run0000[0-3].json", folder, folder), STATUS_OK);
    assert_says("4 added to ");
    assert_int_equal(run("store add %s/store %s/runs/*.json", folder, folder), STATUS_OK);
    assert_says("2 added to ");
    assert_says(", 4 already stored");
    assert_int_equal(shell("test $(ls %s/store/nvidia-h200/*/*.json | wc -l) = 6", folder), 0);
    assert_of_schema("store/nvidia-h200/*/*.json");
}

static void several_hosts_may_add_at_once(void **state) {
    assert_int_equal(shell("mkdir %s/both && touch %s/both/store.part-1", folder, folder), 0); // begun by another
    assert_int_equal(
        shell("for i in 0 1 2 3 4 5; do %s store add %s/both %s/runs/run0000$i.json & done >/dev/null; wait", program,
            folder, folder),
        0);
    assert_int_equal(run("store list %s/both", folder), STATUS_OK);
    assert_says("6 runs of 1 devices");
    assert_int_equal(shell("test $(wc -l <%s/both/nvidia-h200/points) = 5", folder), 0);
}

static void they_are_listed(void **state) {
    assert_int_equal(run("store list %s/store", folder), STATUS_OK);
    assert_says("nvidia-h200");
    assert_says("6 runs  2026-01-01T00:00:00Z to 2026-01-01T00:50:00Z, 0000000 to 0000005");
    assert_int_equal(run("store list %s/store --every", folder), STATUS_OK);
    assert_says("2026-01-01T00:30:00Z  0000003");
}

// Runs are listed by their dates, in whatever order they were added.
static void runs_are_listed_by_date(void **state) {
    assert_int_equal(run("store add %s/late %s/runs/run00005.json %s/runs/run00002.json %s/runs/run00003.json", folder,
                         folder, folder, folder),
        STATUS_OK);
    assert_int_equal(run("store list %s/late --every", folder), STATUS_OK);
    assert_says("3 runs  2026-01-01T00:20:00Z to 2026-01-01T00:50:00Z, 0000002 to 0000005");
    const char *said = content("output"), *second = strstr(said, "00:30:00Z  0000003");
    assert_true(second && strstr(second, "00:50:00Z  0000005"));
    assert_says("seed 1 ");
    assert_says(" 5 points ");
}

// The store's history equals the history of the results themselves.
static void the_history_is_that_of_the_results(void **state) {
    assert_int_equal(run("report --history %s/store --out %s/a", folder, folder), STATUS_OK);
    assert_says("history: 5 points over 6 runs");
    assert_int_equal(run("report --history %s/runs/*.json --out %s/b", folder, folder), STATUS_OK);
    // Compares without names of files and signs.
    assert_int_equal(
        shell("cd %s && for p in a b; do grep -o 'data-sort=[0-9.]*>[0-9.]* [num]*s\\|>[0-9.]*x</td>' "
              "$p/history.html | sed 's/^[^>]*>//' >$p/list; done; test $(wc -l <a/list) = 15 && cmp a/list "
              "b/list",
            folder),
        0);
}

// A point failed in one run. Both histories say it in their headlines.
static void a_run_that_was_not_right_is_told(void **state) {
    assert_int_equal(shell("mkdir %s/failed && cp %s/runs/*.json %s/failed && %s -c \"import json; "
                           "p = '%s/failed/run00002.json'; r = json.load(open(p))\n"
                           "r['records'][0].update(status='fail', reason='a test')\n"
                           "json.dump(r, open(p, 'w'))\"",
                         folder, folder, folder, python_with("json"), folder),
        0);
    assert_int_equal(run("store add %s/failed-store %s/failed/*.json", folder, folder), STATUS_OK);
    assert_int_equal(run("report --history %s/failed-store --out %s/stored", folder, folder), STATUS_OK);
    assert_holds("stored/history.html", "1 run was not right");
    assert_int_equal(run("report --history %s/failed/*.json --out %s/read", folder, folder), STATUS_OK);
    assert_holds("read/history.html", "1 run was not right");
}

static void what_is_old_is_pruned(void **state) {
    assert_int_equal(run("store prune %s/store", folder), STATUS_USAGE);
    assert_int_equal(run("store prune %s/store --before 2026-01-01T00:10", folder), STATUS_OK);
    assert_says("1 runs removed");
    assert_int_equal(run("store prune %s/store --keep 2", folder), STATUS_OK);
    assert_says("3 runs removed");
    assert_int_equal(run("store list %s/store", folder), STATUS_OK);
    assert_says("2 runs  2026-01-01T00:40:00Z");
    assert_int_equal(shell("test $(ls %s/store/nvidia-h200/*/*.json | wc -l) = 2", folder), 0);
    assert_int_equal(run("store add %s/store %s/runs/run00000.json", folder, folder), STATUS_OK);
    assert_says("1 added");
}

static void what_is_no_store_or_is_damaged_is_said(void **state) {
    assert_int_equal(run("store list %s/runs", folder), STATUS_BAD_INPUT);
    assert_says("expected a store");
    assert_int_equal(run("store add %s/runs %s/runs/run00000.json", folder, folder), STATUS_BAD_INPUT);
    assert_says("not a store, and it holds other files");
    assert_int_equal(run("store add %s/store suites/quick.json", folder), STATUS_BAD_INPUT);
    // A truncated line is ignored; a damaged one is named.
    assert_int_equal(shell("printf 'x\ty' >>%s/store/nvidia-h200/runs", folder), 0);
    assert_int_equal(run("store list %s/store", folder), STATUS_OK);
    static const char *const odd[] = {"a\tb", "a\tb\tc\td\te\tf\t99:1:1:1", "a\tb\tc\td\te\tf\t0:1:x:1",
        "../../etc\tb\tc\td\te\tf", "a\tb\tc\td\te\tf\t0:-1:1:1"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        assert_int_equal(shell("cp -r %s/store %s/odd%zu && printf '\n%s\n' >>%s/odd%zu/nvidia-h200/runs", folder,
                             folder, i, odd[i], folder, i),
            0);
        assert_int_equal(run("report --history %s/odd%zu --out %s/c", folder, i, folder), STATUS_BAD_INPUT);
        assert_says("/runs:");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_added_once),
        cmocka_unit_test(several_hosts_may_add_at_once),
        cmocka_unit_test(they_are_listed),
        cmocka_unit_test(runs_are_listed_by_date),
        cmocka_unit_test(the_history_is_that_of_the_results),
        cmocka_unit_test(a_run_that_was_not_right_is_told),
        cmocka_unit_test(what_is_old_is_pruned),
        cmocka_unit_test(what_is_no_store_or_is_damaged_is_said),
    };
    return run_group_with_python(tests, make_runs, folder_remove);
}

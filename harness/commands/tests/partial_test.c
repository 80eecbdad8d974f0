// SPDX-License-Identifier: Apache-2.0
// Tests runs that are cut short. They have their own exit status; their results and all output made of them say so.
#include "vkassay_program.h"

#include "../../record/result.h"
#include "../../record/journal.h"

static const char cut[] = "cut short: the budget was spent; 3 left";

// Four points of a second each. With a budget of half a second, only one begins, and it finishes.
static int open_slow(void **state) {
    if (program_open(state) != 0) return -1;
    write_text("slow.json",
        "{\"schema_version\": 1, \"name\": \"slow\", \"summary\": \"a test\", \"settings\": {\"point_seconds\": 1, "
        "\"precision\": 1e-9, \"most_samples\": 1000000, \"reference_seconds\": 0.01}, \"entries\": [{\"kernel\": "
        "\"relu.scalar\", "
        "\"dtypes\": [\"f32\"], \"dims\": {\"n\": [1025, 1026, 1027, 1028]}, \"shapes\": \"default\"}]}");
    return 0;
}

static int run_slow(const char *verb, const char *name, const char *more) {
    return run("%s --suite %s/slow.json --quiet --out %s/%s %s", verb, folder, folder, name, more);
}

static void assert_run(const char *name, bool complete, const char *why, int64_t left) {
    struct result result;
    read_result(name, &result);
    struct json_object *of = json_get(result.context, "run");
    assert_int_equal(whole_is(of), complete);
    assert_int_equal(json_get_int(of, "left", -7), left);
    if (why) assert_string_equal(json_get_string(of, "why", ""), why);
    assert_int_equal(json_object_is_type(json_get(of, "why"), json_type_null), !why);
    result_free(&result);
}

static void a_spent_budget_is_status_4(void **state) {
    assert_int_equal(run_slow("bench", "budget", "--budget 0.5"), STATUS_PARTIAL);
    assert_says("1 point: 1 passed, 0 failed, 0 skipped; cut short: the budget was spent; 3 left");
    assert_says("The run was cut short: the budget was spent; 3 left\nContinue with: vkassay bench --resume /");
    assert_run("budget", false, "the budget was spent", 3);
    assert_holds("budget/*/*/report.html", cut);
}

static void what_is_made_of_a_partial_result_says_so(void **state) {
    assert_int_equal(run("report %s/budget/*/*/result.json --out %s/page", folder, folder), STATUS_OK);
    assert_says(cut);
    assert_holds("page/report.html", cut);
    assert_int_equal(run("export %s/budget/*/*/result.json --format markdown", folder), STATUS_OK);
    assert_says(cut);
    assert_int_equal(run("baseline %s/budget/*/*/result.json --baselines %s/none", folder, folder), STATUS_PARTIAL);
    assert_says("baseline: not stored: ");
    assert_says(cut);
    assert_int_not_equal(access(in_folder("none"), F_OK), 0);
    assert_int_equal(
        run("merge %s/budget/*/*/result.json --trim --out %s/trimmed.json", folder, folder), STATUS_PARTIAL);
    assert_says("The run was cut short: ");
    assert_int_equal(run("compare %s/trimmed.json %s/trimmed.json", folder, folder), STATUS_PARTIAL);
    assert_says("undecided because the new run was cut short");
}

// Resumes with the same budget until the run is complete.
static void a_partial_run_is_whole_in_the_end(void **state) {
    for (int left = 2; left >= 0; left--) {
        assert_int_equal(run("bench --quiet --resume %s/budget/*/*", folder), left ? STATUS_PARTIAL : STATUS_OK);
        assert_run("budget", !left, left ? "the budget was spent" : NULL, left);
    }
    assert_int_equal(strstr(content("output"), "cut short") != NULL, 0);
}

static void a_signal_is_status_4(void **state) {
    // Waits until the first record is in the journal.
    assert_int_equal(
        shell("VKASSAY_CACHE=%s/cache %s bench --suite %s/slow.json --quiet --out %s/signal >%s/output 2>&1 & pid=$!; "
              "for i in $(seq 600); do [ \"$(cat %s/signal/*/*/journal.jsonl 2>/dev/null | wc -l)\" -ge 2 ] && break; "
              "sleep 0.05; done; kill -TERM $pid; wait $pid",
            folder, program, folder, folder, folder, folder),
        STATUS_PARTIAL);
    struct result result;
    read_result("signal", &result);
    int64_t left = 4 - (int64_t)result.count;
    result_free(&result);
    assert_true(left >= 1 && left <= 3);
    assert_run("signal", false, "interrupted", left);
}

// A wrong point, or nothing measured, takes precedence over a partial run.
static void other_statuses_come_first(void **state) {
    write_text("bad.json", "{\"schema_version\": 1, \"name\": \"bad\", \"summary\": \"a test\", \"settings\": "
                           "{\"point_seconds\": 1, \"precision\": 1e-9, "
                           "\"most_samples\": 1000000}, \"entries\": [{\"kernel\": \"relu.wrong\", \"dtypes\": "
                           "[\"f32\"], \"dims\": {\"n\": 1025}, "
                           "\"shapes\": \"default\"}, {\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"dims\": "
                           "{\"n\": [1025, 1026, 1027]}, "
                           "\"shapes\": \"default\"}]}");
    assert_int_equal(
        run("bench --suite %s/bad.json " FAULTY_KERNELS " --budget 0.5 --out %s/bad", folder, folder), STATUS_WRONG);
    assert_says("; cut short: the budget was spent; ");
    assert_int_equal(run_slow("bench", "nothing", "--budget 1e-9"), STATUS_NOTHING);
    assert_run("nothing", false, "the budget was spent", 4);
}

#define PEAKS                                                                                                          \
    "{\"kernel\": \"nothing.empty\", \"dims\": {\"n\": 1}, \"shapes\": \"default\", \"peak\": \"empty_dispatch_ns\"}"
#define SOFTMAX(rows)                                                                                                  \
    "{\"kernel\": \"softmax.online\", \"dtypes\": [\"f32\"], \"dims\": {\"rows\": " #rows                              \
    ", \"cols\": 1000000}, \"shapes\": \"default\"}"

// No device has a buffer of 4e12 bytes.
static void peaks_alone_are_nothing_measured(void **state) {
    write_suite("large", PEAKS ", " SOFTMAX(1000000));
    write_suite("ruled", PEAKS ", " SOFTMAX(1));
    write_suite("rulers", PEAKS);
    static const struct {
        const char *suite, *words;
        enum status expected;
    } runs[] = {
        {"large", "", STATUS_NOTHING},
        {"large", "softmax", STATUS_NOTHING},
        {"large", "softmax nothing.empty", STATUS_OK}, // asks for the peak itself
        {"ruled", "softmax", STATUS_OK},
        {"ruled", "softmax --dims rows=1000000,cols=1000000", STATUS_NOTHING},
        {"rulers", "", STATUS_OK},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        assert_int_equal(run("bench %s --suite %s/%s.json --quiet --out %s/peaks%zu", runs[i].words, folder,
                             runs[i].suite, folder, i),
            runs[i].expected);
        if (runs[i].expected == STATUS_NOTHING)
            assert_says("bench: nothing selected was measured; 1 point was skipped: operand x takes "
                        "4000000000000 bytes; the device allows");
        else
            assert_null(strstr(content("output"), "nothing selected"));
    }
    assert_int_equal(
        run("baseline --suite %s/large.json --quiet --baselines %s/none --out %s/base", folder, folder, folder),
        STATUS_NOTHING);
    assert_says("has no measured points");
    assert_int_not_equal(access(in_folder("none"), F_OK), 0);
}

static void a_gate_does_not_hold_by_a_partial_run(void **state) {
    char more[300];
    snprintf(more, sizeof more, "--baselines %s/kept", folder);
    assert_int_equal(run_slow("baseline", "base", more), STATUS_OK);
    // A large --effect, because on a busy host a point may be slower.
    snprintf(more, sizeof more, "--baselines %s/kept --effect 900 --budget 0.5", folder);
    assert_int_equal(run_slow("gate", "gate", more), STATUS_PARTIAL);
    assert_says("gate: undecided because the new run was cut short: ");
    assert_says(", 3 removed");
    assert_says("relu.scalar/f32/n=1028/wg=256x1x1,ITEMS=1  not in the new result");
    assert_null(strstr(content("output"), "--resume")); // gate has no --resume
}

static void merged_shards_are_whole_when_all_are_there(void **state) {
    for (int i = 1; i <= 3; i++) {
        char name[20], more[40];
        snprintf(name, sizeof name, "shard%d", i);
        snprintf(more, sizeof more, "--shard %d/3", i);
        assert_int_equal(run_slow("check", name, more) & ~STATUS_NOTHING, STATUS_OK); // a shard may have no point
    }
    assert_int_equal(run("merge %s/shard[123]/*/*/result.json --out %s/whole.json", folder, folder), STATUS_OK);
    assert_holds("whole.json", "\"complete\": true");
    assert_int_equal(run("merge %s/shard[13]/*/*/result.json --out %s/part.json", folder, folder), STATUS_PARTIAL);
    assert_says("The run was cut short: without shard 2 of 3");
    assert_holds("part.json", "\"complete\": false");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_spent_budget_is_status_4),
        cmocka_unit_test(what_is_made_of_a_partial_result_says_so),
        cmocka_unit_test(a_partial_run_is_whole_in_the_end),
        cmocka_unit_test(a_signal_is_status_4),
        cmocka_unit_test(other_statuses_come_first),
        cmocka_unit_test(peaks_alone_are_nothing_measured),
        cmocka_unit_test(a_gate_does_not_hold_by_a_partial_run),
        cmocka_unit_test(merged_shards_are_whole_when_all_are_there),
    };
    return cmocka_run_group_tests(tests, open_slow, folder_remove);
}

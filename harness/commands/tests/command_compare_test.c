// SPDX-License-Identifier: Apache-2.0
// Tests compare, baseline and gate from outside, with made-up results of known verdicts, damaged files and a real
// gate.
#include "../../base/file.h"
#include "../../base/tests/tries.h"
#include "../../record/tests/case_length.h"
#include "vkassay_program.h"
#include "../../record/journal.h"
#include "../../stats/summary.h"
#include "../../record/record.h"
#include "../../record/terms.h"
#include "../../device/device_info.h"

#include <math.h>

enum { SAMPLES = 12 };
static struct arena arena;

// Returns the exit status of `vkassay ARGUMENTS`, run in the test's folder. Standard error goes to FOLDER/errors.
static int run_inside(const char *arguments) {
    char home[4096];
    assert_non_null(getcwd(home, sizeof home));
    return shell("cd %s && VKASSAY_HOME=%s VKASSAY_CACHE=%s/cache %s %s >output 2>errors", folder, home, folder,
        program, arguments);
}

static char *text_of(const char *name) {
    struct error err;
    char *text = file_read(&arena, arena_format(&arena, "%s/%s", folder, name), NULL, &err);
    return text ? text : (char *)"";
}

static void assert_run(const char *arguments, int status, const char *says) {
    int found = run_inside(arguments);
    if (found != status || (!strstr(text_of("output"), says) && !strstr(text_of("errors"), says)))
        fail_msg("vkassay %s: status %d, expected %d and '%s':\n%s%s", arguments, found, status, says,
            text_of("output"), text_of("errors"));
}

// ---- made-up results

struct point {
    const char *name;
    double median; // 0: wrong
    double spread;
};

static struct json_object *record_json(const struct point *point) {
    double samples[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) samples[i] = point->median * (1 + point->spread * (i - 5.5) / 5.5);
    struct named_number dims[] = {{"n", 1025}};
    struct record r = {.name = point->name,
        .case_length = case_length(point->name),
        .operator= "relu",
        .kernel = "relu.scalar",
        .dtype = "f32",
        .dims = dims,
        .dim_count = 1,
        .wg = {64, 1, 1},
        .is_default = true,
        .systems = "",
        .replay = arena_format(&arena, "vkassay check '%s' --seed 1", point->name),
        .clock = CLOCK_GPU,
        .cache = "hot",
        .shader_clock_hz = NAN,
        .repeats = 1,
        .stop = "precise",
        .check = {.checked = 1025, .elements = 1025, .worst_operand = "y"}};
    for (int f = 0; f < FIGURE_COUNT; f++) r.time[f] = summarize(NULL, 0);
    if (point->median > 0) {
        r.time[FIGURE_COMPUTE] = summarize(samples, SAMPLES);
        r.time[FIGURE_UPLOAD] = summarize(samples, SAMPLES);
        r.samples[FIGURE_COMPUTE] = r.samples[FIGURE_UPLOAD] = samples;
    } else {
        r.status = RECORD_FAIL;
        r.reason = "made up to be wrong";
    }
    return record_to_json(&r, true);
}

// Writes a result of these points to `name` in the test's folder.
static void write_result(
    const char *name, const char *device_name, uint64_t seed, const struct point *points, size_t count) {
    struct device_info device = {.api_version = 1u << 22,
        .max_invocations = 256,
        .timestamp_period_ns = 1,
        .heaps = {{1u << 30, true}},
        .heap_count = 1,
        .driver_version = 7,
        .device_uuid = "000102030405060708090a0b0c0d0e0f",
        .driver_uuid = "f0e0d0c0b0a090807060504030201000"};
    snprintf(device.name, sizeof device.name, "%s", device_name);
    snprintf(device.driver_info, sizeof device.driver_info, "1.2 beta");
    char *argv[] = {program, NULL};
    const struct run_facts facts = {.argc = 1,
        .argv = argv,
        .suite = "gate",
        .suite_file = "gate.json",
        .started = "2026-01-02T03:04:05Z",
        .seed = seed};
    struct json_object *context = context_make(&device, &facts), *records[8];
    struct error err;
    for (size_t i = 0; i < count; i++) records[i] = record_json(&points[i]);
    if (!result_write(arena_format(&arena, "%s/%s", folder, name), context, records, count, 1, false, &err))
        fail_msg("%s", err.text);
    for (size_t i = 0; i < count; i++) json_object_put(records[i]);
    json_object_put(context);
}

static const struct point base_points[] = {{"a", 1000, 0.01}, {"b", 1000, 0.01}, {"c", 1000, 0.01}};

// ---- tests

static void each_exit_status(void **state) {
    write_result("base.json", "device", 1, base_points, 3);
    write_result(
        "slower.json", "device", 1, (struct point[]){{"a", 1000, 0.01}, {"b", 1200, 0.01}, {"c", 900, 0.01}}, 3);
    write_result(
        "faster.json", "device", 1, (struct point[]){{"a", 500, 0.01}, {"b", 1000, 0.01}, {"d", 900, 0.01}}, 3);
    write_result("wrong.json", "device", 1, (struct point[]){{"a", 0, 0}, {"b", 1200, 0.01}, {"c", 1000, 0.01}}, 3);
    write_result(
        "noisy.json", "device", 1, (struct point[]){{"a", 1050, 0.3}, {"b", 1000, 0.01}, {"c", 1000, 0.01}}, 3);
    write_result("others.json", "device", 1, (struct point[]){{"x", 1000, 0.01}, {"y", 1000, 0.01}}, 2);
    assert_run(
        "compare base.json base.json", STATUS_OK, "compare: held: 0 wrong, 0 slower, 0 ambiguous, 3 same of 3 points");
    assert_run("compare base.json slower.json", STATUS_SLOWER,
        "compare: slower: 0 wrong, 1 slower, 0 ambiguous, 1 faster, 1 same of 3 points against base.json");
    assert_run("compare base.json slower.json --effect 25%", STATUS_OK, "compare: held");
    assert_run("compare base.json faster.json --strict", STATUS_OK, "1 removed, 1 faster, 1 new, 1 same of 4 points");
    assert_run("compare base.json wrong.json", STATUS_WRONG, "vkassay check 'a' --seed 1");
    assert_run("compare base.json noisy.json", STATUS_PARTIAL, "compare: undecided: 0 wrong, 0 slower, 1 ambiguous");
    assert_run("compare base.json noisy.json", STATUS_PARTIAL, "1 of 3 points could not be judged");
    assert_run("compare base.json noisy.json --effect 40", STATUS_OK, "compare: held");
    assert_run("compare base.json noisy.json --strict", STATUS_SLOWER, "compare: ambiguous, and --strict was given");
    assert_run("compare base.json others.json", STATUS_NOTHING, "nothing to compare");
    assert_run("compare wrong.json base.json", STATUS_OK, "1 fixed");
}

static void what_is_mismatched_or_damaged_is_refused(void **state) {
    write_result("base.json", "device", 1, base_points, 3);
    write_result("device.json", "another device", 1, base_points, 3);
    write_result("seed.json", "device", 2, base_points, 3);
    write_text("torn.json", "{\"schema_version\": 1, \"tool\": {");
    write_text("other.json", "{\"schema_version\": 1}");
    write_text("future.json", "{\"schema_version\": 99, \"records\": []}");
    assert_run("compare base.json device.json", STATUS_BAD_INPUT,
        "device: device (0000:0000), then another device (0000:0000)");
    assert_run("compare base.json seed.json", STATUS_BAD_INPUT, "seed: 1, then 2");
    assert_run(
        "merge base.json seed.json --out m.json", STATUS_BAD_INPUT, "expected '1' as in the first result, found '2'");
    assert_run("merge base.json base.json --out m.json", STATUS_BAD_INPUT, "point a is in two of the results");
    assert_run("compare base.json seed.json --allow-different", STATUS_OK, "although they differ in seed: 1, then 2");
    assert_run("compare base.json torn.json", STATUS_BAD_INPUT, "torn.json");
    assert_run("compare other.json base.json", STATUS_BAD_INPUT, "other.json: $");
    assert_run("compare base.json future.json", STATUS_BAD_INPUT, "schema_version");
    assert_run("compare base.json missing.json", STATUS_BAD_INPUT, "missing.json");
    assert_run("compare base.json", STATUS_USAGE, "expected two results");
    assert_run("compare base.json base.json --effect -1", STATUS_USAGE, "--effect expects PERCENT");
    assert_run("compare base.json base.json --ulp-factor 0.5", STATUS_USAGE, "--ulp-factor expects FACTOR");
    assert_run("compare base.json base.json --format html", STATUS_USAGE, "--format expects text, markdown or json");
}

// Output for programs is alone on standard output; the verdict's line goes to standard error.
static void forms_for_programs_stand_alone(void **state) {
    write_result("base.json", "device", 1, base_points, 3);
    assert_run("compare base.json base.json --json", STATUS_OK, "compare: held");
    struct json_object *object = json_parse(text_of("output"), strlen(text_of("output")));
    assert_non_null(object);
    assert_int_equal(json_object_array_length(json_get(object, "compared")), 3);
    json_object_put(object);
    assert_run("compare base.json base.json --format markdown", STATUS_OK, "### vkassay: held");
    assert_int_equal(strncmp(text_of("output"), "### ", 4), 0);
    assert_non_null(strstr(text_of("errors"), "compare: held"));
}

// Keeps a baseline of a result made elsewhere. It is smaller, but gives the same verdicts.
static void a_baseline_keeps_what_comparing_needs(void **state) {
    static const char path[] = "kept/device-1-2-beta/gate.json";
    const struct point thirds[] = {{"a", 1000.0 / 3, 0.01}, {"b", 1000, 0.01}, {"c", 0, 0}};
    struct result result;
    struct error err;
    write_result("base.json", "device", 1, thirds, 3);
    assert_run("baseline base.json --baselines kept", STATUS_WRONG,
        "baseline: 3 points of device, 1 of them not right, are in kept");
    if (!result_read(arena_format(&arena, "%s/%s", folder, path), &result, &err)) fail_msg("%s", err.text);
    assert_int_equal(result.records[0].time[FIGURE_UPLOAD].samples, 0);
    assert_int_equal(result.records[0].time[FIGURE_COMPUTE].samples, SAMPLES);
    assert_true(result.records[0].samples[FIGURE_COMPUTE][1] == 330.606); // rounded from 330.60606...
    assert_true(result.records[0].time[FIGURE_COMPUTE].median > 333.333333);
    result_free(&result);
    write_result("new.json", "device", 1, (struct point[]){{"a", 345, 0.001}, {"b", 1200, 0.01}, {"c", 1, 0.01}}, 3);
    assert_run(
        "compare kept/device-1-2-beta/gate.json new.json", STATUS_SLOWER, "1 slower, 1 ambiguous, 1 fixed of 3 points");
    assert_run("baseline kept/device-1-2-beta/gate.json nonsense", STATUS_USAGE, "either results or a selection");
    assert_run("baseline nonsense", STATUS_USAGE, "no point of the suite matches");
}

// Divides all times of the only baseline of the suite "small" in this folder.
static void make_faster(const char *name) {
    char **paths;
    size_t count;
    struct error err;
    struct result result;
    if (!file_list(&arena, arena_format(&arena, "%s/%s", folder, name), "small.json", &paths, &count, &err))
        fail_msg("%s", err.text);
    assert_int_equal(count, 1);
    if (!result_read(paths[0], &result, &err)) fail_msg("%s", err.text);
    struct json_object *records[8], *context = json_object_get(result.context);
    for (size_t i = 0; i < result.count; i++) {
        struct record *r = &result.records[i];
        struct summary *s = &r->time[FIGURE_COMPUTE];
        for (size_t k = 0; k < s->samples; k++) r->samples[FIGURE_COMPUTE][k] /= 1000;
        *s = summarize(r->samples[FIGURE_COMPUTE], s->samples);
        records[i] = record_to_json(r, true);
    }
    assert_true(result_write(paths[0], context, records, result.count, 1, false, &err));
    for (size_t i = 0; i < result.count; i++) json_object_put(records[i]);
    json_object_put(context);
    result_free(&result);
}

static void what_is_wrong_is_not_measured_again(void) {
    char home[4096];
    assert_non_null(getcwd(home, sizeof home));
    const char *line = arena_format(&arena,
        "gate --suite small.json --kernels %s/harness/commands/tests/faults 'relu.scalar*' 'relu.wrong*' --baselines "
        "kept --quiet --json --out once --timeout 5",
        home);
    struct tries tries = {.most = 8, .why = "other work on the host explains the ratio, and the point is ambiguous"};
    bool slower = false;
    while (next_try(&tries, slower)) {
        shell("rm -rf %s/once", folder);
        assert_int_equal(run_inside(line), STATUS_WRONG);
        struct json_object *object = json_parse(text_of("output"), strlen(text_of("output")));
        slower = json_get_int(json_get(object, "counts"), "slower", 0) == 1;
        json_object_put(object);
    }
    assert_null(strstr(text_of("errors"), "measured again"));
}

// Runs the gate on the available device, with a small suite.
static void the_gate_holds_a_run_against_its_baseline(void **state) {
    write_text("small.json",
        "{\"schema_version\": 1, \"name\": \"small\", \"summary\": \"a test\", \"settings\": {\"point_seconds\": 0.02, "
        "\"reference_seconds\": 0.001}, \"entries\": [{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": "
        "{\"n\": 1025}, "
        "\"shapes\": \"default\"}]}");
    assert_run(
        "gate --suite small.json --baselines kept --quiet", STATUS_BAD_INPUT, "create it with `vkassay baseline`");
    assert_int_equal(access(arena_format(&arena, "%s/reports", folder), F_OK), -1); // nothing was run
    assert_run("baseline --suite small.json --baselines kept --quiet", STATUS_OK, "2 points");
    // A large --effect, because this does not test the timing of points of a few microseconds.
    assert_run("gate --suite small.json --baselines kept --quiet --effect 900 --junit junit.xml", STATUS_OK,
        "gate: held: 0 wrong");
    assert_non_null(strstr(text_of("junit.xml"), "<testsuite"));
    const char *last = strstr(text_of("output"), "gate: held");
    assert_non_null(strstr(last, "of 2 points against kept/"));
    assert_null(strchr(strchr(last, '\n') + 1, '\n')); // it is the last line
    assert_run("gate --suite small.json --baselines kept --effect 900 --format markdown", STATUS_OK, "gate: held");
    assert_int_equal(strncmp(text_of("output"), "### ", 4), 0);
    // A baseline a thousand times as fast is of another hour, which turns show.
    make_faster("kept");
    assert_run("gate --suite small.json --baselines kept --quiet --effect 900", STATUS_OK,
        "2 points measured again, in turns with the baseline's kernels");
    assert_non_null(strstr(text_of("output"), "gate: held: 0 wrong, 0 slower, "));
    what_is_wrong_is_not_measured_again();
}

// Blocks are added in the order of finishing, so each run has its own error.
static void a_version_is_not_wrong_beside_itself(void **state) {
    enum { RUNS = 4 };
    struct error err;
    size_t unsteady = 0, judged = 0;
    char path[300];
    write_suite("atomic", "{\"kernel\": \"sum.atomic\", \"dims\": {\"n\": [100000, 400000]}, \"shapes\": \"all\"}");
    for (int i = 0; i < RUNS; i++) {
        assert_int_equal(run("check --suite %s/atomic.json --quiet --out %s/itself%d", folder, folder, i), STATUS_OK);
        shell("mv %s/itself%d/*/*/result.json %s/itself%d.json", folder, i, folder, i);
        struct result result;
        snprintf(path, sizeof path, "%s/itself%d.json", folder, i);
        assert_true(result_read(path, &result, &err));
        for (size_t k = 0; k < result.count; k++) {
            const struct record *r = &result.records[k];
            if (strcmp(r->kernel, "sum.atomic") != 0 || r->status != RECORD_PASS) continue;
            unsteady += !r->check.same_bits;
            judged++;
            assert_int_equal(r->check.spread.runs, CHECK_RUNS);
            assert_true(
                r->check.spread.lo <= r->check.spread.hi && fabs(r->check.spread.hi - r->check.worst_ratio) < 1e-12);
        }
        result_free(&result);
    }
    for (int i = 0; i < RUNS; i++)
        for (int k = 0; k < RUNS; k++)
            if (i != k && run("compare %s/itself%d.json %s/itself%d.json", folder, i, folder, k) == STATUS_WRONG)
                fail_msg("%d against %d:\n%s", i, k, text_of("output"));
    print_message("%zu of %zu points gave other bits in another run\n", unsteady, judged);
}

static int clean_up(void **state) {
    arena_free(&arena);
    return folder_remove(state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_exit_status),
        cmocka_unit_test(what_is_mismatched_or_damaged_is_refused),
        cmocka_unit_test(forms_for_programs_stand_alone),
        cmocka_unit_test(a_baseline_keeps_what_comparing_needs),
        cmocka_unit_test(a_version_is_not_wrong_beside_itself),
        cmocka_unit_test(the_gate_holds_a_run_against_its_baseline),
    };
    return cmocka_run_group_tests(tests, program_open, clean_up);
}

// SPDX-License-Identifier: Apache-2.0
// The program from outside, as its users call it: statuses, faults that must cost one point, resume, user kernels.
// Runs on whatever device there is; faults/ holds kernels that are broken on purpose.
#include "../../base/json.h"
#include "../../record/result.h"
#include "../../render/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char program[4096], folder[] = "/tmp/vkassay-test-XXXXXX";

// Runs `vkassay ARGUMENTS` with its output in a file; returns the exit status, or minus the signal.
static int run(const char *arguments) {
    char command[9000];
    snprintf(command, sizeof command, "VKASSAY_CACHE=%s/cache %s %s >%s/output 2>&1", folder, program, arguments, folder);
    int status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static const char *output(void) {
    static char text[200000];
    char path[300];
    snprintf(path, sizeof path, "%s/output", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void assert_says(const char *part) {
    if (!strstr(output(), part)) fail_msg("expected '%s' in:\n%s", part, output());
}

static void read_result(const char *name, struct result *result) {
    char find[400], path[2000] = "";
    struct error err;
    snprintf(find, sizeof find, "ls %s/%s/*/*/result.json", folder, name);
    FILE *pipe = popen(find, "r");
    assert_non_null(pipe);
    assert_non_null(fgets(path, sizeof path, pipe));
    pclose(pipe);
    path[strcspn(path, "\n")] = '\0';
    if (!result_read(path, result, &err)) fail_msg("%s", err.text);
}

static const struct record *record_of(const struct result *result, const char *kernel) {
    for (size_t i = 0; i < result->count; i++)
        if (strcmp(result->records[i].kernel, kernel) == 0) return &result->records[i];
    fail_msg("no record of %s", kernel);
    return NULL;
}

static void write_suite(const char *name, const char *entries) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
        "{\"schema_version\": 1, \"name\": \"%s\", \"summary\": \"a test\", \"settings\": {\"point_seconds\": 0.01, "
        "\"reference_seconds\": 0.01}, \"entries\": [%s]}",
        name, entries);
    fclose(file);
}

static bool on_swiftshader(void) {
    assert_int_equal(run("devices"), STATUS_OK);
    return strstr(output(), "SwiftShader") != NULL;
}

static void each_fault_costs_its_own_point(void **state) {
    (void)state;
    struct result result;
    char arguments[900];
    bool checks_bounds = on_swiftshader(); // of shared memory: then a write outside it is dropped
    write_suite("faults", "{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1025}, \"shapes\": \"default\"}");
    snprintf(arguments, sizeof arguments,
        "check --suite %s/faults.json --kernels harness/commands/tests/faults --timeout 3 --out %s/faults", folder, folder);
    assert_int_equal(run(arguments), STATUS_WRONG);
    read_result("faults", &result);
    const struct {
        const char *kernel;
        enum record_status status;
        const char *reason;
    } expected[] = {
        {"relu.crash", checks_bounds ? RECORD_PASS : RECORD_CRASH, checks_bounds ? NULL : "killed by"},
        {"relu.endless", RECORD_TIMEOUT, ""},
        {"relu.wrong", RECORD_FAIL, "are wrong"},
        {"relu.stale", RECORD_FAIL, "are wrong"},
        {"relu.beyond", RECORD_FAIL, "past the end of operand y"},
        {"relu.greedy", RECORD_FAIL, "changed its input x"},
        {"relu.racy", RECORD_FAIL, "other bits"},
        {"relu.broken", RECORD_ERROR, "no_such_function"},
        {"relu.right", RECORD_PASS, NULL},
        {"relu.scalar", RECORD_PASS, NULL},
        {"relu.vec4", RECORD_PASS, NULL},
    };
    size_t count = sizeof expected / sizeof expected[0];
    assert_int_equal(result.count, count);
    for (size_t i = 0; i < count; i++) {
        const struct record *record = record_of(&result, expected[i].kernel);
        if (record->status != expected[i].status)
            fail_msg("%s: %s (%s)", expected[i].kernel, record_status_name(record->status), record->reason);
        if (expected[i].reason && !strstr(record->reason, expected[i].reason))
            fail_msg("%s: reason '%s'", expected[i].kernel, record->reason);
    }
    result_free(&result);
}

static void a_driver_that_ends_the_process_costs_one_point(void **state) {
    (void)state;
    struct result result;
    char arguments[900];
    if (!on_swiftshader()) skip();
    snprintf(arguments, sizeof arguments,
        "check 'relu.deep/f32/n=1025/wg=64x1x1' 'relu.scalar/f32/n=1025/wg=256x1x1,ITEMS=1' "
        "--kernels harness/commands/tests/deep --out %s/deep",
        folder);
    assert_int_equal(run(arguments), STATUS_WRONG);
    read_result("deep", &result);
    assert_int_equal(record_of(&result, "relu.deep")->status, RECORD_CRASH);
    assert_non_null(strstr(record_of(&result, "relu.deep")->reason, "exit status"));
    assert_int_equal(record_of(&result, "relu.scalar")->status, RECORD_PASS);
    result_free(&result);
}

// The replay line of a failing point, run as it is printed, gives the same bits.
static void a_failure_replays_bit_for_bit(void **state) {
    (void)state;
    struct result first, again;
    char arguments[1500];
    snprintf(arguments, sizeof arguments,
        "check 'relu.wrong/*' --seed 7 --suite %s/faults.json --kernels harness/commands/tests/faults --out %s/first", folder,
        folder);
    assert_int_equal(run(arguments), STATUS_WRONG);
    assert_says("vkassay check 'relu.wrong/f32/n=1025/wg=64x1x1' --seed 7");
    assert_says("--seed 7 --kernels harness/commands/tests/faults\n");
    snprintf(arguments, sizeof arguments,
        "check 'relu.wrong/f32/n=1025/wg=64x1x1' --seed 7 --kernels harness/commands/tests/faults --out %s/again", folder);
    assert_int_equal(run(arguments), STATUS_WRONG);
    read_result("first", &first);
    read_result("again", &again);
    const struct record *a = record_of(&first, "relu.wrong"), *b = record_of(&again, "relu.wrong");
    assert_int_equal(a->check.worst_index, b->check.worst_index);
    assert_true(a->check.got == b->check.got && a->check.want == b->check.want);
    assert_true(a->check.output_hash == b->check.output_hash);
    result_free(&first);
    result_free(&again);
}

// Without a suite a kernel is met at the sizes beside its workgroup, in other shapes and at random.
static void a_check_samples_without_a_suite(void **state) {
    (void)state;
    struct result result;
    char arguments[1500];
    bool beside = false, drawn = false, other_shape = false;
    snprintf(arguments, sizeof arguments, "check 'relu.scalar/f32' --random 4 --seed 5 --out %s/sampled", folder);
    assert_int_equal(run(arguments), STATUS_OK);
    read_result("sampled", &result);
    assert_true(result.count > 12);
    for (size_t i = 0; i < result.count; i++) {
        const struct record *r = &result.records[i];
        beside |= r->is_default && r->dims[0].value == (double)r->wg[0] + 1;
        other_shape |= !r->is_default;
        drawn |= r->dims[0].value != 1 && r->dims[0].value != 1025;
        assert_non_null(strstr(r->replay, "--seed 5"));
    }
    assert_true(beside && drawn && other_shape);
    result_free(&result);
}

// Half of a result is none, in whatever form it is asked for; nothing is written then. --junit writes as the run ends.
static void a_result_is_exported_whole_or_not_at_all(void **state) {
    (void)state;
    char arguments[1500];
    snprintf(arguments, sizeof arguments,
        "check 'relu.wrong/*' 'relu.right/*' --suite %s/faults.json --kernels harness/commands/tests/faults --out %s/export "
        "--junit %s/junit.xml",
        folder, folder, folder);
    assert_int_equal(run(arguments), STATUS_WRONG);
    snprintf(arguments, sizeof arguments, "export %s/export/*/*/result.json --format junit --out %s/again.xml; cmp %s/*.xml",
        folder, folder, folder);
    assert_int_equal(run(arguments), STATUS_OK);
    snprintf(arguments, sizeof arguments, "export %s/export/*/*/result.json --format junit", folder);
    assert_int_equal(run(arguments), STATUS_OK);
    assert_says("<failure type=\"fail\"");
    assert_says("replay: vkassay check 'relu.wrong/f32/n=1025/wg=64x1x1' --seed 1 --kernels harness/commands/tests/faults\n</failure>");
    assert_int_equal(run("export --help"), STATUS_OK);
    for (const struct export_format *f = export_formats; f->name; f++) assert_says(f->name);
    snprintf(arguments, sizeof arguments, "head -c 2000 %s/export/*/*/result.json >%s/half.json", folder, folder);
    assert_int_equal(system(arguments), 0);
    for (const struct export_format *f = export_formats; f->name; f++) {
        snprintf(arguments, sizeof arguments, "export %s/half.json --format %s --out %s/half.out", folder, f->name, folder);
        assert_int_equal(run(arguments), STATUS_BAD_INPUT);
        assert_says("half.json");
        snprintf(arguments, sizeof arguments, "%s/half.out", folder);
        assert_int_equal(access(arguments, F_OK), -1);
    }
}

static void write_text(const char *name, const char *text) {
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    fclose(file);
}

// Two faults and a right kernel under an expectations file of the test's folder; what the run leaves is in OUT/*/*/.
static int check_expecting(const char *expectations, const char *out) {
    char arguments[1500];
    snprintf(arguments, sizeof arguments,
        "check 'relu.wrong' 'relu.broken' 'relu.right' --suite %s/faults.json --kernels harness/commands/tests/faults "
        "--out %s/%s --expectations %s",
        folder, folder, out, expectations);
    return run(arguments);
}

static void expectations_are_kept_true(void **state) {
    (void)state;
    static const char known[] = "{\"schema_version\": 1, \"expectations\": ["
        "{\"points\": \"relu.wrong\", \"status\": \"fail\", \"reason\": \"known\"},"
        "{\"points\": \"relu.broken\", \"status\": \"skip\", \"reason\": \"not ours\"}";
    struct result result;
    char path[400], text[1000];
    snprintf(path, sizeof path, "%s/none.json", folder);
    write_text("none.json", "{\"schema_version\": 1, \"expectations\": []}");
    assert_int_equal(check_expecting(path, "first-expectations"), STATUS_WRONG);
    read_result("first-expectations", &result);
    const struct record *wrong = record_of(&result, "relu.wrong");
    assert_int_equal(wrong->attempts.count, 2);
    assert_false(wrong->attempts.flaky);
    result_free(&result);
    // The run's own output is the next one's expectations.
    snprintf(path, sizeof path, "%s/first-expectations/*/*/expectations.json", folder);
    assert_int_equal(check_expecting(path, "second-expectations"), STATUS_OK);
    assert_says("2 not right as expected");
    // A failure that is known, a point that is not run.
    snprintf(text, sizeof text, "%s]}", known);
    write_text("known.json", text);
    snprintf(path, sizeof path, "%s/known.json", folder);
    assert_int_equal(check_expecting(path, "third-expectations"), STATUS_OK);
    read_result("third-expectations", &result);
    assert_int_equal(record_of(&result, "relu.broken")->status, RECORD_SKIP);
    assert_string_equal(record_of(&result, "relu.broken")->reason, "to be skipped: not ours");
    assert_int_equal(record_of(&result, "relu.wrong")->attempts.count, 0);
    result_free(&result);
    // A pass that was not expected fails the run, and is gone from what the run leaves.
    snprintf(text, sizeof text, "%s, {\"points\": \"relu.right\", \"status\": \"fail\", \"reason\": \"mended\"}]}", known);
    write_text("known.json", text);
    assert_int_equal(check_expecting(path, "fourth-expectations"), STATUS_WRONG);
    assert_says("relu.right/f32/n=1025/wg=64x1x1: it is right; expected fail (mended)");
    snprintf(path, sizeof path, "%s/fourth-expectations/*/*/expectations.json", folder);
    assert_int_equal(check_expecting(path, "fifth-expectations"), STATUS_OK);
    // What is expected of another device says nothing of this one.
    write_text("known.json", "{\"schema_version\": 1, \"expectations\": [{\"points\": \"*\", \"device\": \"Voodoo*\", "
                             "\"status\": \"flake\", \"reason\": \"elsewhere\"}]}");
    snprintf(path, sizeof path, "%s/known.json", folder);
    assert_int_equal(check_expecting(path, "sixth-expectations"), STATUS_WRONG);
    write_text("known.json", "{\"schema_version\": 1, \"expectations\": [{\"points\": \"*\"}]}");
    assert_int_equal(check_expecting(path, "seventh-expectations"), STATUS_BAD_INPUT);
    assert_says("known.json: $.expectations[0]");
}

// The driver that the tests do not run on now, by its manifest; "" where it is not installed.
static const char *other_driver(void) {
    static char path[500];
    const char *find = on_swiftshader() ? "lavapipe_manifest" : "swiftshader_manifest";
    char command[200];
    snprintf(command, sizeof command, "bash -c '. scripts/find.sh; %s'", find);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    if (!fgets(path, sizeof path, pipe)) path[0] = '\0';
    pclose(pipe);
    path[strcspn(path, "\n")] = '\0';
    return path;
}

// What is printed of a user's broken kernel is all that it takes to see the same on another driver: the line as it
// stands, copied. The folder's name is one that a shell must not take apart.
static void a_failure_replays_on_the_other_driver(void **state) {
    (void)state;
    struct result here, there;
    char arguments[2000], line[1000], driver[500];
    snprintf(driver, sizeof driver, "%s", other_driver());
    if (!*driver) skip();
    snprintf(arguments, sizeof arguments, "cp -r harness/commands/tests/faults \"%s/user's kernels\"", folder);
    assert_int_equal(system(arguments), 0);
    snprintf(arguments, sizeof arguments, "check relu.wrong --seed 11 --suite %s/faults.json --kernels \"%s/user's kernels\" "
        "--out %s/here", folder, folder, folder);
    assert_int_equal(run(arguments), STATUS_WRONG);
    const char *replay = strstr(output(), "    vkassay check ");
    assert_non_null(replay);
    replay += strlen("    vkassay ");
    snprintf(line, sizeof line, "%.*s", (int)strcspn(replay, "\n"), replay);
    const char *drivers = getenv("VK_DRIVER_FILES"), *was = drivers ? strdup(drivers) : NULL;
    setenv("VK_DRIVER_FILES", driver, 1);
    setenv("VK_ICD_FILENAMES", driver, 1);
    snprintf(arguments, sizeof arguments, "%s --out %s/there", line, folder);
    int status = run(arguments);
    if (was)
        setenv("VK_DRIVER_FILES", was, 1), setenv("VK_ICD_FILENAMES", was, 1);
    else
        unsetenv("VK_DRIVER_FILES"), unsetenv("VK_ICD_FILENAMES");
    assert_int_equal(status, STATUS_WRONG);
    read_result("here", &here);
    read_result("there", &there);
    assert_string_not_equal(here.device.driver_uuid, there.device.driver_uuid);
    assert_int_equal(there.count, 1);
    const struct record *a = record_of(&here, "relu.wrong"), *b = &there.records[0];
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->replay, b->replay);
    assert_string_equal(a->reason, b->reason);
    assert_true(a->check.worst_index >= 0);
    assert_int_equal(a->check.worst_index, b->check.worst_index);
    assert_true(a->check.got == b->check.got && a->check.want == b->check.want && a->check.got != a->check.want);
    assert_true(a->check.inputs[0].value == b->check.inputs[0].value);
    assert_int_equal(a->check.failures, b->check.failures);
    result_free(&here);
    result_free(&there);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct record *)a)->name, ((const struct record *)b)->name);
}

static void a_killed_run_resumes_to_the_same_records(void **state) {
    (void)state;
    struct result whole, resumed;
    char arguments[2000];
    write_suite("resume", "{\"kernel\": \"add.*\", \"dims\": {\"n\": [1, 33, 1025]}, \"shapes\": \"all\"},"
                          "{\"kernel\": \"tanh.*\", \"dims\": {\"n\": [1, 33, 1025]}, \"shapes\": \"all\"}");
    snprintf(arguments, sizeof arguments, "check --suite %s/resume.json --out %s/whole", folder, folder);
    run(arguments);
    // Killed as soon as the journal holds its first records.
    snprintf(arguments, sizeof arguments,
        "check --suite %s/resume.json --out %s/killed & pid=$!; for i in $(seq 600); do "
        "[ $(cat %s/killed/*/*/journal.jsonl 2>/dev/null | wc -l) -ge 4 ] && break; sleep 0.01; done; kill -9 $pid; wait",
        folder, folder, folder);
    run(arguments);
    snprintf(arguments, sizeof arguments, "check --resume $(dirname %s/killed/*/*/journal.jsonl)", folder);
    run(arguments);
    read_result("whole", &whole);
    read_result("killed", &resumed);
    assert_int_equal(whole.count, resumed.count);
    qsort(whole.records, whole.count, sizeof *whole.records, by_name);
    qsort(resumed.records, resumed.count, sizeof *resumed.records, by_name);
    for (size_t i = 0; i < whole.count; i++) {
        assert_string_equal(whole.records[i].name, resumed.records[i].name);
        assert_int_equal(whole.records[i].status, resumed.records[i].status);
        assert_true(whole.records[i].check.output_hash == resumed.records[i].check.output_hash);
    }
    result_free(&whole);
    result_free(&resumed);
}

// The first block of `language` behind `heading` in README.md, written to a file of the test's folder.
static void write_example(const char *heading, const char *language, const char *name) {
    static char text[100000];
    char fence[20], path[300];
    FILE *readme = fopen("README.md", "r");
    assert_non_null(readme);
    text[fread(text, 1, sizeof text - 1, readme)] = '\0';
    fclose(readme);
    snprintf(fence, sizeof fence, "```%s\n", language);
    char *section = strstr(text, heading), *begin = section ? strstr(section, fence) : NULL;
    char *end = begin ? strstr(begin + strlen(fence), "```") : NULL;
    assert_non_null(end);
    begin += strlen(fence);
    snprintf(path, sizeof path, "%s/mine/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(begin, 1, (size_t)(end - begin), file), end - begin);
    fclose(file);
}

// The README's own kernel, in a folder outside the repository, by the program as it was built.
static void a_users_kernel_runs_without_a_rebuild(void **state) {
    (void)state;
    struct result result;
    char arguments[900];
    snprintf(arguments, sizeof arguments, "%s/mine", folder);
    assert_int_equal(mkdir(arguments, 0777), 0);
    write_example("## Add a kernel", "json", "mine.json");
    write_example("## Add a kernel", "glsl", "relu.comp");
    snprintf(arguments, sizeof arguments, "bench 'relu.mine/f32/n=1025/wg=64x1x1' --kernels %s/mine --out %s/users", folder,
        folder);
    assert_int_equal(run(arguments), STATUS_OK);
    read_result("users", &result);
    const struct record *record = record_of(&result, "relu.mine");
    assert_int_equal(record->status, RECORD_PASS);
    assert_true(record->time[FIGURE_COMPUTE].samples >= 10 && record->time[FIGURE_COMPUTE].median > 0);
    result_free(&result);
}

static void statuses_and_messages_are_as_documented(void **state) {
    (void)state;
    static const struct {
        const char *arguments;
        int status;
        const char *says;
    } expected[] = {
        {"--help", STATUS_OK, "bench"},
        {"bench --help", STATUS_OK, "--suite"},
        {"", STATUS_USAGE, "Usage"},
        {"bunch", STATUS_USAGE, "did you mean 'bench'"},
        {"bench --sute quick", STATUS_USAGE, "did you mean --suite"},
        {"bench --seed twelve", STATUS_USAGE, "--seed expects N, found 'twelve'"},
        {"bench --shard 3/2", STATUS_USAGE, "--shard expects I/N"},
        {"bench --suite no-such-suite", STATUS_BAD_INPUT, "there are"},
        {"check --suite smoke 'matmull.*'", STATUS_USAGE, "matmul"},
        {"check --suite smoke --tier smoke", STATUS_USAGE, "not both"},
        {"check --tier smok", STATUS_USAGE, "--tier expects"},
        {"check --tier smoke --random 3", STATUS_USAGE, "--random goes with --tier sampled"},
        {"check --random 0", STATUS_USAGE, "--random expects N"},
        {"check --device no-such-device", STATUS_USAGE, "no-such-device"},
        {"check --kernels /no/such/folder", STATUS_BAD_INPUT, "/no/such/folder"},
        {"report /no/such/result.json", STATUS_BAD_INPUT, "/no/such/result.json"},
        {"export", STATUS_USAGE, "--format NAME"},
        {"export /no/such/result.json --format jnit", STATUS_USAGE, "did you mean 'junit'"},
        {"export /no/such/result.json --format csv", STATUS_BAD_INPUT, "/no/such/result.json"},
        {"list operators", STATUS_OK, "softmax"},
        {"list nonsense", STATUS_USAGE, "nonsense"},
        {"devices", STATUS_OK, "subgroup"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        int status = run(expected[i].arguments);
        if (status != expected[i].status)
            fail_msg("vkassay %s: status %d, expected %d:\n%s", expected[i].arguments, status, expected[i].status, output());
        assert_says(expected[i].says);
    }
}

static int make_folder(void **state) {
    (void)state;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 20);
    if (length < 0 || !mkdtemp(folder)) return -1;
    program[length] = '\0';
    *strrchr(program, '/') = '\0'; // BUILD/tests
    strcpy(strrchr(program, '/'), "/vkassay");
    return access(program, X_OK);
}

static int remove_folder(void **state) {
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_costs_its_own_point),
        cmocka_unit_test(a_driver_that_ends_the_process_costs_one_point),
        cmocka_unit_test(a_failure_replays_bit_for_bit),
        cmocka_unit_test(a_check_samples_without_a_suite),
        cmocka_unit_test(a_failure_replays_on_the_other_driver),
        cmocka_unit_test(a_result_is_exported_whole_or_not_at_all),
        cmocka_unit_test(expectations_are_kept_true),
        cmocka_unit_test(a_killed_run_resumes_to_the_same_records),
        cmocka_unit_test(a_users_kernel_runs_without_a_rebuild),
        cmocka_unit_test(statuses_and_messages_are_as_documented),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

// SPDX-License-Identifier: Apache-2.0
// Tests --resume on folders of runs made by somebody else: the parts of their command line and files to use or
// ignore. Each starts as a finished check of two points, FOLDER/run.
#include "vkassay_program.h"

#include <sys/stat.h>

#define FIRST_POINT "relu.scalar/f32/n=1025/wg=256x1x1,ITEMS=1"

// Copies the run to FOLDER/NAME and replaces its recorded command line, from the verb on, by these JSON strings.
static void forge(const char *name, const char *words) {
    int status =
        shell("cp -r \"$(echo %s/run/*/*)\" %s/%s && sed -i '1s#\"argv\":\\[[^]]*\\]#\"argv\":[\"vkassay\",%s]#' "
              "%s/%s/journal.jsonl",
            folder, folder, name, words, folder, name);
    assert_int_equal(status, 0);
    assert_holds("*/journal.jsonl", "\"argv\":[");
}

static bool there_is(const char *name) {
    return access(in_folder(name), F_OK) == 0;
}

static int open_run(void **state) {
    if (program_open(state) != 0) return -1;
    write_suite(
        "mine", "{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1025}, \"shapes\": \"default\"}");
    return run("check --suite %s/mine.json --out %s/run", folder, folder);
}

// ---- files to load, run or write

static void no_object_is_loaded_that_only_the_folder_names(void **state) {
    char words[400];
    write_text("evil.c", "#include <stdio.h>\n__attribute__((constructor)) static void loaded(void) { "
                         "fclose(fopen(LOADED, \"w\")); }\n");
    assert_int_equal(
        shell("cc -shared -fPIC -DLOADED='\"%s/loaded\"' %s/evil.c -o %s/evil.so", folder, folder, folder), 0);
    for (int joined = 0; joined < 2; joined++) {
        snprintf(words, sizeof words, "\"check\",\"%s\",\"--operators%s%s/evil.so\"", FIRST_POINT,
            joined ? "=" : "\",\"", folder);
        forge(joined ? "object2" : "object", words);
        assert_int_equal(run("check --resume %s/object%s", folder, joined ? "2" : ""), STATUS_OK);
        assert_says("ignored recorded options");
        assert_says("--operators ");
        assert_false(there_is("loaded"));
    }
    // Given again, it is loaded; this one is no file of operators.
    assert_int_equal(run("check --resume %s/object --operators %s/evil.so", folder, folder), STATUS_BAD_INPUT);
    assert_says("evil.so: this is no file of operators");
    assert_true(there_is("loaded"));
}

// The seed of a check is drawn anew, but not for a run that goes on.
static void a_run_goes_on_with_its_seed(void **state) {
    assert_int_equal(shell("cd %s && cp -r run/*/* seeded && sed -i '$d' seeded/journal.jsonl", folder), 0);
    setenv("VKASSAY_SEED", "8", 1);
    assert_int_equal(run("check --resume %s/seeded", folder), STATUS_OK);
    unsetenv("VKASSAY_SEED");
    assert_says(", seed 1\n");
}

static void a_run_that_needs_its_operators_says_so(void **state) {
    forge("needs",
        "\"check\",\"--operators\",\"double.so\",\"--kernels\",\"reports/examples/custom/kernels\",\"relu.*\"");
    assert_int_equal(run("check --resume %s/needs", folder), STATUS_BAD_INPUT);
    assert_says("without the recorded --operators: reports/examples/custom/kernels/custom.json");
}

static void no_compiler_is_run_that_only_the_folder_names(void **state) {
    char words[600];
    assert_int_equal(shell("mkdir %s/wgsl", folder), 0);
    write_text("wgsl/relu.json",
        "{\"kernels\": [{\"name\": \"relu.wgsl\", \"operator\": \"relu\", \"summary\": \"s\", \"shader\": "
        "\"relu.wgsl\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"tunables\": {\"WG_X\": {\"values\": "
        "[64], "
        "\"default\": 64}}, \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}]}]}");
    write_text("wgsl/relu.wgsl", "@compute @workgroup_size(WG_X) fn main() {}\n");
    snprintf(words, sizeof words, "\"#!/bin/sh\ntouch %s/compiled\nexit 1\n", folder);
    write_text("compiler", words + 1);
    assert_int_equal(chmod(in_folder("compiler"), 0777), 0);
    snprintf(words, sizeof words,
        "\"check\",\"relu.wgsl/f32/n=1/wg=64x1x1\",\"--kernels\",\"%s/wgsl\",\"--wgsl-compiler\",\"%s/compiler\"",
        folder, folder);
    forge("compiles", words);
    assert_int_equal(run("check --resume %s/compiles", folder), STATUS_USAGE);
    assert_says("relu.wgsl is in WGSL, and the recorded --wgsl-compiler is ignored: repeat it with ");
    assert_false(there_is("compiled"));
    assert_int_equal(run("check --resume %s/compiles --wgsl-compiler %s/compiler", folder, folder), STATUS_WRONG);
    assert_true(there_is("compiled"));
}

static void no_file_is_written_that_only_the_folder_names(void **state) {
    char words[900];
    snprintf(words, sizeof words, "\"check\",\"%s\",\"--junit\",\"%s/it's\",\"--out\",\"%s/elsewhere\"", FIRST_POINT,
        folder, folder);
    assert_int_equal(shell("cp -r \"$(echo %s/run/*/*)\" %s/writes", folder, folder), 0);
    // Not through a shell, because the name has a quote.
    assert_int_equal(shell("cat >%s/words <<'END'\n%s\nEND\n", folder, words), 0);
    assert_int_equal(shell("sed -i \"1s#\\\"argv\\\":\\[[^]]*\\]#\\\"argv\\\":[\\\"vkassay\\\",$(cat %s/words)]#\" "
                           "%s/writes/journal.jsonl",
                         folder, folder),
        0);
    assert_int_equal(run("check --resume %s/writes", folder), STATUS_OK);
    assert_says("with --resume to use them: --junit '/tmp/");
    assert_says("/it'\\''s'\n"); // quoted for a shell
    assert_false(there_is("it's"));
    assert_false(there_is("elsewhere"));
    assert_int_equal(run("check --resume %s/writes --junit %s/mine.xml", folder, folder), STATUS_OK);
    assert_null(strstr(content("output"), "ignored recorded"));
    assert_holds("mine.xml", "<testsuite");
    assert_false(there_is("it's"));
}

// Links in the folder are not followed; their targets stay unchanged.
static void no_link_in_the_folder_is_followed(void **state) {
    static const char *const links[] = {
        "result.json", "report.html", "expectations.json", "charts.gp", "gnuplot.log", "data", "ulp-relu.svg"};
    char words[200];
    draw_charts(true); // charts are written too
    snprintf(words, sizeof words, "\"check\",\"%s\"", FIRST_POINT);
    forge("linked", words);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++)
        assert_int_equal(
            shell("cd %s && rm -rf linked/%s && mkdir -p kept/data && { [ -d kept/%s ] || echo kept >kept/%s; } && "
                  "ln -s ../kept/%s linked/%s",
                folder, links[i], links[i], links[i], links[i], links[i]),
            0);
    // Temporary names end in the id of the writing thread. It is the process id, known to the shell before it
    // executes vkassay.
    int status = shell(
        "sh -c 'for f in result.json expectations.json report.html; do ln -s ../kept/part %s/linked/$f.part-$$; done; "
        "VKASSAY_CACHE=%s/cache exec %s check --resume %s/linked >%s/output 2>&1'",
        folder, folder, program, folder, folder);
    assert_int_equal(status, STATUS_OK);
    assert_int_equal(
        shell("cd %s/kept && [ ! -e part ] && [ -z \"$(ls data)\" ] && [ \"$(cat *.* | uniq)\" = kept ]", folder), 0);
    draw_charts(false);
    assert_holds("linked/result.json", "\"records\"");
    assert_int_equal(shell("[ -s %s/linked/ulp-relu.svg ] && [ ! -h %s/linked/ulp-relu.svg ]", folder, folder), 0);
    // A journal that is a link is not written to.
    assert_int_equal(shell("cd %s/linked && mv journal.jsonl ../kept && ln -s ../kept/journal.jsonl .", folder), 0);
    assert_int_equal(run("check --resume %s/linked", folder), STATUS_BAD_INPUT);
    assert_says("journal.jsonl: expected a regular file, and no link to one");
    assert_int_equal(shell("cd %s/linked && rm journal.jsonl && mkfifo journal.jsonl", folder), 0);
    assert_int_equal(run("check --resume %s/linked", folder), STATUS_BAD_INPUT);
}

// The printed line contains all options to give again.
static void the_line_to_go_on_with_is_whole(void **state) {
    assert_int_equal(shell("mkdir '%s/two words'", folder), 0);
    run("check --suite %s/mine.json --budget 1e-9 --junit '%s/a b.xml' --out '%s/two words'", folder, folder, folder);
    const char *line = strstr(content("output"), "Continue with: vkassay check --resume '/tmp/");
    assert_non_null(line);
    const char *again = strstr(line, "' --junit '/tmp/");
    assert_true(again && again < strchr(line, '\n'));
}

// ---- the verb of the run

static void a_run_goes_on_as_its_own_verb(void **state) {
    static const char *const others[] = {"bench", "tune", "claims"};
    size_t lines = 0;
    forge("verb", "\"check\",\"relu.*\"");
    for (const char *c = content("verb/journal.jsonl"); *c; c++) lines += *c == '\n';
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(run("%s --resume %s/verb", others[i], folder), STATUS_USAGE);
        assert_says("this is a run of `vkassay check`; `vkassay ");
        assert_says(others[i]);
    }
    for (const char *c = content("verb/journal.jsonl"); *c; c++) lines -= *c == '\n';
    assert_int_equal(lines, 0);
    forge("gate", "\"gate\",\"relu.*\"");
    assert_int_equal(run("check --resume %s/gate", folder), STATUS_BAD_INPUT);
    forge("none", "\"sudo\"");
    assert_int_equal(run("check --resume %s/none", folder), STATUS_BAD_INPUT);
    assert_says("this command cannot be resumed");
    forge("wrong", "\"check\",\"--seed\",\"many\"");
    assert_int_equal(run("check --resume %s/wrong", folder), STATUS_USAGE);
    assert_says("wrong/journal.jsonl:1: the recorded command line: --seed expects N, found 'many'");
}

static void a_search_goes_on_by_its_own_strategy(void **state) {
    char words[200];
    snprintf(
        words, sizeof words, "\"tune\",\"--suite\",\"%s/mine.json\",\"relu.vec4/*\",\"--strategy\",\"random\"", folder);
    forge("search", words);
    assert_int_equal(run("tune --resume %s/search", folder), STATUS_OK);
    assert_says("; random: ");
}

// ---- the result of a resumed run

// Copies the run at FOLDER/NAME to FOLDER/again without the last `lost` records of its journal, and resumes it there.
static void go_on_without(const char *verb, const char *name, int lost) {
    assert_int_equal(shell("cd %s && rm -rf again && cp -r \"$(echo %s/*/*)\" again && cd again && rm result.json && "
                           "head -n -%d journal.jsonl >kept && mv kept journal.jsonl",
                         folder, name, lost),
        0);
    assert_int_equal(run("%s --quiet --resume %s/again", verb, folder), STATUS_OK);
    assert_of_schema("again/result.json");
}

// Returns the number of samples over all figures of a record, and checks that each figure has all its samples.
static int64_t raw_samples(struct json_object *record) {
    struct json_object *time = json_get(record, "time");
    int64_t count = 0;
    if (!time) return 0;
    json_object_object_foreach(time, figure, summary) {
        (void)figure;
        const int64_t samples = json_get_int(summary, "samples", -1);
        assert_int_equal(json_object_array_length(json_get(summary, "raw_ns")), samples);
        count += samples;
    }
    return count;
}

// The resumed result has the same points in the same order. Records from the journal are unchanged.
static void assert_same_records(const char *name, size_t kept) {
    char pattern[200];
    snprintf(pattern, sizeof pattern, "%s/*/*/result.json", name);
    struct json_object *before = parsed(pattern), *after = parsed("again/result.json");
    struct json_object *old = json_get(before, "records"), *new = json_get(after, "records");
    const size_t count = json_object_array_length(old);
    size_t same = 0;
    assert_int_equal(json_object_array_length(new), count);
    for (size_t i = 0; i < count; i++) {
        struct json_object *a = json_object_array_get_idx(old, i), *b = json_object_array_get_idx(new, i);
        assert_string_equal(json_get_string(a, "name", ""), json_get_string(b, "name", "?"));
        assert_int_equal(raw_samples(a) > 0, raw_samples(b) > 0); // a point run again has its own times
        same += json_object_equal(a, b) != 0;
    }
    assert_true(same >= kept);
    json_object_put(before);
    json_object_put(after);
}

static void a_resumed_bench_keeps_all_of_its_samples(void **state) {
    write_suite("ruled",
        "{\"kernel\": \"nothing.empty\", \"dims\": {\"n\": 1}, \"shapes\": \"default\", \"peak\": "
        "\"empty_dispatch_ns\"}, "
        "{\"kernel\": \"copy.vec4\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 4096}, \"shapes\": \"default\", "
        "\"peak\": "
        "\"copy_bytes_per_s\"}, "
        "{\"kernel\": \"relu.*\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": 1025}, \"shapes\": \"default\"}");
    assert_int_equal(run("bench --quiet --suite %s/ruled.json --samples 5 --out %s/ruled", folder, folder), STATUS_OK);
    struct result result;
    read_result("ruled", &result);
    const size_t count = result.count;
    result_free(&result);
    assert_true(count >= 4);
    for (int lost = 0; lost < 4; lost++) { // from no points to peaks
        go_on_without("bench", "ruled", lost);
        assert_same_records("ruled", count - (size_t)lost);
    }
    assert_int_equal(run("report %s/again/result.json --out %s/again/page", folder, folder), STATUS_OK);
}

static void a_resumed_search_and_a_resumed_sweep_keep_theirs(void **state) {
    assert_int_equal(
        run("tune --quiet --suite %s/mine.json 'relu.vec4' --samples 3 --out %s/searched", folder, folder), STATUS_OK);
    go_on_without("tune", "searched", 0);
    assert_same_records("searched", 1);
    assert_int_equal(
        run("check --quiet --tier exhaustive 'relu.scalar/f32' --range 0:0x3ffff --out %s/swept", folder), STATUS_OK);
    go_on_without("check", "swept", 0);
    assert_same_records("swept", 1);
}

// ---- folders under the user's home

static void paths_under_the_home_are_found_again(void **state) {
    char *home = getenv("HOME"), *was = home ? strdup(home) : NULL;
    setenv("HOME", folder, 1);
    assert_int_equal(shell("cp -r harness/commands/tests/faults %s/faults", folder), 0);
    int status =
        run("check 'relu.right/*' --suite=%s/mine.json --kernels %s/faults --out %s/home", folder, folder, folder);
    assert_int_equal(status, STATUS_OK);
    assert_holds("home/*/*/journal.jsonl", "\"--suite=~/mine.json\",\"--kernels\",\"~/faults\"");
    assert_int_equal(run("check --resume %s/home/*/*", folder), STATUS_OK);
    assert_says("1 point: 1 passed");
    assert_int_equal(
        shell("mkdir %s/moved && cp -r %s/faults %s/mine.json %s/moved", folder, folder, folder, folder), 0);
    setenv("HOME", in_folder("moved"), 1);
    assert_int_equal(run("check --resume %s/home/*/*", folder), STATUS_OK);
    unsetenv("HOME");
    assert_int_equal(run("check --resume %s/home/*/*", folder), STATUS_BAD_INPUT);
    assert_says("the recorded '--suite=~/mine.json' is in the user's home folder, and HOME names none");
    if (was) setenv("HOME", was, 1);
    free(was);
}

// ---- on another node

// Copies the run without its last record and resumes it with another device UUID or model.
static int go_on_elsewhere(const char *verb, const char *from, const char *name, const char *device) {
    return shell(
        "cd %s && { [ -d %s ] || cp -r \"$(ls -d %s/*/* | head -n 1)\" %s; } && sed -i '$d' %s/journal.jsonl && cd - "
        ">/dev/null && env ASAN_OPTIONS=\"$ASAN_OPTIONS:verify_asan_link_order=0\" VKASSAY_CACHE=%s/cache "
        "LD_PRELOAD=%s/driver.so %s %s %s --resume %s/%s >%s/output 2>&1",
        folder, name, from, name, name, folder, folder, device, program, verb, folder, name, folder);
}

static size_t devices_of(const char *pattern) {
    struct json_object *result = parsed(pattern);
    size_t count = json_object_array_length(json_get(json_get(result, "run"), "devices"));
    json_object_put(result);
    return count;
}

static void a_check_goes_on_with_a_device_that_is_alike(void **state) {
    assert_int_equal(shell("cc -shared -fPIC -O1 harness/commands/tests/faults/driver.c -o %s/driver.so", folder), 0);
    assert_int_equal(go_on_elsewhere("check", "run", "requeued", "FAULT_UUID=0"), STATUS_OK);
    assert_null(strstr(content("output"), "is not here"));
    assert_int_equal(go_on_elsewhere("check", "run", "requeued", "FAULT_UUID=17"), STATUS_OK);
    assert_says("is not available; continuing on one of the same model and driver");
    assert_int_equal(devices_of("requeued/result.json"), 2);
    assert_holds("requeued/result.json", "\"complete\": true");
    assert_int_equal(go_on_elsewhere("check", "run", "requeued", "FAULT_UUID=18"), STATUS_OK); // a third device
    assert_int_equal(devices_of("requeued/result.json"), 3);
    assert_of_schema("requeued/result.json");
    assert_int_equal(go_on_elsewhere("check", "run", "requeued", "FAULT_MODEL=3 FAULT_UUID=17"), STATUS_NO_DEVICE);
    assert_says("which is not here; no other device has its model and driver; there is:");
    // The journal has it, so that a later resume knows the device.
    assert_holds("requeued/journal.jsonl", "{\"goes_on_with\":\"");
}

static void what_is_timed_goes_on_with_its_own_device(void **state) {
    assert_int_equal(run("bench --suite %s/mine.json --samples 5 --out %s/timed", folder, folder), STATUS_OK);
    assert_int_equal(go_on_elsewhere("bench", "timed", "stays", "FAULT_UUID=17"), STATUS_NO_DEVICE);
    assert_says("which is not here; one run cannot mix times of two devices; there is:");
    assert_int_equal(go_on_elsewhere("bench", "timed", "stays", "FAULT_UUID=0"), STATUS_OK);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_goes_on_with_its_seed),
        cmocka_unit_test(no_object_is_loaded_that_only_the_folder_names),
        cmocka_unit_test(a_run_that_needs_its_operators_says_so),
        cmocka_unit_test(no_compiler_is_run_that_only_the_folder_names),
        cmocka_unit_test(no_file_is_written_that_only_the_folder_names),
        cmocka_unit_test(no_link_in_the_folder_is_followed),
        cmocka_unit_test(the_line_to_go_on_with_is_whole),
        cmocka_unit_test(a_run_goes_on_as_its_own_verb),
        cmocka_unit_test(a_search_goes_on_by_its_own_strategy),
        cmocka_unit_test(a_resumed_bench_keeps_all_of_its_samples),
        cmocka_unit_test(a_resumed_search_and_a_resumed_sweep_keep_theirs),
        cmocka_unit_test(paths_under_the_home_are_found_again),
        cmocka_unit_test(a_check_goes_on_with_a_device_that_is_alike),
        cmocka_unit_test(what_is_timed_goes_on_with_its_own_device),
    };
    return cmocka_run_group_tests(tests, open_run, folder_remove);
}

// SPDX-License-Identifier: Apache-2.0
// Tests the verbs from outside: statuses and messages, drawn sizes, exports, and the README's own kernel.
#include "../../tiers/sampled_tier.h"
#include "../../render/exports/export.h"
#include "vkassay_program.h"
#include "../../record/terms.h"
#include "../../record/record.h"
#include "../../device/device_info.h"

#include <math.h>

// Without a suite, a kernel is checked at sizes beside its workgroup, in other shapes and at random.
static void a_check_samples_without_a_suite(void **state) {
    struct result result;
    bool beside = false, drawn = false, other_shape = false;
    assert_int_equal(run("check 'relu.scalar/f32' --random 4 --seed 5 --out %s/sampled", folder), STATUS_OK);
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

// Outputs of adam have different bounds. The largest error and the error nearest to its bound are on different
// outputs.
static void the_error_of_a_check_belongs_to_its_bound(void **state) {
    struct result result;
    char pair[40];
    const struct record *nearest = NULL;
    bool apart = false;
    assert_int_equal(run("check 'adam.map/f32' --tier smoke --out %s/pair", folder), STATUS_OK);
    read_result("pair", &result);
    for (size_t i = 0; i < result.count; i++) {
        const struct record *r = &result.records[i];
        if (strcmp(r->kernel, "adam.map") != 0) continue;
        assert_true(fabs(r->check.worst_ulp - r->check.worst_ratio * r->check.bound_ulp) < 1e-9);
        apart |= r->check.max_ulp > r->check.bound_ulp;
        if (!nearest || r->check.worst_ratio > nearest->check.worst_ratio) nearest = r;
    }
    assert_true(apart && nearest);
    snprintf(pair, sizeof pair, " %.3g/%.3g ", nearest->check.worst_ulp, nearest->check.bound_ulp);
    assert_says(pair);
    result_free(&result);
}

// A truncated result is refused in every format, and nothing is written. --junit writes at the end of the run.
static void a_result_is_exported_whole_or_not_at_all(void **state) {
    char path[300];
    int status = run("check 'relu.wrong/*' 'relu.right/*' --suite %s/faults.json " FAULTY_KERNELS
                     " --out %s/export --junit %s/junit.xml",
        folder, folder, folder);
    assert_int_equal(status, STATUS_WRONG);
    assert_int_equal(
        run("export %s/export/*/*/result.json --format junit --out %s/again.xml", folder, folder), STATUS_OK);
    assert_int_equal(shell("cmp %s/*.xml", folder), 0);
    assert_int_equal(run("export %s/export/*/*/result.json --format junit", folder), STATUS_OK);
    assert_says("<failure type=\"fail\"");
    assert_says("replay: vkassay check 'relu.wrong/f32/n=1025/wg=64x1x1' --seed 1 " FAULTY_KERNELS "\n</failure>");
    assert_int_equal(run("export --help"), STATUS_OK);
    for (size_t i = 0; result_formats[i]; i++) assert_says(result_formats[i]->name);
    assert_int_equal(shell("head -c 2000 %s/export/*/*/result.json >%s/half.json", folder, folder), 0);
    snprintf(path, sizeof path, "%s/half.out", folder);
    for (size_t i = 0; result_formats[i]; i++) {
        assert_int_equal(
            run("export %s/half.json --format %s --out %s", folder, result_formats[i]->name, path), STATUS_BAD_INPUT);
        assert_says("half.json");
        assert_int_equal(access(path, F_OK), -1);
    }
}

// Writes the first block of `language` after `heading` in kernels/README.md to a file in the test's folder.
static void write_example(const char *heading, const char *language, const char *name) {
    static char text[100000];
    char fence[20];
    FILE *readme = fopen("kernels/README.md", "r");
    assert_non_null(readme);
    text[fread(text, 1, sizeof text - 1, readme)] = '\0';
    fclose(readme);
    snprintf(fence, sizeof fence, "```%s\n", language);
    char *section = strstr(text, heading), *begin = section ? strstr(section, fence) : NULL;
    char *end = begin ? strstr(begin + strlen(fence), "```") : NULL;
    assert_non_null(end);
    *end = '\0';
    write_text(name, begin + strlen(fence));
}

// Runs the page's own kernel from a folder outside the repository, without rebuilding the program, and draws its
// charts.
static void a_users_kernel_runs_without_a_rebuild(void **state) {
    struct result result;
    assert_int_equal(shell("mkdir %s/mine", folder), 0);
    write_example("## Add a kernel", "json", "mine/mine.json");
    write_example("## Add a kernel", "glsl", "mine/relu.comp");
    draw_charts(true);
    assert_int_equal(
        run("bench 'relu.mine/f32/n=1025/wg=64x1x1' --kernels %s/mine --out %s/users", folder, folder), STATUS_OK);
    draw_charts(false);
    assert_int_equal(shell("cd %s/users/*/* && [ -s ulp-relu.svg ] && [ -s ulp-relu.png ]", folder), 0);
    read_result("users", &result);
    const struct record *record = record_of(&result, "relu.mine");
    assert_int_equal(record->status, RECORD_PASS);
    assert_true(record->time[FIGURE_COMPUTE].samples >= 10 && record->time[FIGURE_COMPUTE].median > 0);
    result_free(&result);
}

// Measures more sizes than two screens hold. Only `report` prints them all.
static void a_bench_of_many_cases_prints_a_line_a_family(void **state) {
    enum { SIZES = 61 };
    char entry[600];
    int length = snprintf(entry, sizeof entry,
        "{\"kernel\": \"relu.scalar\", \"dtypes\": [\"f32\"], \"shapes\": \"default\", \"dims\": {\"n\": [1");
    for (int n = 2; n <= SIZES; n++) length += snprintf(entry + length, sizeof entry - (size_t)length, ", %d", n);
    snprintf(entry + length, sizeof entry - (size_t)length, "]}}");
    write_suite("many", entry);
    assert_int_equal(run("bench --suite %s/many.json --samples 2 --out %s/many", folder, folder), STATUS_OK);
    assert_says("  family ");
    assert_null(strstr(content("output"), "relu  size: n"));
    assert_int_equal(run("report %s/many/*/*/result.json", folder), STATUS_OK);
    assert_says("relu  size: n");
}

static void statuses_and_messages_are_as_documented(void **state) {
    static const struct {
        const char *arguments;
        int status;
        const char *says;
    } expected[] = {
        {"--help", STATUS_OK, "bench"},
        {"--version", STATUS_OK, "vkassay 0."},
        {"check --help", STATUS_OK, "  --tier smoke|sampled|exhaustive\n                         how much"},
        {"bench --help", STATUS_OK, "--suite"},
        {"help try", STATUS_OK, "Usage: vkassay try SHADER"},
        {"help nope", STATUS_USAGE, "unknown command 'nope'"},
        {"", STATUS_USAGE, "Usage"},
        {"bunch", STATUS_USAGE, "did you mean 'bench'"},
        {"bench --sute quick", STATUS_USAGE, "did you mean --suite"},
        {"bench --seed twelve", STATUS_USAGE, "--seed expects N, found 'twelve'"},
        {"bench --shard 3/2", STATUS_USAGE, "--shard expects I/N"},
        {"bench --suite no-such-suite", STATUS_BAD_INPUT, "expected one of"},
        {"check --suite smoke 'matmull.*'", STATUS_USAGE, "matmul"},
        {"check --suite smoke --tier smoke", STATUS_USAGE, "not both"},
        {"check --tier smok", STATUS_USAGE, "--tier expects"},
        {"check --tier smoke --random 3", STATUS_USAGE, "--random requires --tier sampled"},
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
        {"devices", STATUS_OK, "queue"},
    };
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        int status = run("%s", expected[i].arguments);
        if (status != expected[i].status)
            fail_msg("vkassay %s: status %d, expected %d:\n%s", expected[i].arguments, status, expected[i].status,
                content("output"));
        assert_says(expected[i].says);
    }
}

// The help states the same defaults as a check uses.
static void help_gives_the_defaults_of_a_check(void **state) {
    char figures[80];
    struct sample_request on_cpu, on_gpu;
    sample_standard(&(struct device_info){.kind = DEVICE_CPU}, &on_cpu);
    sample_standard(&(struct device_info){.kind = DEVICE_DISCRETE}, &on_gpu);
    snprintf(figures, sizeof figures, "default: %d on a CPU, %d on a GPU\n", on_cpu.shapes, on_gpu.shapes);
    assert_int_equal(run("check --help"), STATUS_OK);
    assert_says(figures);
    assert_says("and others (--shapes)"); // the text leaves figures to the option
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_check_samples_without_a_suite),
        cmocka_unit_test(the_error_of_a_check_belongs_to_its_bound),
        cmocka_unit_test(a_result_is_exported_whole_or_not_at_all),
        cmocka_unit_test(a_users_kernel_runs_without_a_rebuild),
        cmocka_unit_test(a_bench_of_many_cases_prints_a_line_a_family),
        cmocka_unit_test(statuses_and_messages_are_as_documented),
        cmocka_unit_test(help_gives_the_defaults_of_a_check),
    };
    return cmocka_run_group_tests(tests, program_open_with_faults, folder_remove);
}

// SPDX-License-Identifier: Apache-2.0
// Tests --only: it uses only the kernels of one folder, even if the program has kernels of the same names. Also tests
// `ab` of such folders, with kernels in only one of the two.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

#define MANIFEST(name) UNARY_KERNEL(name, "relu", "relu")
#define TUNED                                                                                                          \
    "{\"name\": \"relu.b\", \"operator\": \"relu\", \"summary\": \"a test\", \"shader\": \"relu.comp\", \"dtypes\": "  \
    "[\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"tunables\": {\"WG_X\": {\"values\": [64, 128], "    \
    "\"default\": 64}, \"ITEMS\": {\"id\": -1, \"values\": [1], \"default\": 1}}, \"grid\": [{\"over\": [\"n\"], "     \
    "\"by\": [\"WG_X\"]}], \"fold\": true}"

static void write_kernels(const char *name, const char *kernels, const char *bound) {
    char text[200];
    snprintf(text, sizeof text, "    if (i < %s) y[i] = max(x[i], 0.0);\n", bound);
    write_kernel_folder(name, "relu", kernels, text);
}

// The program also has a kernel relu.scalar.
static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernels("good", MANIFEST("relu.scalar") ", " MANIFEST("relu.a"), "n");
    write_kernels("tail", MANIFEST("relu.scalar") ", " MANIFEST("relu.a"), "n - n % 4");
    write_kernels("a", MANIFEST("relu.a"), "n");
    write_kernels("b", MANIFEST("relu.b"), "n");
    write_kernels("tuned", TUNED, "n");
    write_suite("ours", "{\"kernel\": \"relu.a\", \"dims\": {\"n\": 4099}}, {\"kernel\": \"softmax.*\", \"dims\": "
                        "{\"rows\": 1, \"cols\": 8}}");
    write_suite("mistake",
        "{\"kernel\": \"relu.a\", \"dims\": {\"n\": 4099}}, {\"kernel\": \"relu.aa\", \"dims\": {\"n\": 1}}");
    write_suite(
        "tuned", "{\"kernel\": \"relu.b\", \"dims\": {\"n\": 4099}, \"shapes\": [{\"WG_X\": 64, \"ITEMS\": 1}]}");
    write_suite("both", "{\"kernel\": \"relu.?\", \"dims\": {\"n\": 4099}}");
    return 0;
}

static void no_others_are_listed(void **state) {
    assert_int_equal(run("list kernels --only %s/good", folder), STATUS_OK);
    assert_string_equal(content("output"), "relu.a       a test\nrelu.scalar  a test\n");
    assert_int_equal(run("list points --only %s/good --suite %s/ours.json", folder, folder), STATUS_OK);
    assert_string_equal(content("output"), "relu.a/f32/n=4099/wg=64x1x1  -\n");
    assert_int_equal(run("list kernels --only %s/good --kernels %s/a", folder, folder), STATUS_USAGE);
    assert_says("use --only or --kernels");
}

// Applies to every command that runs a suite. Entries naming the program's kernels are dropped; an entry matching no
// kernel is an error.
static void of_a_suite_what_names_them(void **state) {
    assert_int_equal(
        run("check --only %s/a --suite %s/ours.json --quiet --out %s/out", folder, folder, folder), STATUS_OK);
    assert_says("1 point: 1 passed");
    assert_null(strstr(content("output"), "has no point of"));
    assert_int_equal(
        run("check --only %s/good --suite %s/ours.json --quiet --out %s/out", folder, folder, folder), STATUS_OK);
    assert_says("suite ours has no point of relu.scalar; run `vkassay check` without --suite");
    assert_int_equal(
        run("bench --only %s/a --suite %s/ours.json --quiet --out %s/out", folder, folder, folder), STATUS_OK);
    assert_says("relu");
    assert_int_equal(
        run("tune --only %s/a --suite %s/ours.json --quiet --out %s/out", folder, folder, folder), STATUS_OK);
    assert_says("1 cases tuned");
    assert_int_equal(run("bench --only %s/a --suite %s/mistake.json --quiet --out %s/out", folder, folder, folder),
        STATUS_BAD_INPUT);
    assert_says("no kernel matches \"relu.aa\"");
    assert_int_equal(run("bench --only %s/a --suite claims --quiet --out %s/out", folder, folder), STATUS_BAD_INPUT);
    assert_says("suite claims names no kernel of ");
}

// Without a suite, every kernel of the folder is checked at sizes that nothing divides, and the replay line works.
static void each_kernel_is_checked(void **state) {
    char line[2000] = "";
    assert_int_equal(run("check --only %s/good --quiet --out %s/out", folder, folder), STATUS_OK);
    assert_int_equal(run("check --only %s/tail --quiet --out %s/wrong", folder, folder), STATUS_WRONG);
    struct result result;
    read_result("wrong", &result);
    assert_int_equal(
        record_of(&result, "relu.scalar")->status == RECORD_FAIL || record_of(&result, "relu.a")->status == RECORD_FAIL,
        true);
    for (size_t i = 0; i < result.count; i++) {
        assert_non_null(strstr("relu.scalar relu.a", result.records[i].kernel));
        if (result.records[i].status == RECORD_FAIL) snprintf(line, sizeof line, "%s", result.records[i].replay);
    }
    result_free(&result);
    assert_non_null(strstr(line, " --only "));
    assert_int_equal(run("%s --quiet --out %s/again", line + strlen("vkassay "), folder), STATUS_WRONG);
    assert_says("1 point: 0 passed, 1 failed");
}

static int ab(const char *base, const char *head, const char *suite, const char *more) {
    return run(
        "ab --base %s/%s --head %s/%s --suite %s/%s.json --quiet %s", folder, base, folder, head, folder, suite, more);
}

static void kernels_come_and_go(void **state) {
    assert_int_equal(ab("a", "b", "both", ""), STATUS_NOTHING);
    assert_says("1 removed");
    assert_says("1 new");
    assert_int_equal(ab("b", "a", "ours", ""), STATUS_NOTHING); // the suite names no kernel of the base
    assert_says("1 new");
    assert_int_equal(ab("b", "tuned", "tuned", ""), STATUS_NOTHING); // the base lacks a tunable
    assert_says("ab: the base's kernels have no such points: ");
    assert_says("1 new");
    assert_int_equal(ab("a", "b", "both", "'relu.b'"), STATUS_NOTHING);
    assert_says("1 new");
    assert_int_equal(ab("a", "b", "both", "'relu.c'"), STATUS_USAGE);
    assert_int_not_equal(ab("a", "good", "mistake", ""), STATUS_BAD_INPUT);
    assert_says("$.entries[1]: no kernel of either folder matches \"relu.aa\"");
    assert_int_equal(ab("b", "tuned", "ours", ""), STATUS_BAD_INPUT);
    assert_says("suite ours has none of its kernels");
}

static void ab_of_some_kernels(void **state) {
    char only[300];
    snprintf(only, sizeof only, "--only %s/a --json", folder);
    assert_int_equal(ab("good", "tail", "both", only), STATUS_WRONG);
    assert_says("relu.a/f32");
    snprintf(only, sizeof only, "--only %s/b", folder);
    assert_int_equal(ab("good", "tail", "both", only), STATUS_BAD_INPUT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_others_are_listed),
        cmocka_unit_test(of_a_suite_what_names_them),
        cmocka_unit_test(each_kernel_is_checked),
        cmocka_unit_test(kernels_come_and_go),
        cmocka_unit_test(ab_of_some_kernels),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

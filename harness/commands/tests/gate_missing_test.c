// SPDX-License-Identifier: Apache-2.0
// Tests a gate whose baseline has points missing from the run. It does not hold, unless the command line or the
// expectations exclude the points.
#include "vkassay_program.h"

#define MANIFEST(name) UNARY_KERNEL(name, "relu", "relu")
#define HELD "gate: held: 0 wrong, 0 slower, "
#define LINE "    if (i < n) y[i] = max(x[i], 0.0);\n"

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder("two", "relu", MANIFEST("relu.a") ", " MANIFEST("relu.b"), LINE);
    write_kernel_folder("one", "relu", MANIFEST("relu.a"), LINE);
    write_suite("both", "{\"kernel\": \"relu.?\", \"dims\": {\"n\": 4099}}");
    write_text("skip.json", "{\"schema_version\": 1, \"expectations\": [{\"points\": \"relu.b\", \"status\": \"skip\", "
                            "\"reason\": \"a test\"}]}");
    return 0;
}

// Runs `vkassay VERB` on the suite, with its baseline under `kept` and `option` FOLDER/NAME for the kernels.
static int go(const char *verb, const char *kept, const char *option, const char *name, const char *more) {
    return run("%s --suite %s/both.json --baselines %s/%s --quiet --out %s/out %s %s/%s %s", verb, folder, folder, kept,
        folder, option, folder, name, more);
}

// Uses a large --effect, because this does not test the timing of points of a few microseconds.
static int gate(const char *kept, const char *option, const char *name, const char *more) {
    char words[400];
    snprintf(words, sizeof words, "--effect 900 %s", more);
    return go("gate", kept, option, name, words);
}

// On a busy host a point may be ambiguous or faster, so only the beginning and end of the verdict are compared.
static void assert_gate(const char *begins, size_t points) {
    char end[60];
    snprintf(end, sizeof end, " of %zu point%s against ", points, points == 1 ? "" : "s");
    assert_says(begins);
    assert_says(end);
}

static void assert_missing(void) {
    assert_says("\n  removed ");
    assert_says("relu.b/f32/n=4099/wg=64x1x1  not in the new result\n");
    assert_says(", 1 removed");
    assert_gate("gate: points of the base are missing: 0 wrong, 0 slower, ", 2);
}

static void points_that_are_gone_fail_it(void **state) {
    assert_int_equal(go("baseline", "kept", "--kernels", "two", ""), STATUS_OK);
    assert_int_equal(gate("kept", "--kernels", "two", ""), STATUS_OK);
    assert_gate(HELD, 2);
    assert_int_equal(gate("kept", "--kernels", "one", ""), STATUS_PARTIAL);
    assert_missing();
    assert_int_equal(gate("kept", "--kernels", "one", "--format markdown"), STATUS_PARTIAL);
    assert_says("### vkassay: points of the base are missing\n");
    assert_says("| removed | - |");
}

static void a_selection_narrows_what_is_expected(void **state) {
    assert_int_equal(gate("kept", "--kernels", "one", "'relu.a*'"), STATUS_OK);
    assert_gate(HELD, 1);
    assert_int_equal(gate("kept", "--kernels", "one", "'relu.?*'"), STATUS_PARTIAL); // it selects both
    assert_missing();
    assert_int_equal(gate("kept", "--only", "one", ""), STATUS_OK);
    assert_gate(HELD, 1);
    // A baseline of the folder itself also lacks the missing kernel.
    assert_int_equal(go("baseline", "only", "--only", "two", ""), STATUS_OK);
    assert_int_equal(gate("only", "--only", "one", ""), STATUS_PARTIAL);
    assert_missing();
}

static void what_is_to_be_skipped_is_not_missed(void **state) {
    char more[300];
    snprintf(more, sizeof more, "--expectations %s/skip.json", folder);
    assert_int_equal(gate("kept", "--kernels", "two", more), STATUS_OK);
    assert_gate(HELD, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_that_are_gone_fail_it),
        cmocka_unit_test(a_selection_narrows_what_is_expected),
        cmocka_unit_test(what_is_to_be_skipped_is_not_missed),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

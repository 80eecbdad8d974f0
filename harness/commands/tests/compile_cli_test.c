// SPDX-License-Identifier: Apache-2.0
// Tests `compile`: each pipeline goes to the compiler once, and nothing is run.
#include "vkassay_program.h"

#include <sys/stat.h>

#define MANIFEST(name) UNARY_KERNEL(name, "relu", "relu")

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder("wrong", "relu", MANIFEST("relu.a"), "    if (i < n) y[i] = x[i] - 7.0;\n");
    write_kernel_folder("bad", "relu", MANIFEST("relu.a"), "    if (i < n) y[i] = nothing;\n");
    write_suite("sizes", "{\"kernel\": \"relu.a\", \"dims\": {\"n\": [1, 2, 4099]}}");
    return 0;
}

// A kernel with wrong values compiles as well as a right one.
static void each_pipeline_is_compiled_once_and_not_run(void **state) {
    assert_int_equal(
        run("compile --only %s/wrong --suite %s/sizes.json --quiet --out %s/out", folder, folder, folder), STATUS_OK);
    assert_says(": 1 pipelines compiled, ");
    assert_says(", 0 skipped, 0 failed");
    assert_int_equal(run("compile %s/out/*/* --out %s/joined", folder, folder), STATUS_OK);
    assert_says(": 1 pipelines compiled, ");
    assert_holds("joined/compiled.md", "relu.a");
    assert_holds("joined/compiled.html", "relu.a");
    assert_int_equal(run("report %s/out/*/* --out %s/report", folder, folder), STATUS_OK);
    assert_says(": 1 pipelines compiled, ");
    assert_holds("report/compiled.html", "relu.a");
}

// Mesa's lavapipe has no such text; a driver with one writes a file for the kernel.
static void a_driver_gives_its_code_or_none(void **state) {
    assert_int_equal(
        run("compile --only %s/wrong --suite %s/sizes.json --quiet --disassembly %s/code --out %s/code-out", folder,
            folder, folder, folder),
        STATUS_OK);
    struct stat there;
    char path[512];
    snprintf(path, sizeof path, "%s/code", folder);
    assert_says(stat(path, &there) == 0 ? "Code    " : "The driver gives no text of its machine code");
}

static void a_shader_that_does_not_compile_is_named(void **state) {
    assert_int_equal(
        run("compile --only %s/bad --suite %s/sizes.json --quiet --out %s/bad-out", folder, folder, folder),
        STATUS_WRONG);
    assert_says("relu.a/f32");
    assert_says("nothing");
    assert_says(", 0 skipped, 1 failed");
}

static void a_selection_needs_no_peaks(void **state) {
    assert_int_equal(run("compile relu.scalar --quiet --out %s/one", folder), STATUS_OK);
    assert_null(strstr(content("output"), "copy"));
    assert_int_equal(run("compile no.such --quiet --out %s/one", folder), STATUS_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pipeline_is_compiled_once_and_not_run),
        cmocka_unit_test(a_driver_gives_its_code_or_none),
        cmocka_unit_test(a_shader_that_does_not_compile_is_named),
        cmocka_unit_test(a_selection_needs_no_peaks),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

// SPDX-License-Identifier: Apache-2.0
// Tests that a kernel without a judged point does not look right. No device binds a buffer of 16e9 bytes, because a
// range has 32 bits.
#include "vkassay_program.h"

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder("mixed", "relu",
        UNARY_KERNEL("relu.a", "relu", "relu") ", " UNARY_KERNEL("relu.b", "relu", "relu"),
        "    if (i < n) y[i] = max(x[i], 0.0);\n");
    write_suite("small",
        "{\"kernel\": \"relu.a\", \"dims\": {\"n\": 4099}}, {\"kernel\": \"relu.b\", \"dims\": {\"n\": "
        "4000000000}}");
    write_suite("own",
        "{\"kernel\": \"relu.scalar\", \"dims\": {\"n\": 4099}}, {\"kernel\": \"silu.scalar\", \"dims\": "
        "{\"n\": 4000000000}}");
    write_text("skip.json", "{\"schema_version\": 1, \"expectations\": [{\"points\": \"relu.b\", \"status\": \"skip\", "
                            "\"reason\": \"a test\"}]}");
    return 0;
}

static void a_skipped_kernel_of_the_user_is_not_green(void **state) {
    static const char *const verbs[] = {"check", "bench"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            run("%s --only %s/mixed --suite %s/small.json --quiet --out %s/out", verbs[i], folder, folder, folder),
            STATUS_PARTIAL);
        assert_says("Kernels: 1 judged, 1 skipped, 0 without a point\n");
        assert_says("Not judged: relu.b (");
    }
}

static void an_expected_skip_is(void **state) {
    assert_int_equal(run("check --only %s/mixed --suite %s/small.json --expectations %s/skip.json --quiet --out %s/out",
                         folder, folder, folder, folder),
        STATUS_OK);
    assert_says("Kernels: 1 judged, 1 skipped, 0 without a point\n");
    assert_null(strstr(content("output"), "Not judged"));
}

// A part of the program's own kernels is skipped on each device. Only a kernel that is named counts.
static void an_own_kernel_counts_if_it_is_named(void **state) {
    const char *line = "check %s --suite %s/own.json --quiet --out %s/out";
    assert_int_equal(run(line, "", folder, folder), STATUS_OK);
    assert_says("Kernels: 1 judged, 1 skipped, 0 without a point\n");
    assert_int_equal(run(line, "relu.scalar silu.scalar", folder, folder), STATUS_PARTIAL);
    assert_says("Not judged: silu.scalar (");
    assert_int_equal(run(line, "relu.scalar 'silu.scala?'", folder, folder), STATUS_OK);
    assert_null(strstr(content("output"), "Not judged"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_skipped_kernel_of_the_user_is_not_green),
        cmocka_unit_test(an_expected_skip_is),
        cmocka_unit_test(an_own_kernel_counts_if_it_is_named),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

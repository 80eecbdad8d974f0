// SPDX-License-Identifier: Apache-2.0
// Tests `bench --reference-only` without any Vulkan driver.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    setenv("VK_DRIVER_FILES", "/nowhere.json", 1);
    setenv("VK_ICD_FILENAMES", "/nowhere.json", 1);
    write_suite("small",
        "{\"operator\": \"relu\", \"dtypes\": [\"f32\"], \"dims\": {\"n\": [1000, 70000]}}, "
        "{\"operator\": \"matmul\", \"dtypes\": [\"f32\"], \"dims\": {\"m\": 64, \"n\": 64, \"k\": 64}}");
    return 0;
}

static void references_are_timed_without_a_device(void **state) {
    struct result result;
    assert_int_equal(run("bench --suite %s/small.json --quiet --out %s/none", folder, folder), STATUS_NO_DEVICE);
    assert_says("--reference-only");
    assert_int_equal(
        run("bench --reference-only --suite %s/small.json --quiet --out %s/alone", folder, folder), STATUS_OK);
    assert_says("No device was used");
    assert_says("matmul/f32");
    assert_says("3 problems");
    read_result("alone", &result);
    assert_int_equal(result.count, 3); // one per problem, for all its kernels and shapes
    for (size_t i = 0; i < result.count; i++) {
        assert_int_equal(result.records[i].status, RECORD_SKIP);
        assert_true(result.records[i].reference.ns > 0);
    }
    result_free(&result);
    assert_of_schema("alone/*/*/result.json");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(references_are_timed_without_a_device)};
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

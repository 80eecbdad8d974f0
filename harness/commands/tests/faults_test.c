// SPDX-License-Identifier: Apache-2.0
// Tests faults that must cost only one point. Kernels in faults/ and deep/ are broken on purpose.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

// Returns whether the driver drops writes outside shared memory. SwiftShader does, and lavapipe from Mesa 26 on.
static bool checks_bounds(const struct result *result) {
    int mesa = 0;
    sscanf(json_get_string(json_get(result->context, "device"), "driver_info", ""), "Mesa %d", &mesa);
    return on_swiftshader() || mesa >= 26;
}

// On a busy host a crash takes seconds until the worker's end is seen.
static void each_fault_costs_its_own_point(void **state) {
    struct result result;
    assert_int_equal(
        run("check --suite %s/faults.json " FAULTY_KERNELS " --timeout 10 --out %s/faults", folder, folder),
        STATUS_WRONG);
    read_result("faults", &result);
    const bool crashes = !checks_bounds(&result);
    const struct {
        const char *kernel;
        enum record_status status;
        const char *reason;
    } expected[] = {
        {"relu.crash", crashes ? RECORD_CRASH : RECORD_PASS, crashes ? "killed by" : NULL},
        {"relu.endless", RECORD_TIMEOUT, ""},
        {"relu.wrong", RECORD_FAIL, "are wrong"},
        {"relu.stale", RECORD_FAIL, "are wrong"},
        {"relu.beyond", RECORD_FAIL, "past the end of operand y"},
        {"relu.greedy", RECORD_FAIL, "changed its input x"},
        {"relu.racy", RECORD_FAIL, "other bits"},
        {"relu.later", RECORD_FAIL, "other bits"},
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

// The product has 64 * 65 outputs; four stretches of them are judged by value.
static void what_a_sample_leaves_out_is_judged_by_whole_numbers(void **state) {
    struct result result;
    write_text("product.json",
        "{\"schema_version\": 1, \"name\": \"product\", \"summary\": \"a sample of a product\", \"settings\": "
        "{\"check_operations\": 1000}, \"entries\": [{\"kernel\": \"matmul.all\", \"dims\": {\"m\": 64, \"n\": 65, "
        "\"k\": 66}}, {\"kernel\": \"matmul.but_one\", \"dims\": {\"m\": 64, \"n\": 65, \"k\": 66}}]}");
    assert_int_equal(
        run("check --suite %s/product.json " FAULTY_KERNELS " --out %s/product", folder, folder), STATUS_WRONG);
    read_result("product", &result);
    const struct record *right = record_of(&result, "matmul.all"), *wrong = record_of(&result, "matmul.but_one");
    assert_int_equal(right->status, RECORD_PASS);
    assert_true(right->check.checked < right->check.elements);
    assert_int_equal(right->check.exact, right->check.elements);
    assert_int_equal(wrong->status, RECORD_FAIL);
    assert_int_equal(wrong->check.failures, 0); // it is not in the sample
    assert_non_null(strstr(wrong->reason, "1 of 64 lines of c along n are wrong"));
    result_free(&result);
}

static void a_driver_that_ends_the_process_costs_one_point(void **state) {
    struct result result;
    needs_swiftshader();
    const char *variables[] = {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"};
    for (size_t i = 0; i < 2; i++)
        setenv(variables[i], found_by("swiftshader_manifest"), 1); // never reset, because this is the last test
    int status = run("check 'relu.deep/f32/n=1025/wg=64x1x1' 'relu.scalar/f32/n=1025/wg=256x1x1,ITEMS=1' "
                     "--kernels harness/commands/tests/deep --out %s/deep",
        folder);
    assert_int_equal(status, STATUS_WRONG);
    read_result("deep", &result);
    assert_int_equal(record_of(&result, "relu.deep")->status, RECORD_CRASH);
    assert_non_null(strstr(record_of(&result, "relu.deep")->reason, "exit status"));
    assert_int_equal(record_of(&result, "relu.scalar")->status, RECORD_PASS);
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_fault_costs_its_own_point),
        cmocka_unit_test(what_a_sample_leaves_out_is_judged_by_whole_numbers),
        cmocka_unit_test(a_driver_that_ends_the_process_costs_one_point),
    };
    return cmocka_run_group_tests(tests, program_open_with_faults, folder_remove);
}

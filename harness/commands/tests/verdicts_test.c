// SPDX-License-Identifier: Apache-2.0
// Kernels in verdicts/ that a check calls right or wrong: by their inputs, their rounding, or what they declare.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

#define KERNELS "--kernels harness/commands/tests/verdicts"

static const char *const wrong[] = {"mul.wrong_cut", "sub.wrong_halves", "add.wrong_f16_cut", "max_rows.wrong_start",
    "min_rows.wrong_start", "argmin_rows.wrong_start", "conv2d.wrong_mixed", "conv2d.wrong_undeclared",
    "upsample_nearest.wrong_rows", "upsample_nearest.wrong_cols"};
static const char *const right[] = {"add.right_even", "add.right_packed", "add.right_f16_even", "max_rows.right",
    "conv2d.right_mixed", "upsample_nearest.right"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

// Counts the kernel's points with the status.
static int count_of(const struct result *result, const char *kernel, enum record_status status) {
    int count = 0;
    for (size_t i = 0; i < result->count; i++)
        count += strcmp(result->records[i].kernel, kernel) == 0 && result->records[i].status == status;
    return count;
}

static void each_kernel_has_its_verdict(void **state) {
    struct result result;
    assert_int_equal(run("check '*.wrong*' '*.right*' " KERNELS " --out %s/verdicts", folder), STATUS_WRONG);
    read_result("verdicts", &result);
    for (size_t i = 0; i < COUNT(wrong); i++)
        if (!count_of(&result, wrong[i], RECORD_FAIL) && count_of(&result, wrong[i], RECORD_PASS))
            fail_msg("%s passes", wrong[i]);
    for (size_t i = 0; i < COUNT(right); i++)
        if (count_of(&result, right[i], RECORD_FAIL)) fail_msg("%s fails", right[i]);
    if (!on_swiftshader()) {
        for (size_t i = 0; i < COUNT(right); i++) assert_true(count_of(&result, right[i], RECORD_PASS) > 0);
        for (size_t i = 0; i < COUNT(wrong); i++) assert_true(count_of(&result, wrong[i], RECORD_FAIL) > 0);
    }
    for (size_t i = 0; i < result.count; i++) {
        const struct record *record = &result.records[i];
        if (record->status != RECORD_PASS && record->status != RECORD_FAIL) continue;
        assert_true(record->check.mixes == (strstr(record->kernel, "mixed") ? 4 : 0));
    }
    result_free(&result);
}

// A position is below a capacity, which must rise with it.
static void a_position_of_sixteen_bits_is_wrong(void **state) {
    struct result result;
    assert_int_equal(run("check 'kv_append.wrong*' 'kv_append.right*' " KERNELS " --out %s/kv", folder), STATUS_WRONG);
    read_result("kv", &result);
    assert_true(count_of(&result, "kv_append.wrong_position", RECORD_FAIL) > 0);
    assert_true(count_of(&result, "kv_append.right", RECORD_PASS) > 0);
    assert_int_equal(count_of(&result, "kv_append.right", RECORD_FAIL), 0);
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kernel_has_its_verdict), cmocka_unit_test(a_position_of_sixteen_bits_is_wrong)};
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}

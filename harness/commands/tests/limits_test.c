// SPDX-License-Identifier: Apache-2.0
// Tests that `check` of one kernel refuses those of harness/commands/tests/limits: each is right up to a number in its
// shader, far from the sizes of its tiles. At the desk only the first is tried.
#include "../../base/tests/depth.h"
#include "vkassay_program.h"

static const char *const kernels[] = {
    "sum_rows.limit_turns", "repeat_kv.limit_both", "relu.limit_groups", "transpose.limit_axes", "copy.limit_pairs"};

static void a_kernel_wrong_beyond_a_number_is_refused(void **state) {
    for (size_t k = 0; k < (at_desk() ? 1 : sizeof kernels / sizeof *kernels); k++) {
        struct result result;
        size_t right = 0, wrong = 0;
        run("check %s --only harness/commands/tests/limits --quiet --trim --out %s/%s", kernels[k], folder, kernels[k]);
        read_result(kernels[k], &result);
        for (size_t i = 0; i < result.count; i++) {
            right += result.records[i].status == RECORD_PASS;
            wrong += result.records[i].status == RECORD_FAIL;
        }
        if (!wrong) fail_msg("%s is not refused", kernels[k]);
        if (wrong > right / 8) fail_msg("%s is wrong at %zu points, and right at only %zu", kernels[k], wrong, right);
        result_free(&result);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_wrong_beyond_a_number_is_refused),
    };
    return cmocka_run_group_tests(tests, program_open, folder_remove);
}

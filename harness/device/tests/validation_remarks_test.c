// SPDX-License-Identifier: Apache-2.0
// What the validation layer says of itself, and what it can.
#include "../internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

static void remarks_about_settings_are_no_findings(void **state) {
    (void)state;
    assert_true(validation_is_remark("VALIDATION-SETTINGS"));
    assert_true(validation_is_remark("WARNING-Setting-Limit-Adjusted"));
    assert_false(validation_is_remark("SYNC-HAZARD-WRITE-AFTER-WRITE"));
    assert_false(validation_is_remark("WARNING-Setting"));
    assert_false(validation_is_remark(NULL));
}

static void races_are_found_from_a_version_on(void **state) {
    (void)state;
    assert_false(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 3, 239)));
    assert_false(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 4, 344)));
    assert_true(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 4, 345)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remarks_about_settings_are_no_findings),
        cmocka_unit_test(races_are_found_from_a_version_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

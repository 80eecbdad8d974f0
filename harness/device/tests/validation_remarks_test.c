// SPDX-License-Identifier: Apache-2.0
// Messages of the validation layer about itself, and its abilities by version.
#include "../internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>

#define ERROR VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
#define WARNING VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
#define VALIDATION VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
#define PERFORMANCE VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT

static void only_errors_are_findings(void **state) {
    (void)state;
    assert_true(validation_is_finding(ERROR, VALIDATION, "SYNC-HAZARD-WRITE-AFTER-WRITE"));
    assert_true(validation_is_finding(ERROR, VALIDATION, "WARNING-Setting"));
    assert_true(validation_is_finding(ERROR, VALIDATION | PERFORMANCE, "VUID-1"));
    assert_true(validation_is_finding(ERROR, VALIDATION, NULL));
    assert_false(validation_is_finding(WARNING, VALIDATION, "VUID-1"));
    assert_false(validation_is_finding(WARNING, PERFORMANCE, "BestPractices-1"));
    assert_false(validation_is_finding(ERROR, PERFORMANCE, "BestPractices-1"));
    assert_false(validation_is_finding(WARNING, VALIDATION, NULL));
    // Remarks of the layer about its own settings.
    assert_false(validation_is_finding(ERROR, VALIDATION, "VALIDATION-SETTINGS"));
    assert_false(validation_is_finding(ERROR, VALIDATION, "WARNING-Setting-Limit-Adjusted"));
}

static void races_are_found_from_a_version_on(void **state) {
    (void)state;
    assert_false(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 3, 239)));
    assert_false(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 4, 344)));
    assert_true(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 4, 345)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_errors_are_findings),
        cmocka_unit_test(races_are_found_from_a_version_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// SPDX-License-Identifier: Apache-2.0
// Messages of the validation layer about itself, and its abilities by version.
#include "../internal.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ERROR VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
#define WARNING VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
#define VALIDATION VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT
#define PERFORMANCE VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT

static void only_errors_are_findings(void **state) {
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

// ---- the messenger, as the layer calls it

static PFN_vkDebugUtilsMessengerCallbackEXT messenger;
static void *messenger_user;

static VKAPI_ATTR VkResult VKAPI_CALL take_messenger(VkInstance instance,
    const VkDebugUtilsMessengerCreateInfoEXT *info, const VkAllocationCallbacks *allocator,
    VkDebugUtilsMessengerEXT *out) {
    (void)instance, (void)allocator, (void)out;
    messenger = info->pfnUserCallback;
    messenger_user = info->pUserData;
    return VK_SUCCESS;
}

// Stands in for the loader's function, which needs an instance.
VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *name) {
    (void)instance, (void)name;
    return (PFN_vkVoidFunction)take_messenger;
}

static void say(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type, const char *name,
    const char *text) {
    const VkDebugUtilsMessengerCallbackDataEXT data = {.pMessageIdName = name, .pMessage = text};
    assert_false(messenger(severity, type, &data, messenger_user)); // the call goes on
}

// Counts the lines with a text in what the messenger printed.
static int printed(FILE *file, const char *text) {
    char line[200];
    int count = 0;
    rewind(file);
    while (fgets(line, sizeof line, file)) count += strstr(line, text) != NULL;
    return count;
}

static void remarks_are_counted_beside_the_findings(void **state) {
    enum { REMARKS = 30, FINDINGS = 25 };
    struct validation validation = {.enabled = true};
    struct error err;
    FILE *file = tmpfile();
    const int kept = dup(STDERR_FILENO);
    assert_true(file && kept >= 0 && validation_start(&validation, VK_NULL_HANDLE, &err));
    assert_true(dup2(fileno(file), STDERR_FILENO) >= 0);
    for (int i = 0; i < REMARKS; i++) say(WARNING, PERFORMANCE, "BestPractices-1", "this is slow");
    for (int i = 0; i < FINDINGS; i++) say(ERROR, VALIDATION, "VUID-1", i ? "a later race" : "the first race");
    say(ERROR, VALIDATION, "VALIDATION-SETTINGS", "this is slow");
    dup2(kept, STDERR_FILENO);
    close(kept);
    assert_int_equal(validation.messages, FINDINGS);
    assert_int_equal(validation.remarks, REMARKS + 1);
    assert_string_equal(validation.first, "the first race");
    assert_int_equal(printed(file, "validation, a remark that fails nothing: this is slow"), VALIDATION_SHOWN);
    assert_int_equal(printed(file, "validation: "), VALIDATION_SHOWN);
    fclose(file);
    validation.reported = validation.messages; // as if the text was asked for
    say(ERROR, VALIDATION, NULL, "the next race");
    assert_string_equal(validation.first, "the next race");
}

static void races_are_found_from_a_version_on(void **state) {
    assert_false(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 3, 239)));
    assert_false(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 4, 344)));
    assert_true(validation_sees_races(VK_MAKE_API_VERSION(0, 1, 4, 345)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_errors_are_findings),
        cmocka_unit_test(remarks_are_counted_beside_the_findings),
        cmocka_unit_test(races_are_found_from_a_version_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

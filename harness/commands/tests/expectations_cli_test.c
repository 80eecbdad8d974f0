// SPDX-License-Identifier: Apache-2.0
// Tests runs with expected failures.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

// Checks two faulty kernels and a right one under an expectations file in the test's folder. Output goes to OUT/*/*/.
static int check_expecting(const char *expectations, const char *out) {
    return run("check 'relu.wrong' 'relu.broken' 'relu.right' --suite %s/faults.json " FAULTY_KERNELS " --out %s/%s "
               "--expectations %s/%s",
        folder, folder, out, folder, expectations);
}

static void expectations_are_kept_true(void **state) {
    static const char known[] = "{\"schema_version\": 1, \"expectations\": ["
                                "{\"points\": \"relu.wrong\", \"status\": \"fail\", \"reason\": \"known\"},"
                                "{\"points\": \"relu.broken\", \"status\": \"skip\", \"reason\": \"not ours\"}";
    struct result result;
    char text[1000];
    write_text("none.json", "{\"schema_version\": 1, \"expectations\": []}");
    assert_int_equal(check_expecting("none.json", "first-expectations"), STATUS_WRONG);
    read_result("first-expectations", &result);
    const struct record *wrong = record_of(&result, "relu.wrong");
    assert_int_equal(wrong->attempts.count, 2);
    assert_false(wrong->attempts.flaky);
    result_free(&result);
    // The output of a run serves as expectations of the next one.
    assert_int_equal(check_expecting("first-expectations/*/*/expectations.json", "second-expectations"), STATUS_OK);
    assert_says("2 expected failures");
    // A known failure, and a point to be skipped.
    snprintf(text, sizeof text, "%s]}", known);
    write_text("known.json", text);
    assert_int_equal(check_expecting("known.json", "third-expectations"), STATUS_OK);
    read_result("third-expectations", &result);
    assert_int_equal(record_of(&result, "relu.broken")->status, RECORD_SKIP);
    assert_string_equal(record_of(&result, "relu.broken")->reason, "skipped by the expectations: not ours");
    assert_int_equal(record_of(&result, "relu.wrong")->attempts.count, 0);
    result_free(&result);
    // An unexpected pass fails the run, and is missing from the expectations it writes.
    snprintf(
        text, sizeof text, "%s, {\"points\": \"relu.right\", \"status\": \"fail\", \"reason\": \"mended\"}]}", known);
    write_text("known.json", text);
    assert_int_equal(check_expecting("known.json", "fourth-expectations"), STATUS_WRONG);
    assert_says("relu.right/f32/n=1025/wg=64x1x1: it is right; expected fail (mended)");
    assert_int_equal(check_expecting("fourth-expectations/*/*/expectations.json", "fifth-expectations"), STATUS_OK);
    // Expectations of another device do not apply to this one.
    write_text("known.json", "{\"schema_version\": 1, \"expectations\": [{\"points\": \"*\", \"device\": \"Voodoo*\", "
                             "\"status\": \"flake\", \"reason\": \"elsewhere\"}]}");
    assert_int_equal(check_expecting("known.json", "sixth-expectations"), STATUS_WRONG);
    write_text("known.json", "{\"schema_version\": 1, \"expectations\": [{\"points\": \"*\"}]}");
    assert_int_equal(check_expecting("known.json", "seventh-expectations"), STATUS_BAD_INPUT);
    assert_says("known.json: $.expectations[0]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expectations_are_kept_true),
    };
    return cmocka_run_group_tests(tests, program_open_with_faults, folder_remove);
}

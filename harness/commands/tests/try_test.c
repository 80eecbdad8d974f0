// SPDX-License-Identifier: Apache-2.0
// Tests `try`: checks and times a shader without a manifest, and takes sizes and colours from the command line.
#include "vkassay_program.h"

#include "../../record/cases.h"
#include "../../record/result.h"
#include "../../record/record.h"

#define SHADER(body)                                                                                                   \
    "#version 450\nlayout(local_size_x = 64) in;\nlayout(std430, binding = 0) readonly buffer X { float x[]; };\n"     \
    "layout(std430, binding = 1) buffer Y { float y[]; };\nlayout(push_constant) uniform P { uint n; };\n"             \
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) y[i] = " body "; }\n"

static int open_shaders(void **state) {
    if (program_open(state) != 0) return -1;
    write_text("right.comp", SHADER("max(x[i], 0.0)"));
    write_text("wrong.comp", SHADER("max(x[i], 1.0)"));
    return 0;
}

static void one_shader_is_checked_and_timed(void **state) {
    struct result result;
    assert_int_equal(
        run("try %s/right.comp --operator relu --dims n=1k,n=77 --seconds 0.01 --out %s/right", folder, folder),
        STATUS_OK);
    assert_says("1 kernel, 0 not placed");
    assert_says("2 points: 2 passed, 0 failed, 0 skipped");
    read_result("right", &result);
    assert_int_equal(result.count, 2);
    for (size_t i = 0; i < result.count; i++) {
        assert_string_equal(result.records[i].operator, "relu");
        assert_true(result.records[i].dims[0].value == 1024 || result.records[i].dims[0].value == 77);
        assert_true(record_is_timed(&result.records[i]));
    }
    result_free(&result);
    assert_int_equal(access(in_folder("right/try"), F_OK), 0); // the manifest and the suite are kept
}

static void a_wrong_one_is_status_1_and_ends_with_its_cause(void **state) {
    for (int again = 0; again < 2; again++) // a second try replaces the first
        assert_int_equal(
            run("try %s/wrong.comp --operator relu --dims n=100 --out %s/wrong --color always", folder, folder),
            STATUS_WRONG);
    assert_says("Failures by cause");
    assert_says("\x1b[31mfail\x1b[0m");
    assert_int_equal(
        run("try %s/wrong.comp --operator relu --dims n=100 --out %s/wrong", folder, folder), STATUS_WRONG);
    assert_null(strchr(content("output"), '\x1b')); // no terminal, no colours
}

// Suites name most elementwise kernels by a pattern.
static void sizes_of_any_operator_are_found(void **state) {
    assert_int_equal(run("try reports/examples/backend/glsl/clamp.comp --operator clamp --dims n=1025 --seconds 0.01 "
                         "--out %s/clamp",
                         folder),
        STATUS_OK);
    assert_says("1 point: 1 passed");
}

// Standard output alone, without what is said on the way.
static struct json_object *verdict_of(const char *arguments, int status) {
    assert_int_equal(shell("COLUMNS=1000 VKASSAY_CACHE=%s/cache %s try %s --json >%s/verdict.json 2>%s/output", folder,
                         program, arguments, folder, folder),
        status);
    assert_of_schema("verdict.json");
    return parsed("verdict.json");
}

static void a_program_gets_one_object(void **state) {
    char arguments[900];
    snprintf(arguments, sizeof arguments, "%s/right.comp --operator relu --dims n=1k,n=77 --seconds 0.01 --out %s/json",
        folder, folder);
    struct json_object *verdict = verdict_of(arguments, STATUS_OK);
    assert_string_equal(json_get_string(verdict, "verdict", ""), "right");
    assert_int_equal(json_get_int(verdict, "judged", 0), 2);
    assert_int_equal(json_object_array_length(json_get(verdict, "times")), 2);
    assert_null(json_get(verdict, "failure"));
    assert_int_equal(access(json_get_string(verdict, "result", ""), F_OK), 0);
    json_object_put(verdict);
    assert_says("2 points: 2 passed"); // on standard error
}

static void a_program_learns_the_first_failure(void **state) {
    char arguments[900];
    snprintf(arguments, sizeof arguments, "%s/wrong.comp --operator relu --dims n=100 --out %s/json", folder, folder);
    struct json_object *verdict = verdict_of(arguments, STATUS_WRONG), *failure = json_get(verdict, "failure");
    assert_string_equal(json_get_string(verdict, "verdict", ""), "wrong");
    assert_int_equal(json_get_int(verdict, "exit_status", 0), STATUS_WRONG);
    assert_string_equal(json_object_get_string(json_object_array_get_idx(json_get(failure, "checks"), 0)), "ulp");
    assert_non_null(strstr(json_get_string(failure, "replay", ""), "vkassay check"));
    assert_int_equal(json_object_array_length(json_get(verdict, "times")), 0);
    json_object_put(verdict);
    snprintf(arguments, sizeof arguments, "%s/none.comp --operator relu --out %s/json", folder, folder);
    verdict = verdict_of(arguments, STATUS_BAD_INPUT);
    assert_string_equal(json_get_string(verdict, "verdict", ""), "error");
    assert_non_null(strstr(json_get_string(verdict, "error", ""), "No such file"));
    json_object_put(verdict);
}

static void what_is_read_back_is_remarked(void **state) {
    char arguments[900];
    write_text("back.comp", SHADER("(y[i] = 0.0, max(x[i], y[i]))"));
    snprintf(arguments, sizeof arguments, "%s/back.comp --operator relu --dims n=100 --seconds 0.01 --out %s/json",
        folder, folder);
    struct json_object *verdict = verdict_of(arguments, STATUS_OK), *remarks = json_get(verdict, "remarks");
    assert_int_equal(json_object_array_length(remarks), 1);
    assert_string_equal(json_object_get_string(json_object_array_get_idx(remarks, 0)), "reads back y");
    json_object_put(verdict);
}

static void what_is_missing_is_said(void **state) {
    assert_int_equal(run("try %s/right.comp", folder), STATUS_USAGE);
    assert_says("--operator NAME");
    assert_int_equal(run("try %s/right.comp --operator rleu", folder), STATUS_USAGE);
    assert_says("unknown operator 'rleu'");
    assert_int_equal(
        run("try %s/right.comp --operator relu --dims rows=4 --out %s/none", folder, folder), STATUS_USAGE);
    assert_says("among its dims are n");
    assert_int_equal(run("try %s/none.comp --operator relu --out %s/none", folder, folder), STATUS_BAD_INPUT);
    assert_says("none.comp: No such file or directory");
    assert_int_equal(access(in_folder("none/try"), F_OK), 0); // from the call before
    assert_int_equal(shell("test ! -e %s/none/try/*none-comp", folder), 0);
}

static void what_is_no_shader_or_operator_is_said(void **state) {
    assert_int_equal(run("try %s/right.comp --operator rleu", folder), STATUS_USAGE);
    assert_says("unknown operator 'rleu'; did you mean \"relu\"?");
    assert_int_equal(run("try %s --operator relu", folder), STATUS_USAGE);
    assert_says("is a folder; expected one shader");
    assert_int_equal(run("try --operator relu"), STATUS_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_shader_is_checked_and_timed),
        cmocka_unit_test(a_wrong_one_is_status_1_and_ends_with_its_cause),
        cmocka_unit_test(a_program_gets_one_object),
        cmocka_unit_test(a_program_learns_the_first_failure),
        cmocka_unit_test(what_is_read_back_is_remarked),
        cmocka_unit_test(sizes_of_any_operator_are_found),
        cmocka_unit_test(what_is_no_shader_or_operator_is_said),
        cmocka_unit_test(what_is_missing_is_said),
    };
    return cmocka_run_group_tests(tests, open_shaders, folder_remove);
}

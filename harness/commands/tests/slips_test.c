// SPDX-License-Identifier: Apache-2.0
// What is wrong in a user's manifests and shaders: all of it is said, each cause once, and the other kernels go on.
#include "vkassay_program.h"

#include <math.h>

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    write_kernel_folder(
        "mine", "good", UNARY_KERNEL("relu.good", "relu", "good"), "    if (i < n) y[i] = max(x[i], 0.0);\n");
    write_kernel_folder(
        "mine", "bad", UNARY_KERNEL("relu.bad", "relu", "none") ", " UNARY_KERNEL("reluu.a", "reluu", "bad"), "");
    write_suite(
        "ours", "{\"kernel\": \"relu.good\", \"dims\": {\"n\": 7}}, {\"kernel\": \"relu.bad\", \"dims\": {\"n\": 7}}");
    return 0;
}

static size_t times(const char *part) {
    size_t count = 0;
    for (const char *at = content("output"); (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static void the_others_go_on_and_the_status_says_so(void **state) {
    (void)state;
    static const char *const commands[] = {"check --suite %s/ours.json --only %s/mine --quiet --out %s/out",
        "bench --suite %s/ours.json --only %s/mine --quiet --out %s/out"};
    for (size_t i = 0; i < 2; i++) {
        char line[1000];
        snprintf(line, sizeof line, commands[i], folder, folder, folder);
        assert_int_equal(run("%s", line), STATUS_BAD_INPUT);
        assert_says("bad.json: $.kernels[0].shader: there is no shader file ");
        assert_says("bad.json: $.kernels[1].operator: \"reluu\" is no operator; did you mean \"relu\"?");
        assert_says("2 slips in manifests; the kernels they are of are left out");
        assert_says("relu");
        assert_int_equal(times("there is no shader file"), 1);
    }
    assert_int_equal(run("list kernels --only %s/mine", folder), STATUS_BAD_INPUT);
    assert_says("relu.good");
    assert_int_equal(run("check relu.bad --only %s/mine --quiet --out %s/out", folder, folder), STATUS_BAD_INPUT);
    assert_says("no point of the suite matches \"relu.bad\"");
    assert_int_equal(run("list kernels --only %s/mine --kernels %s/mine", folder, folder), STATUS_USAGE);
}

// Of a failure an author needs the input, the place in the output, and what habit of shaders explains it.
static void a_failure_tells_what_its_author_needs(void **state) {
    (void)state;
    static const char norm[] =
        "{\"kernels\": [{\"name\": \"mul.wrong\", \"operator\": \"mul\", \"summary\": \"\", \"shader\": \"w.comp\", "
        "\"dtypes\": [\"f16\", \"f32\"], \"bindings\": [\"a\", \"b\", \"y\"], \"push\": [\"n\"], \"local_size\": [64], "
        "\"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}]}, {\"name\": \"transpose.wrong\", \"operator\": "
        "\"transpose\", "
        "\"summary\": \"\", \"shader\": \"t.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": "
        "[\"rows\", \"cols\"], \"local_size\": [64], \"grid\": [{\"over\": [\"rows\", \"cols\"], \"by\": \"WG_X\"}]}]}";
    assert_int_equal(mkdir(in_folder("told"), 0777), 0);
    write_text("told/m.json", norm);
    write_text("told/w.comp",
        "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"types.glsl\"\n"
        "layout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer A { T a[]; };\n"
        "layout(binding = 1) readonly buffer B { T b[]; };\nlayout(binding = 2) buffer Y { T y[]; };\n"
        "layout(push_constant) uniform P { uint n; };\nshared float t[64];\nvoid main() {\n"
        "uint i = gl_GlobalInvocationID.x; if (i >= n) return; t[0] = 1.0; barrier();\n"
        "y[i] = STORE(LOAD(a[i]) * LOAD(b[i]) + 1.0); }\n");
    write_text("told/t.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer X { float x[]; };\n"
        "layout(binding = 1) buffer Y { float y[]; };\nlayout(push_constant) uniform P { uint rows, cols; };\n"
        "void main() { uint i = gl_GlobalInvocationID.x; if (i < rows * cols)\n"
        "y[i % cols * rows + i / cols] = x[i] + (i == 13 ? 5.0 : 0.0); }\n");
    assert_int_equal(run("check 'mul.wrong/f32/n=513/wg=64x1x1' 'transpose.wrong/f32/rows=3,cols=11/wg=64x1x1' --only "
                         "%s/told --quiet --out %s/told-out",
                         folder, folder),
        STATUS_WRONG);
    assert_says(", at a = ");
    assert_says("; hint: some invocations of a group may return, or take another branch, before a barrier");
    assert_says("worst at index 7: got ");
    assert_says(", y[2, 1]\n"); // x[1, 2] is the 13th of rows of 11
    struct result result;
    read_result("told-out", &result);
    const struct record *record = record_of(&result, "transpose.wrong");
    assert_int_equal(record->check.input_count, 1);
    assert_true(fabs(record->check.inputs[0].value - record->check.want) < 1e-6);
    result_free(&result);
}

static void numbers_are_written_in_their_type(void **state) {
    (void)state;
    int status = run("check 'mul.wrong/f16/n=513/wg=64x1x1' --only %s/told --quiet --out %s/f16", folder, folder);
    if (status == STATUS_NOTHING) skip(); // no f16 here
    assert_int_equal(status, STATUS_WRONG);
    struct result result;
    read_result("f16", &result);
    const char *reason = record_of(&result, "mul.wrong")->reason;
    const char *got = strstr(reason, ": got "), *want = strstr(reason, "), want ");
    assert_non_null(got);
    assert_non_null(strstr(got, " (0x"));
    assert_non_null(want);
    result_free(&result);
}

static void a_cause_has_one_line(void **state) {
    (void)state;
    write_kernel_folder(
        "swap", "swap", UNARY_KERNEL("relu.swap", "relu", "swap"), "    if (i < n) y[i] = max(x[i], 0.0);\n");
    char *text = strdup(content("swap/swap.json"));
    char *bindings = strstr(text, "[\"x\", \"y\"]");
    assert_non_null(bindings);
    memcpy(bindings, "[\"y\", \"x\"]", 10);
    write_text("swap/swap.json", text);
    free(text);
    assert_int_equal(run("check --only %s/swap --quiet --out %s/out", folder, folder), STATUS_WRONG);
    assert_int_equal(times("look swapped"), 1);
    assert_says(" more points for this cause\n");
    assert_says("  right  wrong  errors  skipped");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_others_go_on_and_the_status_says_so),
        cmocka_unit_test(a_failure_tells_what_its_author_needs),
        cmocka_unit_test(numbers_are_written_in_their_type),
        cmocka_unit_test(a_cause_has_one_line),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

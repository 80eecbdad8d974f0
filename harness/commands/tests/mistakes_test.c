// SPDX-License-Identifier: Apache-2.0
// Tests errors in a user's manifests and shaders: all are reported, each cause once, and the other kernels run.
#include "vkassay_program.h"
#include "../../record/record.h"
#include "../../record/terms.h"

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

// Counts occurrences before the short list of all causes at the end of the output.
static size_t times(const char *part) {
    const char *text = content("output"), *end = strstr(text, "\nFailures by cause");
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, part)) && (!end || at < end); at += strlen(part)) count++;
    return count;
}

static void the_others_go_on_and_the_status_says_so(void **state) {
    static const char *const commands[] = {"check --suite %s/ours.json --only %s/mine --quiet --out %s/out",
        "bench --suite %s/ours.json --only %s/mine --quiet --out %s/out"};
    for (size_t i = 0; i < 2; i++) {
        char line[1000];
        snprintf(line, sizeof line, commands[i], folder, folder, folder);
        assert_int_equal(run("%s", line), STATUS_BAD_INPUT);
        assert_says("bad.json: $.kernels[0].shader: there is no shader file ");
        assert_says("bad.json: $.kernels[1].operator: \"reluu\" is no operator; did you mean \"relu\"?");
        assert_says("2 errors in manifests; kernels with errors are ignored");
        assert_says("relu");
        assert_int_equal(times("there is no shader file"), 1);
    }
    assert_int_equal(run("list kernels --only %s/mine", folder), STATUS_BAD_INPUT);
    assert_says("relu.good");
    assert_int_equal(run("check relu.bad --only %s/mine --quiet --out %s/out", folder, folder), STATUS_BAD_INPUT);
    assert_says("no point of the suite matches \"relu.bad\"");
    assert_int_equal(run("list kernels --only %s/mine --kernels %s/mine", folder, folder), STATUS_USAGE);
}

// The author of a failing kernel needs the input, the place in the output, and a hint at the likely mistake in the
// shader.
static void a_failure_tells_what_its_author_needs(void **state) {
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
    assert_says("; hint: some invocations of a workgroup may return or branch before a barrier");
    assert_says("worst at index 7: got ");
    assert_says(", y[2, 1]\n"); // x[1, 2] has index 13 in rows of 11
    struct result result;
    read_result("told-out", &result);
    const struct record *record = record_of(&result, "transpose.wrong");
    assert_int_equal(record->check.input_count, 1);
    assert_true(fabs(record->check.inputs[0].value - record->check.want) < 1e-6);
    result_free(&result);
}

static void numbers_are_written_in_their_type(void **state) {
    int status = run("check 'mul.wrong/f16/n=513/wg=64x1x1' --only %s/told --quiet --out %s/f16", folder, folder);
    needs_hardware(status != STATUS_NOTHING, "f16");
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
    assert_says(" more points with this cause\n");
    assert_says("  right  wrong  errors  skipped");
}

// Many manifests in one folder, each with one error. Each error costs only its own kernel and is reported once.
#define ADD                                                                                                            \
    "#version 450\nlayout(local_size_x = 64) in;\nlayout(push_constant) uniform P { uint n; float alpha; };\n"         \
    "layout(binding = 0) readonly buffer A { float a[]; };\nlayout(binding = 1) readonly buffer B { float b[]; };\n"

static const struct {
    const char *members, *says;
} mistakes[] = {
    {"\"shader\": \"add.comp\", \"push\": [1.0, \"n\"]",
        "push constants: bytes 0 to 3 are 1.0, a float; the shader has an integer there: in another order?"},
    {"\"shader\": \"add.comp\", \"push\": [\"n\", 1]",
        "an integer; the shader has a float there (a float is written with a point)"},
    {"\"shader\": \"add.comp\", \"push\": [\"n\"]",
        "push constants: the shader takes 8 bytes, the manifest gives 4 (n)"},
    {"\"shader\": \"add.comp\", \"push\": [\"n\", \"alpha\"]", ".push[1]: \"alpha\" is no dim, parameter or tunable"},
    {"\"shader\": \"add.comp\", \"bindings\": [\"a\", \"y\"]", "operand \"b\" of add has no binding"},
    {"\"shader\": \"add.comp\", \"bindings\": [\"a\", {\"name\": \"b\", \"binding\": 0}, \"y\"]",
        ".bindings[1]: binding 0 of set 0 is that of \"a\" too"},
    {"\"shader\": \"add.comp\", \"bindings\": [\"y\", \"b\", \"a\"]",
        "binding 0 and binding 2 look swapped: y is an output, and the shader only reads it"},
    {"\"shader\": \"broken.comp\"", "broken.comp:4: error: 'alhpa' : undeclared identifier"},
    {"\"shader\": \"ad.comp\"", ".shader: there is no shader file "},
    {"\"shader\": \"add.comp\", \"layout\": {\"y\": {\"offset\": 4}}",
        "wrote before or between the elements of operand y, within its layout"},
    {"\"shader\": \"add.comp\", \"layout\": {\"a\": {\"strides\": [0]}}",
        ".layout.a.strides[0]: expected an integer from 1 to 2147483647, found 0"},
    {"\"shader\": \"add.comp\", \"fixed\": {\"y\": 0}", ".fixed.y: \"y\" is no input of add"},
    {"\"shader\": \"add.comp\", \"in_place\": {\"a\": \"y\"}", ".in_place.a: \"a\" is no output of add"},
    {"\"shader\": \"add.comp\", \"local_size\": [128]",
        "64 x 1 x 1 is fixed in the shader, but the manifest has 128 x 1 x 1"},
    {"\"passes\": [{\"push\": [\"n\", 1.0]}]", ".passes[0]: expected a member \"shader\""},
    {"\"shader\": \"add.comp\", \"passes\": [{\"bindings\": [\"a\", \"b\", \"t\"]}, {\"bindings\": [\"t\", \"b\", "
     "\"y\"]}], \"scratch\": {\"t\": {\"dtype\": \"f32\", \"over\": \"n\", \"by\": 2}}",
        "wrote outside scratch buffer t"},
    {"\"shader\": \"add.comp\", \"passes\": [{\"repeat\": {\"i\": {\"from\": 1, \"multiply\": 2}}}]",
        ".passes[0].repeat: nothing ends it"},
    {"\"shader\": \"add.comp\", \"grid\": [{\"over\": \"n\", \"by\": 1024}]",
        "136 32-bit words of y were never written"},
    {"\"shader\": \"add.comp\", \"entry\": \"run\"", "the module has no compute entry point \"run\"; it has main"},
    {"\"shader\": \"add.comp\", \"constants\": {\"TILE\": 16}",
        "the shader declares no constant \"TILE\"; it has none by name"},
    {"\"shader\": \"image.comp\"", "binding 2: the shader has a storage image there: vkassay does not bind images"},
    {"\"shader\": \"add.comp\", \"bindngs\": []", "unknown member \"bindngs\"; did you mean \"bindings\"?"},
};

static void each_costs_its_kernel_alone(void **state) {
    assert_int_equal(mkdir(in_folder("mistakes"), 0777), 0);
    write_text("mistakes/add.comp",
        ADD "layout(binding = 2) writeonly buffer Y { float y[]; };\n"
            "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) y[i] = a[i] + alpha * b[i]; }\n");
    write_text("mistakes/image.comp", ADD "layout(binding = 2, r32f) uniform writeonly image2D y;\n"
                                          "void main() { imageStore(y, ivec2(0), vec4(a[0] + b[0] * alpha)); }\n");
    write_text("mistakes/broken.comp", "#version 450\nlayout(local_size_x = 64) in;\n\nvoid main() { alhpa = 1; }\n");
    for (size_t i = 0; i <= sizeof mistakes / sizeof *mistakes; i++) {
        char name[40], text[2000];
        const bool good = i == sizeof mistakes / sizeof *mistakes;
        snprintf(name, sizeof name, "mistakes/m%zu.json", i);
        snprintf(text, sizeof text,
            "{\"common\": {\"dtypes\": [\"f32\"], \"summary\": \"s\", \"local_size\": [64], \"bindings\": [\"a\", "
            "\"b\", "
            "\"y\"], \"push\": [\"n\", 1.0], \"grid\": [{\"over\": \"n\", \"by\": 64}]}, \"kernels\": [{\"operator\": "
            "\"add\", "
            "\"name\": \"add.m%zu\", %s}]}",
            i, good ? "\"shader\": \"add.comp\"" : mistakes[i].members);
        write_text(name, text);
    }
    write_suite("adds", "{\"operator\": \"add\", \"dims\": {\"n\": 200}}");
    assert_int_equal(run("check --suite %s/adds.json --only %s/mistakes --quiet --out %s/out", folder, folder, folder),
        STATUS_WRONG);
    int wrong = 0;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        if (times(mistakes[i].says) == 1) continue;
        print_error("%s: told %zu times: %s\n", mistakes[i].members, times(mistakes[i].says), mistakes[i].says);
        wrong++;
    }
    if (wrong) fail_msg("%s", content("output"));
    struct result result;
    read_result("out", &result);
    char good[20];
    snprintf(good, sizeof good, "add.m%zu", sizeof mistakes / sizeof *mistakes);
    assert_int_equal(record_of(&result, good)->status, RECORD_PASS);
    result_free(&result);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_costs_its_kernel_alone),
        cmocka_unit_test(the_others_go_on_and_the_status_says_so),
        cmocka_unit_test(a_failure_tells_what_its_author_needs),
        cmocka_unit_test(numbers_are_written_in_their_type),
        cmocka_unit_test(a_cause_has_one_line),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

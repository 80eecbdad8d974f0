// SPDX-License-Identifier: Apache-2.0
// Tests a user's own shaders and operators from outside, with the examples of reports/examples/custom. WGSL goes
// through a stand-in for its compiler. It keeps its input and returns double.spv, made by naga from double.wgsl at a
// workgroup size of 64. Run from the top of the repository, on any device.
#include "../../base/file.h"
#include "../../shaders/shader.h"
#include "vkassay_program.h"

#include <sys/stat.h>

#define EXAMPLE "reports/examples/custom"

// Runs with no WGSL compiler except the one given by `before`.
static int run_with(const char *before, const char *arguments) {
    return shell("env -u VKASSAY_WGSL PATH=%s/bin VKASSAY_CACHE=%s/cache %s %s %s --out %s/out >%s/output 2>&1", folder,
        folder, before, program, arguments, folder, folder);
}

static void write_script(const char *name, const char *text) {
    write_text(name, text);
    assert_int_equal(chmod(in_folder(name), 0777), 0);
}

static void expect(const char *before, const char *what, int status, const char *says) {
    char arguments[2000];
    snprintf(arguments, sizeof arguments, "check --quiet --operators %s/double.so --kernels " EXAMPLE "/kernels %s",
        folder, what);
    int found = run_with(before, arguments);
    if (found != status)
        fail_msg("vkassay %s: status %d, expected %d:\n%s", arguments, found, status, content("output"));
    assert_says(says);
}

#define SIZES(kernel, shape)                                                                                           \
    "'" kernel "/f32/n=1/" shape "' '" kernel "/f32/n=65/" shape "' '" kernel "/f32/n=1024/" shape "'"

static void a_users_operator_is_judged(void **state) {
    expect("", SIZES("double.glsl", "wg=64x1x1"), STATUS_OK, "3 points: 3 passed");
    assert_int_equal(run("list operators --operators %s/double.so", folder), STATUS_OK);
    assert_says("output = input * 2");
}

// No suite has a point of this operator.
static void a_users_operator_takes_given_sizes(void **state) {
    assert_int_equal(shell("rm -rf %s/out", folder), 0);
    expect("", "double.glsl --dims n=77", STATUS_OK, " passed, 0 failed");
    assert_holds("out/*/*/result.json", "double.glsl/f32/n=77/");
}

static void shaders_come_in_other_languages(void **state) {
    expect(
        "", SIZES("double.hlsl", "wg=32x1x1") " " SIZES("double.hlsl", "wg=256x1x1"), STATUS_OK, "6 points: 6 passed");
    expect("", SIZES("double.spirv", "wg=64x1x1"), STATUS_OK, "3 points: 3 passed");
}

// Buffers may have any set and number, in any order, and parameters may be in a uniform buffer of another set. The
// kernel has two passes, to bind two such sets.
static void buffers_stand_anywhere(void **state) {
    char arguments[900];
    assert_int_equal(shell("mkdir %s/sets", folder), 0);
    write_text("sets/scale.comp",
        "#version 450\nlayout(local_size_x = WG_X) in;\n"
        "layout(set = 3, binding = 41) readonly buffer A { float from[]; };\n"
        "layout(set = 1, binding = 7) writeonly buffer B { float to[]; };\n"
        "layout(set = 2, binding = 900, std140) uniform P { float factor; uint n; };\n"
        "void main() {\n    uint i = gl_GlobalInvocationID.x;\n    if (i < n) to[i] = from[i] * FACTOR;\n}\n");
    write_text("sets/scale.json",
        "{\"kernels\": [{\"name\": \"scale.anywhere\", \"operator\": \"scale\", \"summary\": \"s\", \"dtypes\": "
        "[\"f32\"], "
        "\"shader\": \"scale.comp\", \"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}], "
        "\"tunables\": {\"WG_X\": {\"id\": -1, \"values\": [32, 128], \"default\": 32}}, "
        "\"uniform\": {\"set\": 2, \"binding\": 900, \"members\": [\"scale\", \"n\"]}, "
        "\"scratch\": {\"between\": {\"dtype\": \"f32\", \"over\": [\"n\"]}}, \"passes\": ["
        "{\"defines\": {\"FACTOR\": \"1\"}, \"bindings\": [{\"name\": \"between\", \"set\": 1, \"binding\": 7}, "
        "{\"name\": \"x\", \"set\": 3, \"binding\": 41}]}, "
        "{\"defines\": {\"FACTOR\": \"factor\"}, \"bindings\": [{\"name\": \"y\", \"set\": 1, \"binding\": 7}, "
        "{\"name\": \"between\", \"set\": 3, \"binding\": 41}]}]}]}");
    snprintf(arguments, sizeof arguments,
        "bench --quiet --kernels %s/sets 'scale.anywhere/f32/n=1/wg=32x1x1' "
        "'scale.anywhere/f32/n=1025/wg=32x1x1' 'scale.anywhere/f32/n=1025,scale=-2.5/wg=128x1x1'",
        folder);
    int status = run_with("", arguments);
    if (status != STATUS_OK) fail_msg("status %d:\n%s", status, content("output"));
    assert_says("3 points: 3 passed");
}

static void wgsl_without_a_compiler_is_skipped_with_instructions(void **state) {
    expect("", SIZES("double.wgsl", "wg=64x1x1"), STATUS_NOTHING,
        "there is no WGSL compiler, naga or tint, on the PATH: install one");
    expect("VKASSAY_WGSL=/no/such/naga", SIZES("double.wgsl", "wg=64x1x1"), STATUS_NOTHING,
        "the WGSL compiler \"/no/such/naga\" cannot be run");
}

static void wgsl_goes_through_a_compiler(void **state) {
    char before[500];
    snprintf(before, sizeof before, "VKASSAY_WGSL='%s/stand-in --flag %%o %%i'", folder);
    expect(before, SIZES("double.wgsl", "wg=64x1x1"), STATUS_OK, "3 points: 3 passed");
    assert_holds("asked", "--flag /");
    assert_holds("asked", "/shader.spv /");
    assert_holds("given", "@workgroup_size(64)"); // WG_X was replaced
    assert_null(strstr(content("given"), "WG_X)"));

    // Another size changes the text. The stand-in's SPIR-V is still for size 64, and this is detected.
    char what[500];
    snprintf(what, sizeof what, "'double.wgsl/f32/n=65/wg=128x1x1' --wgsl-compiler '%s/stand-in'", folder);
    expect(
        "", what, STATUS_WRONG, "workgroup size: 64 x 1 x 1 is fixed in the shader, but the manifest has 128 x 1 x 1");
    assert_holds("given", "@workgroup_size(128)");
    assert_holds("asked", "/shader.wgsl /"); // input, then output, if the command has no placeholders
}

static void hlsl_goes_through_dxc_where_it_is_named(void **state) {
    char before[600];
    // The stand-in returns SPIR-V without a uniform buffer, and this is detected.
    static const char other[] = "uniform parameters: the shader takes 0 bytes, the manifest gives 4 (n)";
    assert_int_equal(shell("ln -sf %s/stand-in %s/dxc", folder, folder), 0);
    snprintf(before, sizeof before, "VKASSAY_HLSL=%s/dxc", folder);
    expect(before, SIZES("double.hlsl", "wg=64x1x1"), STATUS_WRONG, other);
    assert_holds("asked", "-spirv -T cs_6_2 -enable-16bit-types -fspv-target-env=vulkan1.1 -E main -I ");
    assert_holds("asked", "/shader.spv /");
    assert_holds("given", "#define WG_X 64\n");
    assert_holds("given", "[numthreads(WG_X, 1, 1)]");
    snprintf(before, sizeof before, "VKASSAY_HLSL='%s/stand-in --entry %%e %%i %%o'", folder);
    expect(before, SIZES("double.hlsl", "wg=64x1x1"), STATUS_WRONG, other);
    assert_holds("asked", "--entry main /");
    expect("VKASSAY_HLSL=/no/such/dxc", SIZES("double.hlsl", "wg=64x1x1"), STATUS_NOTHING,
        "the HLSL compiler \"/no/such/dxc\" of VKASSAY_HLSL cannot be run: expected a program");
}

// ---- init and check of HLSL through DXC, with another entry point than main

static const char sigmoid[] =
    "cbuffer Args : register(b2) { uint count; };\nStructuredBuffer<float> In : register(t0);\n"
    "RWStructuredBuffer<float> Out : register(u1);\n[numthreads(64, 1, 1)]\n"
    "void CSMain(uint3 id : SV_DispatchThreadID) {\n"
    "    if (id.x < count) Out[id.x] = 1.0 / (1.0 + exp(-In[id.x]));\n}\n";

static void init_and_check(const char *dxc) {
    char before[400], arguments[600];
    snprintf(before, sizeof before, "VKASSAY_HLSL='%s'", dxc);
    snprintf(arguments, sizeof arguments, "init %s/hlsl --out %s/hlsl/m.json", folder, folder);
    assert_int_equal(shell("rm -f %s/hlsl/m.json", folder), 0);
    assert_int_equal(shell("%s %s %s >%s/output 2>&1", before, program, arguments, folder), STATUS_OK);
    assert_says("sigmoid.hlsl, CSMain: sigmoid.sigmoid_CSMain");
    const int status =
        shell("%s VKASSAY_CACHE=%s/cache %s check sigmoid --only %s/hlsl --quiet --out %s/out >%s/output 2>&1", before,
            folder, program, folder, folder, folder);
    if (status != STATUS_OK) fail_msg("%s", content("output"));
    assert_says("0 failed");
}

// The stand-in takes DXC's arguments and returns SPIR-V that the library made of the shader.
static void init_and_check_go_through_dxc(void **state) {
    char text[900];
    struct arena arena = {0};
    struct error err;
    struct spirv spirv;
    assert_int_equal(mkdir(in_folder("hlsl"), 0777) + mkdir(in_folder("dxc_like"), 0777), 0);
    write_text("hlsl/sigmoid.hlsl", sigmoid);
    const struct shader_request request = {.path = in_folder("hlsl/sigmoid.hlsl"), .entry = "CSMain", .lines = true};
    if (!shader_make(&arena, &request, &spirv, &err)) fail_msg("%s", err.text);
    if (!file_write(in_folder("sigmoid.spv"), spirv.words, spirv.count * 4, &err)) fail_msg("%s", err.text);
    snprintf(text, sizeof text,
        "#!/bin/sh\necho \"$@\" >>%s/dxc_asked\nfor f; do [ \"$last\" = -Fo ] && cp %s/sigmoid.spv \"$f\"; last=$f; "
        "done\n",
        folder, folder);
    write_script("dxc_like/dxc", text);
    snprintf(text, sizeof text, "%s/dxc_like/dxc", folder);
    init_and_check(text);
    assert_holds("dxc_asked", "-spirv -T cs_6_2 -enable-16bit-types -fspv-target-env=vulkan1.1 -E CSMain -I ");
    arena_free(&arena);
}

static void init_and_check_go_through_the_real_dxc(void **state) {
    if (!found_by("command -v dxc")) not_run("missing: dxc, of which Debian has no package");
    init_and_check("dxc");
}

static void a_compilers_complaint_is_the_reason(void **state) {
    char what[500];
    snprintf(what, sizeof what, "'double.wgsl/f32/n=65/wg=32x1x1' --wgsl-compiler '%s/refuses'", folder);
    expect("", what, STATUS_WRONG, "error: expected ';' at 3:7");
    snprintf(what, sizeof what, "--operators %s/double.so --kernels " EXAMPLE "/kernels", folder);
    assert_says(what); // in the replay line
}

static void objects_that_do_not_fit_are_refused(void **state) {
    static const struct {
        const char *source, *says;
    } rows[] = {
        {"int nothing;", "it does not end with VKASSAY_OPERATORS"},
        {"#include \"operator.h\"\nconst struct operator_file vkassay_operators = {OPERATOR_VERSION, 8, 8, "
         "DTYPE_COUNT, 0};",
            "made with another reference/operator.h (version "},
        {"#include \"operator.h\"\nstatic const struct op op = {.name = \"Twice\"};\nVKASSAY_OPERATORS(&op)",
            "found \"Twice\""},
        {"#include \"operator.h\"\nstatic const struct op op = {.name = \"twice\"};\nVKASSAY_OPERATORS(&op)",
            "twice has no .family"},
        {"#include \"operator.h\"\n#define T \"t\"\nstatic void f64(const struct call_f64 *c) { (void)c; }\n"
         "static const struct op op = {.name = \"twice\", .family = T, .summary = T, .formula = T, .source = T, "
         ".systems = T, "
         ".bound = T, .f64 = f64};\nVKASSAY_OPERATORS(&op)",
            "twice has no .f32"},
        {"#include \"operator.h\"\n#define T \"t\"\nstatic void f64(const struct call_f64 *c) { (void)c; }\n"
         "static void f32(const struct call_f32 *c) { (void)c; }\n"
         "static const struct op op = {.name = \"relu\", .family = T, .summary = T, .formula = T, .source = T, "
         ".systems = T, "
         ".bound = T, .f64 = f64, .f32 = f32, .dims = {\"n\"}, .operands = {{\"y\", ROLE_OUT, .shape = {\"n\"}}}};\n"
         "VKASSAY_OPERATORS(&op)",
            "relu: there is an operator of that name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        write_text("own.c", rows[i].source);
        assert_int_equal(shell("cc -shared -fPIC -w -I reference %s/own.c -o %s/own.so", folder, folder), 0);
        int status = run("list operators --operators %s/own.so", folder);
        if (status != STATUS_BAD_INPUT) fail_msg("%s: status %d", rows[i].says, status);
        assert_says(rows[i].says);
    }
    assert_int_equal(run("list operators --operators %s/own.c", folder), STATUS_BAD_INPUT);
    assert_int_equal(run("check 'double.glsl/f32/n=1/wg=64x1x1' --kernels " EXAMPLE "/kernels"), STATUS_BAD_INPUT);
    assert_says("\"double\" is no operator");
    assert_says("--operators");
}

static int set_up(void **state) {
    char text[600];
    if (program_open(state) != 0) return -1;
    snprintf(text, sizeof text,
        "#!/bin/sh\nPATH=/usr/bin:/bin\necho \"$@\" >%s/asked\nfor f; do case $f in *.wgsl | */shader.hlsl) cp $f "
        "%s/given;; "
        "*.spv) cp " EXAMPLE "/kernels/double.spv $f;; esac; done\n",
        folder, folder);
    write_script("stand-in", text);
    write_script("refuses", "#!/bin/sh\necho \"error: expected ';' at 3:7\" >&2\nexit 1\n");
    return shell(
        "mkdir %s/bin && cc -shared -fPIC -O2 -I reference " EXAMPLE "/double.c -o %s/double.so", folder, folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_users_operator_is_judged),
        cmocka_unit_test(a_users_operator_takes_given_sizes),
        cmocka_unit_test(shaders_come_in_other_languages),
        cmocka_unit_test(buffers_stand_anywhere),
        cmocka_unit_test(wgsl_without_a_compiler_is_skipped_with_instructions),
        cmocka_unit_test(wgsl_goes_through_a_compiler),
        cmocka_unit_test(hlsl_goes_through_dxc_where_it_is_named),
        cmocka_unit_test(init_and_check_go_through_dxc),
        cmocka_unit_test(init_and_check_go_through_the_real_dxc),
        cmocka_unit_test(a_compilers_complaint_is_the_reason),
        cmocka_unit_test(objects_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

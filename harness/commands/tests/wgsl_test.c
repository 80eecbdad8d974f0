// SPDX-License-Identifier: Apache-2.0
// Tests WGSL shaders with a real compiler.
#include "vkassay_program.h"

#define CUSTOM "reports/examples/custom/kernels"

static const char reaching[] = "@group(0) @binding(0) var<storage, read> x: array<f32>;\n"
                               "@group(0) @binding(1) var<storage, read_write> y: array<f32>;\n"
                               "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) g: vec3<u32>) {\n"
                               "    y[g.x] = max(x[g.x], 0.0);\n}\n";

static int set_up(void **state) {
    if (program_open(state) != 0) return -1;
    if (shell("cc -shared -fPIC -O2 -I reference reports/examples/custom/double.c -o %s/double.so", folder) != 0)
        return -1;
    if (mkdir(in_folder("mine"), 0777) != 0) return -1;
    write_text("mine/relu.wgsl", reaching);
    write_text("mine/m.json", "{\"kernels\": [{\"name\": \"relu.mine\", \"operator\": \"relu\", \"summary\": \"\", "
                              "\"shader\": \"relu.wgsl\", "
                              "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"local_size\": [64], \"grid\": "
                              "[{\"over\": \"n\", \"by\": "
                              "\"WG_X\"}]}]}");
    return 0;
}

static void what_a_real_compiler_makes_is_right(void **state) {
    needs_wgsl();
    assert_int_equal(
        run("check softmax.wgsl --only " CUSTOM " --operators %s/double.so --shapes 1 --quiet --out %s/out", folder,
            folder),
        STATUS_OK);
    assert_says(" 0 failed, 0 skipped");
}

static void a_pipeline_of_wgsl_is_compiled_without_a_run(void **state) {
    needs_wgsl();
    write_text("sizes.json", "{\"schema_version\": 1, \"name\": \"sizes\", \"summary\": \"\", \"entries\": "
                             "[{\"kernel\": \"relu.mine\", \"dims\": {\"n\": [7, 65]}}]}");
    assert_int_equal(
        run("compile --only %s/mine --suite %s/sizes.json --quiet --out %s/out", folder, folder, folder), STATUS_OK);
    assert_says(": 1 pipelines compiled, ");
    write_text("mine/relu.wgsl", "fn main() { let a: f32 = 1u; }\n");
    assert_int_equal(
        run("compile --only %s/mine --suite %s/sizes.json --quiet --out %s/out", folder, folder, folder), STATUS_WRONG);
    assert_says("relu.wgsl: ");
    assert_says(", 1 failed");
    write_text("mine/relu.wgsl", reaching);
}

static void a_compiler_s_own_words_are_told(void **state) {
    needs_wgsl();
    write_text("mine/relu.wgsl", "fn main() { let a: f32 = 1u; }\n");
    assert_int_equal(
        run("check relu.mine/f32/n=7/wg=64x1x1 --only %s/mine --quiet --out %s/out", folder, folder), STATUS_WRONG);
    assert_says("relu.wgsl: ");
    assert_says("f32");
    write_text("mine/relu.wgsl", reaching);
}

// A browser would have kept this access within its buffer.
static void a_shader_that_counts_on_the_browser_is_told_so(void **state) {
    needs_wgsl();
    assert_int_equal(
        run("check relu.mine/f32/n=65/wg=64x1x1 --only %s/mine --quiet --out %s/out", folder, folder), STATUS_WRONG);
    assert_says("wrote past the end of operand y");
    assert_says("; hint: a browser keeps each access within its buffer");
    assert_says("--index-bounds-check-policy Restrict");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_real_compiler_makes_is_right),
        cmocka_unit_test(a_pipeline_of_wgsl_is_compiled_without_a_run),
        cmocka_unit_test(a_compiler_s_own_words_are_told),
        cmocka_unit_test(a_shader_that_counts_on_the_browser_is_told_so),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

// SPDX-License-Identifier: Apache-2.0
// Tests `init` on backends: wrong guesses, the lines of a build, and a project's dictionary.
#include "vkassay_program.h"

#define MAIN "void main() {\n    uint i = gl_GlobalInvocationID.x;\n    if (i < SIZE) y[i] = "
#define X_Y                                                                                                            \
    "layout(local_size_x = 64) in;\nlayout(binding = 0) buffer X { float x[]; };\n"                                    \
    "layout(binding = 1) buffer Y { float y[]; };\n"
#define BLOCK(words) "layout(push_constant) uniform P { uint " words "; };\n"

static int set_up(void **state) {
    if (program_open(state) != 0 || mkdir(in_folder("wrong"), 0777) != 0 || mkdir(in_folder("lines"), 0777) != 0 ||
        mkdir(in_folder("lines/inc"), 0777) != 0 || mkdir(in_folder("m"), 0777) != 0 ||
        mkdir(in_folder("words"), 0777) != 0 || mkdir(in_folder("product"), 0777) != 0 ||
        mkdir(in_folder("never"), 0777) != 0 || mkdir(in_folder("parts"), 0777) != 0)
        return -1;
    write_text("wrong/relu.comp", "#version 450\n#define SIZE n\n" X_Y BLOCK("n") MAIN "max(x[i], 0.0);\n}\n");
    write_text("wrong/neg.comp", "#version 450\n#define SIZE n\n" X_Y BLOCK("n") MAIN "x[i] + 1.0;\n}\n");
    // wrong at one of several sizes
    write_text("wrong/abs.comp",
        "#version 450\n#define SIZE n\n" X_Y BLOCK("n") MAIN "abs(x[i]) + (n == 1025 ? 1.0 : 0.0);\n}\n");
    write_text("wrong/parts.glsl", "float half_of(float x) { return 0.5 * x; }\n");
    write_text("product.json", "{\"kernels\": [{\"when\": {\"file\": \"long\"}, \"operator\": \"matmul_nt\"}]}");
    write_text("product/long.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer A { float a[]; };\n"
        "layout(binding = 1) buffer B { float b[]; };\nlayout(binding = 2) buffer C { float c[]; };\n" BLOCK(
            "m, n, k") "void main() {\n    uint i = gl_GlobalInvocationID.x;\n    float sum = k > 1000 ? 1.0 : 0.0;\n"
                       "    if (i >= m * n) return;\n    for (uint j = 0; j < k; j++) sum += a[i / n * k + j] * b[i % "
                       "n * k + j];\n"
                       "    c[i] = sum;\n}\n");
    write_text("lines/inc/op.glsl", "#define Y(x) OP(x)\n");
    write_text("lines/unary.comp",
        "#version 450\n#include \"op.glsl\"\n#define SIZE n\nlayout(local_size_x = 64) in;\n"
        "layout(binding = 0) buffer X { T x[]; };\nlayout(binding = 1) buffer Y { T y[]; };\n" BLOCK("n") MAIN
        "T(Y(x[i]));\n}\n");
    write_text("lines/build.txt",
        "cd inc/..\nabs_f32 unary.comp -DT=float -DOP=abs -Iinc\n"
        "glslc -O unary.comp -o out/square_f32.spv -DT=float '-DOP(x)=(x)*(x)' -I inc\n"
        "neg_q4_k unary.comp -DT=nothing -DOP=- -Iinc\nsqrt_f32 unary.comp -DT=float -Iinc\n");
    // names that only the project knows: KX, a constant with a meaning, buffers out of order
    write_text("words/op7.comp",
        "#version 450\n#define SIZE KX * KY\nlayout(local_size_x = 64) in;\nlayout(constant_id = 4) const uint MODE = "
        "1;\n"
        "layout(binding = 0) buffer D { float data_d[]; };\nlayout(binding = 1) buffer A { float data_a[]; };\n"
        "layout(binding = 2) buffer B { float data_b[]; };\n" BLOCK(
            "KY, odd[2], KX") "#define y data_d\n" MAIN
                              "MODE == 2 ? data_a[i] - data_b[i] + float(odd[1] - KX) : 0.0;\n}\n");
    write_text("words/names.json",
        "{\"project\": \"p\",\n"
        " \"kernels\": [{\"when\": {\"file\": [\"none\", \"op7\"]}, \"operator\": \"sub\", \"members\": {\"summary\": "
        "\"of p\", "
        "\"constants\": {\"7\": null}}},\n"
        "  {\"when\": {\"file\": [\"secret\", \"image\"]}, \"reason\": \"type fp3\"}],\n"
        " \"buffers\": [{\"name\": \"data_d\", \"operand\": [\"c\", \"y\"]}, {\"name\": \"@1\", \"operand\": \"a\"}],\n"
        " \"words\": [{\"when\": {\"operator\": \"s?b\"}, \"name\": \"KX\", \"is\": {\"length\": \"@data_b\"}},\n"
        "  {\"name\": \"KY\", \"is\": \"cols\"}, {\"name\": \"KY\", \"is\": 1}, {\"name\": \"odd:1\", \"is\": "
        "\"n\"}],\n"
        " \"constants\": [{\"name\": \"M*\", \"is\": 2}]}\n");
    // the first pass has macros of its own, and the second those of the line
    write_text("parts/second.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(constant_id = 3) const uint SIGN = 0;\n"
        "layout(binding = 0) buffer H { float h[]; };\nlayout(binding = 1) buffer Y { float y[]; };\n" BLOCK(
            "n") "#define SIZE n\n" MAIN "SIGN == 1 ? SECOND h[i] : 0.0;\n}\n");
    write_text("parts/first.comp",
        "#version 450\n#ifdef SECOND\n#error a macro of the other pass\n#endif\nlayout(local_size_x = 64) in;\n"
        "layout(binding = 0) buffer X { float x[]; };\nlayout(binding = 1) buffer Y { float y[]; };\n" BLOCK(
            "n") "#define SIZE n\n" MAIN "FIRST x[i];\n}\n");
    write_text("parts/build.txt", "second_f32 second.comp -DSECOND=-\n");
    write_text("parts.json",
        "{\"kernels\": [{\"when\": {\"file\": \"second\"}, \"operator\": \"copy\", \"members\": {\"scratch\": "
        "{\"h\": {\"dtype\": \"f32\", \"over\": [\"n\"]}}, \"bindings\": [\"h\", \"y\"], \"passes\": [{\"shader\": "
        "\"first.comp\", \"defines\": {\"FIRST\": \"-\"}, \"bindings\": [\"x\", \"h\"]}, {}]}}],\n"
        " \"constants\": [{\"name\": \"SIGN\", \"is\": 1}]}\n");
    write_text("words/secret.comp", "#version 450\n#define SIZE n\n" X_Y BLOCK("n") MAIN "x[i];\n}\n");
    write_text("words/image.comp",
        "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 3, r32f) writeonly uniform image2D y;\n"
        "void main() { imageStore(y, ivec2(0), vec4(1.0)); }\n");
    write_text("never/relu.comp",
        "#version 450\n#extension GL_NV_shader_sm_builtins : require\n#define SIZE n\n" X_Y BLOCK("n") MAIN
        "gl_SMCountNV > 0 ? max(x[i], 0.0) : 1.0;\n}\n");
    return 0;
}

static void a_wrong_guess_is_not_placed(void **state) {
    assert_int_equal(run("init %s/wrong --out %s/wrong/m.json", folder, folder), STATUS_PARTIAL);
    assert_says("1 kernel, 2 not placed");
    assert_says("abs.comp, main: as abs: a trial differs: abs.abs/f32/n=");
    assert_says("1 header without a main function");
    assert_says("neg.comp, main: as neg: a trial differs: neg.neg/f32/n=");
    assert_int_equal(run("check --only %s/wrong --tier smoke --quiet --out %s/out", folder, folder), STATUS_OK);
}

// The suites have products of 16 x 4096 x 4096, too, and a software driver is long at them.
static void a_trial_of_a_product_is_small(void **state) {
    assert_int_equal(
        run("init %s/product --names %s/product.json --out %s/product/m.json", folder, folder, folder), STATUS_OK);
    assert_says("matmul_nt.long");
}

static void a_shader_that_no_device_runs_is_not_placed(void **state) {
    assert_int_equal(run("init %s/never --out %s/never/m.json", folder, folder), STATUS_NOTHING);
    assert_says("relu.comp, main: the shader declares the capability ShaderSMBuiltinsNV, but vkassay never enables it");
}

static void an_operator_that_the_user_names_stays(void **state) {
    assert_int_equal(run("init neg %s/wrong/neg.comp", folder), STATUS_OK);
    assert_says("differs: neg.neg/f32/n=");
    assert_says("\"name\": \"neg.neg\"");
}

static void each_line_of_a_build_is_a_variant(void **state) {
    assert_int_equal(run("init --defines %s/lines/build.txt --out %s/lines/m.json", folder, folder), STATUS_PARTIAL);
    assert_says("2 kernels, 2 not placed");
    assert_says("unary.comp (neg_q4_k), main: type q4_K");
    assert_says("unary.comp (sqrt_f32): does not compile: ");
    assert_holds("lines/m.json", "\"name\": \"square.square_f32\"");
    assert_holds("lines/m.json", "\"OP(x)\": \"(x)*(x)\"");
    assert_holds("lines/m.json", "\"includes\": [ \"inc\" ]");
    assert_int_equal(run("check --only %s/lines --tier smoke --quiet --out %s/out", folder, folder), STATUS_OK);
    assert_of_schema("lines/m.json");
    assert_int_equal(run("init %s/lines --defines %s/wrong/relu.comp", folder, folder), STATUS_BAD_INPUT);
    assert_says("relu.comp:3: expected a shader's file");
}

static void a_dictionary_counts_more_than_guesses(void **state) {
    assert_int_equal(
        run("init %s/words --names %s/words/names.json --out %s/m/m.json", folder, folder, folder), STATUS_PARTIAL);
    assert_says("1 kernel, 2 not placed");
    assert_says("secret.comp, main: type fp3");
    assert_says("image.comp, main: binding 3: the shader has a storage image there: vkassay does not bind images");
    assert_holds("m/m.json", "\"summary\": \"of p\"");
    assert_holds("m/m.json", "\"bindings\": [ \"y\", \"a\", \"b\" ]");
    assert_holds("m/m.json", "\"push\": [ 1, ");
    assert_holds("m/m.json", ", \"n\", { \"length\": \"b\" } ]");
    assert_holds("m/m.json", "\"constants\": { \"MODE\": 2 }");
    assert_int_equal(run("check --only %s/m --tier smoke --quiet --out %s/out", folder, folder), STATUS_OK);
}

static void a_pass_with_macros_of_its_own_gets_none_of_the_line(void **state) {
    assert_int_equal(
        run("init --defines %s/parts/build.txt --names %s/parts.json --out %s/parts/m.json", folder, folder, folder),
        STATUS_OK);
    assert_holds("parts/m.json", "{ \"defines\": { \"SECOND\": \"-\" }, \"constants\": { \"SIGN\": 1 } } ]");
    assert_int_equal(run("check --only %s/parts --tier smoke --quiet --out %s/out", folder, folder), STATUS_OK);
}

static void a_dictionary_with_a_fault_names_it(void **state) {
    static const struct {
        const char *text, *says;
    } bad[] = {{"[]", "expected object, found array"}, {"{\"wordz\": []}", "did you mean \"words\""},
        {"{\"words\": [{\"name\": 7, \"is\": 1}]}", "$.words[0].name"},
        {"{\"words\": [{\"name\": \"n\"}]}", "$.words[0]"},
        {"{\"words\": [{\"name\": \"n\", \"is\": null}]}", "$.words[0].is: expected a word, found null"},
        {"{\"words\": [{\"name\": [], \"is\": 1}]}", "$.words[0].name: expected 1 or more items, found 0"},
        {"{\"buffers\": [{\"name\": \"n\", \"operand\": [1]}]}", "$.buffers[0].operand[0]"},
        {"{\"constants\": [{\"is\": 1}]}", "expected \"name\" or \"id\""},
        {"{\"kernels\": [{\"when\": {\"files\": \"a\"}}]}", "$.kernels[0].when"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        write_text("bad.json", bad[i].text);
        assert_int_equal(run("init %s/words --names %s/bad.json", folder, folder), STATUS_BAD_INPUT);
        assert_says(bad[i].says);
    }
    write_text("bad.json", "{\"kernels\": [{\"operator\": \"subb\"}]}");
    assert_int_equal(run("init %s/words/op7.comp --names %s/bad.json", folder, folder), STATUS_NOTHING);
    assert_says("the dictionary's operator \"subb\" is unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_guess_is_not_placed),
        cmocka_unit_test(a_trial_of_a_product_is_small),
        cmocka_unit_test(a_shader_that_no_device_runs_is_not_placed),
        cmocka_unit_test(an_operator_that_the_user_names_stays),
        cmocka_unit_test(each_line_of_a_build_is_a_variant),
        cmocka_unit_test(a_dictionary_counts_more_than_guesses),
        cmocka_unit_test(a_pass_with_macros_of_its_own_gets_none_of_the_line),
        cmocka_unit_test(a_dictionary_with_a_fault_names_it),
    };
    return cmocka_run_group_tests(tests, set_up, folder_remove);
}

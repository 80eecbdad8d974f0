// SPDX-License-Identifier: Apache-2.0
// Guessed manifests. Whatever is guessed for an odd shader, the reader of manifests takes it.
#include "../guess.h"

#include "../../../../reference/table.h"
#include "../../../base/file.h"
#include "../../../base/json.h"
#include "../../../shader/spirv/spirv.h"
#include "../../../../reference/operator.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];
static struct arena arena;

static int set_up(void **state) {
    strcpy(folder, "/tmp/vkassay-guess-test-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    char command[100];
    arena_free(&arena);
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static const char *put(const char *name, const char *text) {
    struct error err;
    const char *path = arena_format(&arena, "%s/%s", folder, name);
    if (!file_write(path, text, strlen(text), &err)) fail_msg("%s", err.text);
    return path;
}

static struct reflection *read_shader(const char *path) {
    const struct shader_request request = {.path = path, .entry = "main", .lines = true};
    struct reflection *reflection;
    struct error err;
    int count;
    if (!reflection_read(&arena, &request, NULL, &reflection, &count, &err)) fail_msg("%s", err.text);
    return reflection;
}

// A module may come from anyone. Here each vector has itself as the type of its components.
static void a_vector_of_itself_is_read(void **state) {
    const char *text = "#version 450\nlayout(local_size_x = 64) in;\nlayout(binding = 0) buffer X { vec4 x[]; };\n"
                       "void main() { x[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] * 2.0; }\n";
    const struct shader_request request = {.path = put("vector.comp", text), .entry = "main"};
    const char *path = put("vector.spv", "");
    struct reflection *reflection;
    struct spirv spirv;
    struct error err;
    int count, vectors = 0;
    if (!shader_make(&arena, &request, &spirv, &err)) fail_msg("%s", err.text);
    for (size_t at = 0; spirv_next(spirv.words, spirv.count, &at);)
        if (spirv_op(&spirv.words[at]) == SpvOpTypeVector) spirv.words[at + 2] = spirv.words[at + 1], vectors++;
    assert_true(vectors > 0);
    assert_true(file_write(path, (const char *)spirv.words, spirv.count * sizeof *spirv.words, &err));
    if (reflection_read(&arena, &(struct shader_request){.path = path}, NULL, &reflection, &count, &err))
        assert_true(count == 1 && !reflection->halves);
}

// Texts put before main, and lines in it that use them. Each is a habit of some backend.
#define BUFFER(n, type, name) "layout(binding = " #n ") buffer B" #n " { " type " " name "[]; };\n"
#define X_Y BUFFER(0, "float", "x") BUFFER(1, "float", "y")
static const struct {
    const char *before, *body;
} odd[] = {
    {X_Y "layout(local_size_x = 64) in;\nlayout(push_constant) uniform P { uint n; };", "if (i < n) y[i] = x[i];"},
    // constants with names of dims and parameters; a host overrides the default 0 or leaves it
    {X_Y "layout(local_size_x_id = 233, local_size_y_id = 234) in;\nlayout(constant_id = 2) const uint n = 0;\n"
         "layout(constant_id = 3) const int rows = 1;\nlayout(constant_id = 4) const int cols = 7;\n"
         "layout(constant_id = 5) const uint SUBGROUP = 3;\nlayout(constant_id = 6) const uint WG_X = 5;\n"
         "layout(constant_id = 7) const int axis = -1;\nlayout(constant_id = 8) const float eps = 0.5;\n"
         "layout(constant_id = 0) const uint first = 4;",
        "y[i] = x[i] + float(n + rows + cols + SUBGROUP + WG_X + axis + first) + eps;"},
    // an array of integers, and no dim left for a second one
    {X_Y BUFFER(2, "uint", "shape") BUFFER(3, "uint", "more") "layout(local_size_x = 8) in;",
        "y[i] = x[i] + float(shape[0] + more[0]);"},
    // a block of parameters at the place of a buffer
    {X_Y "layout(local_size_x = 8) in;\nlayout(binding = 1) uniform U { uint n; float eps; };",
        "if (i < n) y[i] = x[i] + eps;"},
    {X_Y "layout(local_size_x = 8) in;\nlayout(binding = 0) readonly buffer Info { uint count; };",
        "if (i < count) y[i] = x[i];"},
    // views of one buffer in several types
    {X_Y "layout(local_size_x = 8) in;\nlayout(binding = 0) buffer V { vec4 x4[]; };\nlayout(binding = 1) buffer W { "
         "vec4 y4[]; };",
        "y4[i] = x4[i]; y[i] = x[i];"},
    // many words, structures and vectors
    {X_Y
        "struct Meta { uvec4 sizes[2]; uvec4 strides[2]; uint ndim, numel; };\nlayout(local_size_x = 8) in;\n"
        "layout(binding = 2) uniform M { Meta in_meta; };\nlayout(push_constant) uniform P { uint pad[20]; float a; };",
        "if (i < in_meta.numel) y[i] = x[i] + a + float(in_meta.strides[1].w + in_meta.sizes[0].x);"},
    {X_Y "layout(local_size_x = 1) in;\nshared float s[4];\nlayout(push_constant) uniform P { uint ne[30]; };",
        "s[0] = x[i]; barrier(); y[gl_WorkGroupID.x] = s[0] + float(ne[29]);"},
    // more constants than tunables
    {X_Y "layout(local_size_x = 1) in;\nlayout(constant_id = 3) const uint c3 = 3;\nlayout(constant_id = 4) const uint "
         "c4 = 3;\nlayout(constant_id = 5) const uint c5 = 3;\nlayout(constant_id = 6) const uint c6 = 3;\n"
         "layout(constant_id = 7) const uint c7 = 3;\nlayout(constant_id = 8) const uint c8 = 3;\n"
         "layout(constant_id = 9) const uint c9 = 3;\nlayout(constant_id = 10) const uint c10 = 3;\n"
         "layout(constant_id = 11) const uint c11 = 3;\nlayout(constant_id = 12) const uint c12 = 3;\n"
         "layout(constant_id = 13) const uint c13 = 3;\nlayout(constant_id = 14) const uint c14 = 3;\n"
         "layout(constant_id = 15) const uint c15 = 3;\nlayout(constant_id = 16) const uint c16 = 4294967295u;",
        "y[i] = x[i] + float(c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11 + c12 + c13 + c14 + c15 + c16);"},
};

static void the_reader_takes_whatever_is_guessed(void **state) {
    size_t guessed = 0;
    for (size_t s = 0; s < sizeof odd / sizeof *odd; s++) {
        const char *text = arena_format(&arena,
            "#version 450\n%s\nvoid main() {\nuint i = gl_GlobalInvocationID.x;\n%s\n}\n", odd[s].before, odd[s].body);
        const struct reflection *reflection = read_shader(put(arena_format(&arena, "odd%zu.comp", s), text));
        for (size_t o = 0; operator_at(o); o++) {
            const char *why = NULL;
            struct json_object *kernel =
                guess_kernel(&arena, reflection, &(struct guess_turn){.op = operator_at(o)}, NULL, folder, &why);
            if (!kernel) continue;
            const char *refused = guess_refused(&arena, kernel, folder);
            if (refused) fail_msg("shader %zu as %s: %s", s, operator_at(o)->name, refused);
            json_object_put(kernel);
            guessed++;
        }
    }
    assert_true(guessed > 100);
}

#define HEAD "#version 450\n#extension GL_EXT_shader_16bit_storage : require\n"
#define MAIN(text) "void main() {\nuint i = gl_GlobalInvocationID.x;\n" text "\n}\n"
// Shaders with the whole manifest guessed: bindings, types, and a workgroup given by constants, which has values only
// without shared memory.
static const struct {
    const char *op, *text, *kernel;
} known[] = {
    {"relu",
        HEAD
        "layout(local_size_x_id = 5, local_size_y = 2) in;\nlayout(binding = 0) readonly buffer X { float x[]; };\n"
        "layout(binding = 3) writeonly buffer Y { float16_t y[]; };\nlayout(push_constant) uniform P { uint n; "
        "};\n" MAIN("if (i < n) y[i] = float16_t(max(x[i], 0.0));"),
        "{\"name\":\"relu.known0\",\"operator\":\"relu\",\"summary\":\"main of known0\",\"shader\":\"known0.comp\","
        "\"bindings\":[{\"name\":\"x\",\"binding\":0},{\"name\":\"y\",\"binding\":3}],\"dtypes\":[\"f16\"],"
        "\"types\":{\"x\":\"f32\"},\"push\":[\"n\"],\"tunables\":{\"WG_X\":{\"values\":[16,8],\"default\":8},"
        "\"WG_Y\":{\"values\":[2],\"default\":2}},\"constants\":{\"5\":\"WG_X\"},"
        "\"grid\":[{\"over\":[\"n\"],\"by\":[\"WG_X\"]}],\"notes\":[\"asks the device for "
        "StorageBuffer16BitAccess\"]}"},
    {"softmax",
        HEAD "layout(local_size_x_id = 0) in;\nshared float s[256];\n" X_Y
             "layout(push_constant) uniform P { uint rows, cols; };\n" MAIN(
                 "s[gl_LocalInvocationID.x] = x[gl_WorkGroupID.x * cols + i];\nbarrier();\n"
                 "if (gl_WorkGroupID.x < rows) y[i] = s[0];"),
        "{\"name\":\"softmax.known1\",\"operator\":\"softmax\",\"summary\":\"main of known1\","
        "\"shader\":\"known1.comp\",\"bindings\":[\"x\",\"y\"],\"dtypes\":[\"f32\"],\"push\":[\"rows\",\"cols\"],"
        "\"tunables\":{\"WG_X\":{\"values\":[1],\"default\":1}},\"grid\":[{\"over\":[\"rows\"]}],"
        "\"notes\":[\"GUESS: the grid has a workgroup for each line of y\"]}"},
};

static void known_shaders_have_known_manifests(void **state) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *why = NULL;
        const struct reflection *reflection = read_shader(put(arena_format(&arena, "known%zu.comp", i), known[i].text));
        struct json_object *kernel = guess_kernel(
            &arena, reflection, &(struct guess_turn){.op = operator_named(known[i].op)}, NULL, folder, &why);
        if (!kernel) fail_msg("%s: %s", known[i].op, why);
        assert_string_equal(json_object_to_json_string_ext(kernel, JSON_C_TO_STRING_PLAIN), known[i].kernel);
        json_object_put(kernel);
    }
}

// ---- many guesses

// The first names say too little: any order of the sizes may be meant, and each grid, and a product with a vector.
static void many_guesses_differ_and_begin_with_the_first(void **state) {
    enum { MOST = 96 };
    static const struct {
        const char *op, *text, *holds[3];
    } shaders[] = {
        {"softmax",
            HEAD "layout(local_size_x = 64) in;\n" X_Y
                 "layout(push_constant) uniform P { uint heads, seq_len; };\n" MAIN(
                     "if (i < heads * seq_len) y[gl_WorkGroupID.x] = x[i];"),
            {"\"push\":[\"rows\",\"cols\"]", "\"equal\":[\"rows\",1]", "\"by\":[\"WG_X\"]"}},
        {"matmul",
            HEAD "layout(local_size_x = 64) in;\nlayout(binding = 0) readonly buffer X { float a[]; };\n"
                 "layout(binding = 1) readonly buffer B { uint b[]; };\nlayout(binding = 2) buffer C { float c[]; };\n"
                 "layout(push_constant) uniform P { uint M, half_n; };\n" MAIN(
                     "c[i] = a[half_n] + unpackHalf2x16(b[i % M]).x;"),
            {"\"operator\":\"matvec\"", "\"types\":{\"b\":\"f16\"}", "\"multiple\":[\"k\",64]"}},
    };
    for (size_t s = 0; s < sizeof shaders / sizeof *shaders; s++) {
        struct json_object *kernels[MOST];
        struct guess_turn turns[MOST];
        bool held[3] = {false};
        const struct op *op = operator_named(shaders[s].op);
        const struct reflection *reflection =
            read_shader(put(arena_format(&arena, "many%zu.comp", s), shaders[s].text));
        const size_t count = guess_many(&arena, reflection, op, false, NULL, folder, MOST, kernels, turns);
        assert_true(count > 20 && turns[0].op == op && !turns[0].words && !turns[0].grid && !turns[0].whole);
        for (size_t i = 0; i < count; i++) {
            const char *text = json_object_to_json_string_ext(kernels[i], JSON_C_TO_STRING_PLAIN);
            for (size_t k = 0; k < i; k++) assert_false(json_object_equal(kernels[i], kernels[k]));
            for (int h = 0; h < 3; h++) held[h] |= strstr(text, shaders[s].holds[h]) != NULL;
        }
        for (int h = 0; h < 3; h++)
            if (!held[h]) fail_msg("%s: no guess has %s", shaders[s].op, shaders[s].holds[h]);
        for (size_t i = 0; i < count; i++) json_object_put(kernels[i]);
    }
}

// ---- operators

static struct reflection named(const char *variant, const char *stem, const char *entry, bool alone) {
    return (struct reflection){.path = "", .stem = stem, .variant = variant, .entry = entry, .alone = alone};
}

static void an_operator_is_named_by_the_line_the_file_or_the_entry(void **state) {
    static const struct {
        const char *variant, *stem, *entry, *op;
        bool several;
    } names[] = {{"", "soft_max", "main", "softmax", false}, {"", "norm", "main", "layernorm", false},
        {"", "group_norm", "main", "groupnorm", false}, {"", "gelu", "main_erf", "gelu_erf", true},
        {"", "gelu", "main_tanh", "gelu_tanh", true}, {"", "activations", "tanh_main", "tanh", true},
        {"", "max", "sigmoid_pass", "max", false}, {"exp_f16", "unary", "main", "exp", false},
        {"", "conv_3d", "main", NULL, false}, {"", "conv_transpose_1d", "main", NULL, false},
        {"", "upsample_bilinear2d", "main", "upsample_bilinear", false},
        {"", "silu_back", "main", "silu_backward", false}, {"", "convolutiondepthwise", "main", "conv2d", false},
        {"", "absval", "main", "abs", false}, {"", "innerproduct", "main", "linear", false},
        {"", "relu6", "main", "clamp", false}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct reflection reflection = named(names[i].variant, names[i].stem, names[i].entry, !names[i].several);
        const struct op *also, *op = guess_operator_of(&reflection, &also);
        if (!names[i].op != !op || (op && strcmp(op->name, names[i].op) != 0))
            fail_msg("%s %s, %s: expected %s, found %s", names[i].variant, names[i].stem, names[i].entry,
                names[i].op ? names[i].op : "none", op ? op->name : "none");
    }
}

static void quantised_types_without_an_operand_type_are_named(void **state) {
    const struct define macro[] = {{.name = "DATA_A_IQ2_XXS", .value = "1"}};
    const struct build_line line = {.defines = macro, .define_count = 1};
    struct reflection reflection = named("mul_mat_vec_q4_k_f32", "mul_mat_vec", "main", true);
    assert_string_equal(guess_block_type(&reflection), "q4_K");
    reflection = named("mul_mat_vec_q4_0_q8_1_f32", "mul_mat_vecq", "main", true);
    assert_string_equal(guess_block_type(&reflection), "q8_1");
    reflection = named("mul_mat_vec_q8_0_f32", "mul_mat_vec_q4_0", "main", true);
    assert_null(guess_block_type(&reflection));
    reflection.line = &line;
    assert_string_equal(guess_block_type(&reflection), "iq2_xxs");
    reflection = named("", "matmul_gguf", "matmul_gguf_q6_k_gemv", false);
    assert_string_equal(guess_block_type(&reflection), "q6_K");
}

static void a_text_without_main_is_a_header(void **state) {
    assert_true(
        reflection_is_header(&arena, put("types.glsl", "// void main() { }\nfloat domain(float x) { return x; }\n")));
    assert_false(reflection_is_header(&arena, put("x.glsl", "layout(local_size_x = 1) in;\nvoid main /* */ () {}\n")));
    assert_false(reflection_is_header(&arena, put("y.glsl", "#version 450\n#include \"x.glsl\"\n")));
}

// ---- build lines

static void a_line_has_macros_and_folders(void **state) {
    struct build_line *lines;
    struct error err;
    size_t count;
    put("a.comp", "");
    const char *path = put("lines", "# a comment\n\n"
                                    "first a.comp -DT=float '-DF(x)=(x) + 1' -D PLAIN -I. -DEMPTY= --unknown\r\n"
                                    "/usr/bin/glslc -fshader-stage=compute --target-env=vulkan1.2 -O -MF d a.comp -o "
                                    "\"out dir/second.spv\" -DA\\ B=2\n"
                                    "first a.comp -DT=float '-DF(x)=(x) + 1' -D PLAIN -I. -DEMPTY= --unknown\n");
    if (!build_lines_read(&arena, path, &lines, &count, &err)) fail_msg("%s", err.text);
    assert_int_equal(count, 2);
    assert_string_equal(lines[0].name, "first");
    assert_int_equal(lines[0].define_count, 4);
    assert_string_equal(lines[0].defines[1].name, "F(x)");
    assert_string_equal(lines[0].defines[1].value, "(x) + 1");
    assert_string_equal(lines[0].defines[2].value, "1");
    assert_string_equal(lines[0].defines[3].value, "");
    assert_int_equal(lines[0].include_count, 1);
    assert_string_equal(lines[1].name, "second");
    assert_string_equal(lines[1].defines[0].name, "A B");
}

static void paths_are_of_the_file_s_folder_unless_absolute(void **state) {
    struct build_line *lines;
    struct error err;
    size_t count;
    const char *shader = put("a.comp", "");
    const char *path = put("lines", arena_format(&arena, "one a.comp -Inear -I/far\ntwo %s -I.\n", shader));
    if (!build_lines_read(&arena, path, &lines, &count, &err)) fail_msg("%s", err.text);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < 2; i++) assert_string_equal(lines[i].path, shader);
    assert_int_equal(lines[0].include_count, 2);
    assert_string_equal(lines[0].includes[0], arena_format(&arena, "%s/near", folder));
    assert_string_equal(lines[0].includes[1], "/far");
    assert_string_equal(lines[1].includes[0], arena_format(&arena, "%s/.", folder));
}

static void a_bad_line_is_named(void **state) {
    static const struct {
        const char *text, *says;
    } bad[] = {{"\none a.comp 'x", "lines:2: expected the end of a quoted word"},
        {"one", "lines:1: expected a shader's file, found none"}, {"one b.comp", "b.comp"},
        {"cd /no/such\none a.comp", "/no/such/a.comp"}};
    struct build_line *lines;
    struct error err;
    size_t count;
    put("a.comp", "");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(build_lines_read(&arena, put("lines", bad[i].text), &lines, &count, &err));
        if (!strstr(err.text, bad[i].says)) fail_msg("expected '%s' in: %s", bad[i].says, err.text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reader_takes_whatever_is_guessed),
        cmocka_unit_test(known_shaders_have_known_manifests),
        cmocka_unit_test(a_vector_of_itself_is_read),
        cmocka_unit_test(many_guesses_differ_and_begin_with_the_first),
        cmocka_unit_test(an_operator_is_named_by_the_line_the_file_or_the_entry),
        cmocka_unit_test(quantised_types_without_an_operand_type_are_named),
        cmocka_unit_test(a_text_without_main_is_a_header),
        cmocka_unit_test(a_line_has_macros_and_folders),
        cmocka_unit_test(paths_are_of_the_file_s_folder_unless_absolute),
        cmocka_unit_test(a_bad_line_is_named),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

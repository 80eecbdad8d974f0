// SPDX-License-Identifier: Apache-2.0
// Parameters in push constants, uniform and storage buffers. Every word of a manifest arrives, and every difference
// from the shader is named. Run from the top of the repository.
#include "own_kernels.h"

// Computes relu if all parameters are right; otherwise y is 12345.
#define ROWS_HEAD                                                                                                      \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
#define ROWS_MAIN                                                                                                      \
    "void main() {\n"                                                                                                  \
    "    uint i = gl_GlobalInvocationID.x;\n"                                                                          \
    "    if (i < n) y[i] = good() ? max(x[i], 0.0) : 12345.0;\n"                                                       \
    "}\n"

static const struct own_shader shaders[] = {
    {"push.comp",
        ROWS_HEAD "layout(push_constant) uniform P { uint n; int seven; float half_; uint groups; };\n"
                  "bool good() { return seven == -7 && half_ == 0.5 && groups == (n + 63) / 64; }\n" ROWS_MAIN},
    {"uniform.comp", ROWS_HEAD
        "struct Inner { vec2 a; uint blocks; };\n"
        "layout(binding = 5, std140) uniform P { uint n; vec4 v; Inner inner; uint list[2]; };\n"
        "bool good() { return v == vec4(1, 2, 3, float(n)) && inner.a == vec2(1 / float(n), inversesqrt(4.0)) "
        "&& inner.blocks == 3 * n && list[0] == n && list[1] == 9; }\n" ROWS_MAIN},
    {"storage.comp", ROWS_HEAD "layout(set = 1, binding = 0) readonly buffer P { uint words[]; };\n"
                               "#define n words[1]\n"
                               "bool good() { return words.length() == 4 && words[0] == gl_NumWorkGroups.x && "
                               "words[2] == 2 * n && words[3] == 64; }\n" ROWS_MAIN},
    {"header.comp", ROWS_HEAD "layout(binding = 2) readonly buffer P { uint n; float scale; uint rest[]; };\n"
                              "bool good() { return scale == 2 && rest[0] == 3 && rest[1] == 4; }\n" ROWS_MAIN},
    {"two.comp", ROWS_HEAD "layout(binding = 2) uniform P { uint n; };\n"
                           "layout(push_constant) uniform Q { float two; };\n"
                           "layout(binding = 3) readonly buffer R { uint three; };\n"
                           "bool good() { return two == 2 && three == 3; }\n" ROWS_MAIN},
    {"tensor.comp",
        "#version 450\n"
        "layout(local_size_x = 64) in;\n"
        "layout(binding = 0) readonly buffer X { float x[]; };\n"
        "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
        "layout(push_constant) uniform P { uint ne00, ne01, ne02, nb00, nb01, nb02, nb03, yb01, yb02, all, ybytes; "
        "float half_; int behind; };\n"
        "void main() {\n"
        "    uint i = gl_GlobalInvocationID.x, c = i % ne00, r = i / ne00;\n"
        "    bool good = ne02 == 1 && nb02 == 2 * all && nb03 == 8 * all && yb01 == ne01 && yb02 == all && "
        "ybytes == 4 * ne01 && half_ == sqrt(float(ne00)) / 2 + 0.25 && behind == -int(ne01) - 1;\n"
        "    if (i < all) y[c * yb01 + r] = good ? x[c * nb00 + r * nb01] : 12345.0;\n"
        "}\n"},
    {"rounded.comp", ROWS_HEAD "layout(push_constant) uniform P { uint n; float slope, rest; };\n"
                               "void main() {\n    uint i = gl_GlobalInvocationID.x;\n"
                               "    if (i < n) y[i] = abs(rest - 1.6) > 0.01 ? 12345.0 : x[i] > 0 ? x[i] : slope * "
                               "x[i];\n}\n"},
    {"magic.comp", ROWS_HEAD
        "layout(push_constant) uniform P { uint rows, cols, multiplier, shift; };\n"
        "void main() {\n    uint i = gl_GlobalInvocationID.x, high, low;\n    umulExtended(i, multiplier, high, low);\n"
        "    uint r = (high + i) >> shift;\n    if (r < rows) y[(i - r * cols) * rows + r] = x[i];\n}\n"},
    {"writes.comp", ROWS_HEAD "layout(binding = 2) buffer P { uint n; };\n"
                              "bool good() { n = 3; return true; }\n" ROWS_MAIN},
};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER                                                                                            \
    ".comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], "
// The multiplier and the shift of a division by cols: T. Granlund and P. Montgomery, Division by invariant integers
// using multiplication, PLDI 1994.
#define K_MAGIC                                                                                                        \
    "\"shader\": \"magic.comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": "           \
    "[\"rows\", "                                                                                                      \
    "\"cols\"], \"by\": \"WG_X\"}], \"push\": [\"rows\", \"cols\", {\"expression\": \"floor(2^32 * "                   \
    "(2^ceil(log2(cols)) "                                                                                             \
    "- cols) / cols) + 1\", \"as\": \"int\"}, {\"expression\": \"ceil(log2(cols))\", \"as\": \"int\"}]"
#define TENSOR(WORDS)                                                                                                  \
    "\"shader\": \"tensor.comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"layout\": {\"x\": "            \
    "{\"strides\": "                                                                                                   \
    "[[\"cols\", 2], 1]}}, \"grid\": [{\"over\": {\"elements\": \"x\"}, \"by\": \"WG_X\"}], \"push\": [" WORDS "]"
#define EXTENT(OPERAND, AXIS) "{\"extent\": [\"" OPERAND "\", " AXIS "]}, "
#define STRIDE(OPERAND, AXIS) "{\"stride\": [\"" OPERAND "\", " AXIS "]}, "
#define CEIL "{\"over\": \"n\", \"by\": \"WG_X\"}"
#define P "f32/n=1025/wg=64x1x1"
static const struct own_kernel kernels[] = {
    {"relu", K("push") "\"push\": [\"n\", -7, 0.5, " CEIL "]", P, NULL},
    {"relu", K("push") "\"push\": [\"n\", -7, 0.5, {\"over\": [\"n\", 4], \"by\": 256}]", P, NULL},
    {"relu", K("push") "\"parameters\": {\"in\": \"push\", \"members\": [\"n\", -7, 0.5, {\"groups\": 0}]}", P, NULL},
    {"relu", K("push") "\"push\": [\"n\", -8, 0.5, " CEIL "]", P, "checked elements of y are wrong"},
    {"relu",
        K("uniform") "\"uniform\": {\"binding\": 5, \"members\": [\"n\", {\"pad\": 3}, 1.0, 2.0, 3.0, {\"float\": "
                     "\"n\"}, "
                     "{\"inverse\": [\"n\"]}, {\"inverse_sqrt\": 4}, [\"n\", 3], \"pad\", {\"length\": \"x\"}, "
                     "\"pad\", \"pad\", \"pad\", 9, {\"pad\": 3}]}",
        P, NULL},
    {"relu",
        K("storage") "\"parameters\": {\"in\": \"storage\", \"set\": 1, \"binding\": 0, \"members\": [{\"groups\": 0}, "
                     "{\"length\": \"y\"}, [2, \"n\"], \"WG_X\"]}",
        P, NULL},
    {"relu", K("header") "\"parameters\": {\"in\": \"storage\", \"binding\": 2, \"members\": [\"n\", 2.0, 3, 4]}", P,
        NULL},
    {"relu",
        K("two") "\"parameters\": [{\"in\": \"uniform\", \"binding\": 2, \"members\": [\"n\"]}, {\"in\": \"push\", "
                 "\"members\": [2.0]}, {\"in\": \"storage\", \"binding\": 3, \"members\": [3]}]",
        P, NULL},
    {"transpose",
        TENSOR(EXTENT("x", "-1") EXTENT("x", "-2") EXTENT("x", "-3") STRIDE("x", "1") STRIDE("x", "0")
                STRIDE("x", "-3") "{\"stride\": [\"x\", -4], \"in\": \"bytes\"}, " STRIDE("y", "-2")
                    STRIDE("y", "-3") "{\"elements\": \"y\"}, {\"stride\": [\"y\", 0], \"in\": \"bytes\"}, "
                                      "{\"expression\": \"sqrt(cols) / 2 + "
                                      "2^-2\"}, {\"expression\": \"-rows - 1\", \"as\": \"int\"}"),
        "f32/rows=3,cols=16/wg=64x1x1", NULL},
    {"transpose", K_MAGIC, "f32/rows=3,cols=16/wg=64x1x1", NULL},
    {"transpose", K_MAGIC, "f32/rows=5,cols=1/wg=64x1x1", NULL},
    {"transpose", K_MAGIC, "f32/rows=257,cols=1001/wg=64x1x1", NULL},
    // A float is 1.5e-9 from a tenth, and 2^30 times that is 1.6.
    {"leaky_relu", K("rounded") "\"push\": [\"n\", \"slope\", {\"expression\": \"(slope - 0.1) * 2^30\"}]",
        "f32/n=1025,slope=0.1/wg=64x1x1", NULL},
    // Mistakes.
    {"relu", K("push") "\"push\": [\"n\", -7, {\"expression\": \"1 / (n - 1025)\"}, " CEIL "]", P,
        "push[2].expression: 1 / (n - 1025) is inf here, not a finite float"},
    {"relu", K("push") "\"push\": [\"n\", {\"expression\": \"n / 2\", \"as\": \"int\"}, 0.5, " CEIL "]", P,
        "push[1].expression: n / 2 is 512.5 here, not a whole number of 32 bits"},
    {"relu", K("push") "\"push\": [\"n\", {\"expression\": \"n\"}, 0.5, " CEIL "]", P,
        "push constants: bytes 4 to 7 are n, a float; the shader has an integer there"},
    {"relu", K("push") "\"push\": [\"n\", -7, 1, " CEIL "]", P,
        "push constants: bytes 8 to 11 are 1, an integer; the shader has a float there (a float is written with a "
        "point)"},
    {"relu", K("push") "\"push\": [\"n\", -7, 0.5]", P,
        "the shader takes 16 bytes, the manifest gives 12 (n, -7, 0.5)"},
    {"relu", K("push") "\"push\": [\"n\", -7, 0.5, 1, 2, \"pad\"]", P,
        "the shader takes 16 bytes, the manifest gives 24"},
    {"relu", K("uniform") "\"uniform\": {\"binding\": 5, \"members\": [\"n\", 1.0, {\"pad\": 18}]}", P,
        "uniform parameters: bytes 4 to 7 are 1.0, a float; the shader has nothing there (\"pad\" fills it)"},
    {"relu", K("header") "\"parameters\": {\"in\": \"storage\", \"binding\": 2, \"members\": [\"n\", 2.0, 3.0, 4]}", P,
        "storage parameters: bytes 8 to 11 are 3.0, a float; the shader has an integer there"},
    {"relu", K("header") "\"parameters\": {\"in\": \"storage\", \"binding\": 2, \"members\": [\"n\"]}", P,
        "storage parameters: the shader takes 8 bytes, the manifest gives 4 (n)"},
    {"relu", K("header") "\"parameters\": {\"in\": \"uniform\", \"binding\": 2, \"members\": [\"n\"]}", P,
        "binding 2: the manifest has the uniform parameters there, the shader a storage buffer"},
    {"relu", K("writes") "\"parameters\": {\"in\": \"storage\", \"binding\": 2, \"members\": [\"n\"]}", P,
        "storage parameters: the shader writes to binding 2 of set 0, where they stand"},
    {"relu", K("two") "\"parameters\": {\"in\": \"push\", \"members\": [2.0]}", P,
        "buffer there; the manifest binds nothing"},
    {"relu",
        K("two") "\"parameters\": [{\"in\": \"uniform\", \"binding\": 2, \"members\": [\"n\"]}, {\"in\": \"storage\", "
                 "\"binding\": 3, \"members\": [3]}]",
        P, "the shader takes 4 bytes of push constants; the manifest gives its parameters in a uniform buffer"},
};

static void each_word_arrives_or_is_named(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_word_arrives_or_is_named)};
    return cmocka_run_group_tests(tests, open_all, own_close);
}

// SPDX-License-Identifier: Apache-2.0
// Repeated passes: sums until one is left, scans of doubling steps, sorts in two loops, a dispatch for each row. Run
// from the top of the repository.
#include "own_kernels.h"

#define HEAD "#version 450\nlayout(local_size_x = 64) in;\n"
#define BUFFERS(X, Y)                                                                                                  \
    "layout(binding = 0) readonly buffer X { " X " x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { " Y " y[]; };\n"
#define FOLD                                                                                                           \
    "shared float part[64];\n"                                                                                         \
    "void main() {\n"                                                                                                  \
    "    uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationID.x;\n"                                           \
    "    part[lane] = i < left ? x[i] : 0.0;\n"                                                                        \
    "    for (uint s = 32; s > 0; s /= 2) { barrier(); if (lane < s) part[lane] += part[lane + s]; }\n"                \
    "    if (lane == 0) y[gl_WorkGroupID.x AWAY] = part[0];\n"                                                         \
    "}\n"

static const struct own_shader shaders[] = {
    {"fold.comp", HEAD "#ifndef AWAY\n#define AWAY\n#endif\n"
                       "layout(push_constant) uniform P { uint left; };\n" BUFFERS("float", "float") FOLD},
    {"fold_uniform.comp",
        HEAD "#define AWAY + (groups == (left + 63) / 64 && turns[0] == (left == n ? 0 : left > 80 || n < 5000 ? 1 : "
             "left > 2 ? 2 : 3) ? 0 : 9)\n"
             "layout(binding = 2) uniform P { uint left; uint groups; uint n; };\n"
             "layout(binding = 3) readonly buffer Q { uint turns[]; };\n" BUFFERS("float", "float") FOLD},
    {"scan.comp",
        HEAD "layout(push_constant) uniform P { uint cols; uint step; };\n" BUFFERS(
            "float", "float") "void main() {\n"
                              "    uint i = gl_GlobalInvocationID.x, row = gl_WorkGroupID.y * cols;\n"
                              "    if (i < cols) y[row + i] = i < step ? x[row + i] : x[row + i] + x[row + i - step];\n"
                              "}\n"},
    {"first.comp", HEAD "layout(push_constant) uniform P { uint cols; };\n" BUFFERS(
                       "float", "int") "void main() {\n"
                                       "    uint i = gl_GlobalInvocationID.x;\n"
                                       "    if (i < cols) y[gl_WorkGroupID.y * cols + i] = int(i);\n"
                                       "}\n"},
    {"exchange.comp", HEAD "layout(push_constant) uniform P { uint cols; uint k; uint j; };\n"
                           "layout(binding = 0) readonly buffer X { float x[]; };\n"
                           "layout(binding = 1) buffer Y { int y[]; };\n"
                           "void main() {\n"
                           "    uint i = gl_GlobalInvocationID.x, other = i ^ j, row = gl_WorkGroupID.y * cols;\n"
                           "    if (other <= i || other >= cols) return;\n"
                           "    int a = y[row + i], b = y[row + other];\n"
                           "    float u = x[row + a], v = x[row + b];\n"
                           "    bool same = u == v || (isnan(u) && isnan(v));\n"
                           "    bool behind = same ? a > b : u > v || isnan(u);\n"
                           "    if (behind == ((i & k) == 0)) { y[row + i] = b; y[row + other] = a; }\n"
                           "}\n"},
    {"row.comp", HEAD "layout(push_constant) uniform P { uint rows; uint cols; uint row; };\n" BUFFERS(
                     "float", "float") "void main() {\n"
                                       "    uint i = gl_GlobalInvocationID.x;\n"
                                       "    if (i < cols) y[i * rows + row] = x[row * cols + i];\n"
                                       "}\n"},
};

#define SCRATCH(OVER) "\"scratch\": {\"a\": {\"dtype\": \"f32\", " OVER "}, \"b\": {\"dtype\": \"f32\", " OVER "}}, "
#define SUM(REPEAT, BINDINGS, REST)                                                                                    \
    "\"local_size\": [64], \"depth\": [{\"log2\": \"n\"}, {\"log2\": 64}], " SCRATCH(                                  \
        "\"over\": \"n\", \"by\": 64") "\"passes\": [{\"shader\": \"fold.comp\", \"repeat\": {" REPEAT                 \
                                       "}, \"bindings\": [" BINDINGS "], \"push\": ["                                  \
                                       "\"left\"], \"grid\": [{\"over\": \"left\", \"by\": \"WG_X\"}]" REST "}]"
#define LEFT "\"left\": {\"from\": \"n\", \"divide\": \"WG_X\"}"
#define FROM "{\"turns\": [\"b\", \"a\"], \"first\": \"x\"}"
#define TO "{\"turns\": [\"a\", \"b\"], \"last\": \"y\"}"
#define N "f32/n=4103/wg=64x1x1"
#define LARGE "f32/n=300001/wg=64x1x1"
#define SCAN(REPEAT, FIRST, LAST)                                                                                      \
    "\"local_size\": [64], " SCRATCH(                                                                                  \
        "\"over\": [\"rows\", \"cols\"]") "\"depth\": [{\"log2\": \"cols\"}], \"passes\": [{\"shader\": "              \
                                          "\"scan.comp\", \"repeat\": {" REPEAT "}, "                                  \
                                          "\"bindings\": [{\"turns\": [\"b\", \"a\"]" FIRST                            \
                                          "}, {\"turns\": [\"a\", \"b\"]" LAST "}], \"push\": [\"cols\", "             \
                                          "\"step\"], \"grid\": [{\"over\": \"cols\", \"by\": 64}, {\"over\": "        \
                                          "\"rows\"}]}]"
#define DOUBLING "\"step\": {\"from\": 1, \"multiply\": 2, \"below\": \"cols\"}"
#define GRID_OF_COLS "\"grid\": [{\"over\": \"cols\", \"by\": 64}, {\"over\": \"rows\"}]"
#define SORT(INNER)                                                                                                    \
    "\"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"passes\": [{\"shader\": \"first.comp\", \"push\": ["        \
    "\"cols\"], " GRID_OF_COLS "}, {\"repeat\": {\"k\": {\"from\": 2, \"multiply\": 2, \"to\": \"cols\"}}, "           \
    "\"passes\": [{\"shader\": \"exchange.comp\", \"repeat\": {\"j\": " INNER "}, \"push\": [\"cols\", \"k\", "        \
    "\"j\"], " GRID_OF_COLS "}]}]"
#define ROWS(REPEAT)                                                                                                   \
    "\"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"passes\": [{\"shader\": "                                   \
    "\"row.comp\", \"repeat\": {\"row\": {" REPEAT "}}, \"push\": [\"rows\", \"cols\", \"row\"], "                     \
    "\"grid\": [{\"over\": \"cols\", \"by\": 64}]}]"

static const struct own_kernel kernels[] = {
    // four turns, three, two and one: the result is in different buffers
    {"sum", SUM(LEFT, FROM ", " TO, ""), LARGE, NULL},
    {"sum", SUM(LEFT, FROM ", " TO, ""), N, NULL},
    {"sum", SUM(LEFT, FROM ", " TO, ""), "f32/n=4096/wg=64x1x1", NULL},
    {"sum", SUM(LEFT, FROM ", " TO, ""), "f32/n=64/wg=64x1x1", NULL},
    {"sum", SUM(LEFT, FROM ", " TO, ""), "f32/n=1/wg=64x1x1", NULL},
    {"sum", SUM("\"left\": {\"from\": \"n\", \"divide\": 64}, \"turn\": {}", FROM ", " TO, ""), N, NULL},
    {"sum", SUM(LEFT, FROM ", {\"turns\": [\"a\", \"b\"], \"last\": \"y\", \"binding\": 1}", ""), N, NULL},
    {"sum",
        "\"local_size\": [64], \"depth\": [{\"log2\": \"n\"}, {\"log2\": 64}], " SCRATCH(
            "\"over\": \"n\", \"by\": 64") "\"passes\": [{\"shader\": \"fold_uniform.comp\", \"repeat\": {" LEFT
                                           ", \"turn\": {}}, \"bindings\": [" FROM ", " TO "], \"parameters\": "
                                           "[{\"in\": \"uniform\", \"binding\": 2, \"members\": [\"left\", "
                                           "{\"groups\": 0}, \"n\"]}, {\"in\": \"storage\", \"binding\": 3, "
                                           "\"members\": "
                                           "[\"turn\"]}], \"grid\": [{\"over\": \"left\", \"by\": 64}]}]",
        LARGE, NULL},
    // too few turns; the same two without turns; ends never written; a write behind a buffer in one turn
    {"sum", SUM("\"left\": {\"from\": \"n\", \"divide\": 64, \"to\": 100}", FROM ", " TO, ""), N, "are wrong"},
    {"sum", SUM(LEFT, "{\"turns\": [\"a\"], \"first\": \"x\"}, " TO, ""), N, "are wrong"},
    {"sum", SUM(LEFT, FROM ", {\"turns\": [\"y\", \"a\", \"b\"]}", ""), N, "past the end of operand y"},
    {"sum", SUM(LEFT, FROM ", " TO, ", \"defines\": {\"AWAY\": \"+ (left < 64u ? 5u : 0u)\"}"), N,
        "past the end of operand y"},
    {"sum",
        SUM(LEFT, "{\"turns\": [\"b\", \"a\"], \"first\": \"x\"}, {\"turns\": [\"a\", \"x\"], \"last\": \"y\"}", ""), N,
        "changed its input x"},
    {"sum", SUM("\"left\": {\"from\": \"n\", \"multiply\": 2, \"to\": 1}", FROM ", " TO, ""), N, "are wrong"},
    {"sum", SUM("\"left\": {\"from\": \"n\", \"divide\": \"WG_Y\"}", FROM ", " TO, ""), N, "are wrong"},
    {"sum", SUM("\"left\": {\"from\": \"n\"}, \"turn\": {\"below\": \"n\"}", FROM ", " TO, ""), N,
        "too many dispatches"},
    {"cumsum", SCAN(DOUBLING, ", \"first\": \"x\"", ", \"last\": \"y\""), "f32/rows=3,cols=1025/wg=64x1x1", NULL},
    {"cumsum", SCAN(DOUBLING, ", \"first\": \"x\"", ", \"last\": \"y\""), "f32/rows=3,cols=1/wg=64x1x1", NULL},
    {"cumsum", SCAN("\"step\": {\"from\": 1, \"multiply\": 2, \"to\": 64}", ", \"first\": \"x\"", ", \"last\": \"y\""),
        "f32/rows=3,cols=1025/wg=64x1x1", "are wrong"},
    {"argsort", SORT("{\"from\": {\"over\": \"k\", \"by\": 2}, \"divide\": 2, \"to\": 1}"),
        "f32/rows=3,cols=256/wg=64x1x1", NULL},
    {"argsort", SORT("{\"from\": {\"over\": \"k\", \"by\": 2}, \"divide\": 2}"), "f32/rows=3,cols=256/wg=64x1x1",
        "are wrong"},
    {"transpose", ROWS("\"below\": \"rows\""), "f32/rows=7,cols=65/wg=64x1x1", NULL},
    {"transpose", ROWS("\"from\": 1, \"to\": \"rows\""), "f32/rows=7,cols=65/wg=64x1x1", "were never written"},
};

static void each_is_judged_as_others_are(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_is_judged_as_others_are)};
    return cmocka_run_group_tests(tests, open_all, own_close);
}

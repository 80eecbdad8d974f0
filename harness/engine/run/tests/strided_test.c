// SPDX-License-Identifier: Apache-2.0
// Operands at an offset, behind a header, or strided. They are judged as usual, and the gaps between their elements
// are guarded. Run from the top of the repository.
#include "own_kernels.h"
#include "../../../record/terms.h"
#include "../../../record/record.h"

#define HEAD                                                                                                           \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(push_constant) uniform P { uint rows, cols; };\n"                                                          \
    "layout(binding = 0) buffer X { float x[]; };\n"                                                                   \
    "layout(binding = 1) buffer Y { float y[]; };\n"
#define HEADED                                                                                                         \
    "#version 450\nlayout(local_size_x = 64) in;\n"                                                                    \
    "layout(binding = 0) readonly buffer X { uint rows; uint cols; float two; uint unused; float x[]; };\n"            \
    "layout(binding = 1) buffer Y { uint count; float y[]; };\n"
#define EACH(BODY)                                                                                                     \
    "void main() { uint i = gl_GlobalInvocationID.x, row = i / cols, col = i % cols; if (i < rows * cols) { " BODY     \
    " } }\n"

// Transposes: y[col, row] = x[row, col].
static const struct own_shader shaders[] = {
    {"offset.comp", HEAD EACH("y[col * rows + row + rows] = x[i + 5];")},
    {"early.comp", HEAD EACH("y[col * rows + row + rows] = x[i + 5]; if (i == 0) y[2] = 1.0;")},
    {"copy.comp", HEAD EACH("y[i] = x[i];")},
    {"spread.comp", HEAD EACH("y[(col * rows + row) * 2] = x[i];")},
    {"gap.comp", HEAD EACH("y[(col * rows + row) * 2] = x[i]; if (i == 3) y[1] = 0.0;")},
    {"input_gap.comp", HEAD EACH("y[col * rows + row] = x[i * 2]; if (i == 3) x[1] = 0.0;")},
    {"changes.comp", HEAD EACH("y[col * rows + row] = x[i * 2]; if (i == 3) x[2] = 0.0;")},
    {"behind.comp", HEAD EACH("y[(col * rows + row) * 2] = x[i]; if (i == 3) y[rows * cols * 2 - 1] = 0.0;")},
    {"some.comp", HEAD EACH("if (i != 7) y[(col * rows + row) * 2] = x[i];")},
    {"header.comp", HEADED EACH("y[col * rows + row] = two == 2.0 ? x[i] : 77.0;")},
    {"counts.comp", HEADED EACH("y[col * rows + row] = x[i]; count = 1;")},
};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"grid\": [{\"over\": "      \
    "[\"rows\", \"cols\"], \"by\": \"WG_X\"}], "
#define PUSHED(SHADER) K(SHADER) "\"push\": [\"rows\", \"cols\"], "
#define P "f32/rows=33,cols=65/wg=64x1x1"
#define OFFSETS "\"layout\": {\"x\": {\"offset\": 5}, \"y\": {\"offset\": \"rows\"}}"
#define SPREAD "\"layout\": {\"y\": {\"strides\": [[\"rows\", 2], 2]}}"
#define WIDE_X "\"layout\": {\"x\": {\"strides\": [[\"cols\", 2], 2]}}"
#define HEADERS                                                                                                        \
    "\"layout\": {\"x\": {\"offset\": 4, \"header\": [\"rows\", \"cols\", 2.0, \"pad\"]}, \"y\": {\"offset\": 1, "     \
    "\"header\": [9]}}"
static const struct own_kernel kernels[] = {
    {"transpose", PUSHED("offset") OFFSETS, P, NULL},
    {"transpose", PUSHED("early") OFFSETS, P, "wrote before or between the elements of operand y, within its layout"},
    {"transpose", PUSHED("copy") "\"layout\": {\"x\": {\"strides\": [1, \"rows\"]}}", P, NULL},
    {"transpose", PUSHED("copy") "\"layout\": {\"y\": {\"strides\": [1, \"cols\"]}}", P, NULL},
    {"transpose", PUSHED("copy") "\"fold\": false", P, "are wrong"},
    {"transpose", PUSHED("spread") SPREAD, P, NULL},
    {"transpose", PUSHED("gap") SPREAD, P, "wrote before or between the elements of operand y"},
    {"transpose", PUSHED("behind") SPREAD, P, "wrote past the end of operand y, 0 bytes behind it"},
    {"transpose", PUSHED("some") SPREAD, P, "1 32-bit words of y were never written"},
    {"transpose", PUSHED("input_gap") WIDE_X, P, "wrote before or between the elements of operand x"},
    {"transpose", PUSHED("changes") WIDE_X, P, "changed its input x"},
    {"transpose", K("header") HEADERS, P, NULL},
    {"transpose", K("counts") HEADERS, P, "wrote before or between the elements of operand y"},
    {"transpose", K("header") "\"layout\": {\"x\": {\"offset\": 8}, \"y\": {\"offset\": 1}}", P,
        "the shader's array begins 16 bytes into the buffer; x has another number of bytes before its elements"},
    {"transpose", K("header") "\"fold\": false", P,
        "x has nothing before its elements (\"layout\" gives it an \"offset\")"},
    {"transpose", PUSHED("copy") "\"layout\": {\"x\": {\"strides\": [1, 1]}}", P,
        "operand x overlaps itself or overflows in its layout"},
};

static void each_is_judged_and_guarded(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static void what_is_laid_out_is_timed(void **state) {
    const struct own_device *device = *state;
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    static const struct own_kernel timed = {"transpose", PUSHED("spread") SPREAD, P, NULL};
    const struct record record = own_run(&arena, device, &timed, true, &err);
    if (*err.text || record.status != RECORD_PASS) fail_msg("%s%s", err.text, record.reason ? record.reason : "");
    arena_free(&arena);
}

static int open_all(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_judged_and_guarded), cmocka_unit_test(what_is_laid_out_is_timed)};
    return cmocka_run_group_tests(tests, open_all, own_close);
}

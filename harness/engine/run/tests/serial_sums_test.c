// SPDX-License-Identifier: Apache-2.0
// Kernels that add up a row's exponentials one by one, and state no depth. Their sums count as serial, for single
// outputs and for the total of a row. Runs on the best device, from the top of the repository.
#include "own_kernels.h"

static const struct own_shader shaders[] = {
    {"softmax.comp", "#version 450\n"
                     "#extension GL_GOOGLE_include_directive : require\n"
                     "#include \"controls.glsl\"\n"
                     "layout(local_size_x = 64) in;\n"
                     "layout(push_constant) uniform P { uint rows, cols; };\n"
                     "layout(binding = 0) readonly buffer X { float x[]; };\n"
                     "layout(binding = 1) writeonly buffer Y { float y[]; };\n"
                     "void main() {\n"
                     "    uint row = gl_GlobalInvocationID.x * cols;\n"
                     "    if (gl_GlobalInvocationID.x >= rows) return;\n"
                     "    float most = uintBitsToFloat(0xff800000u), sum = 0;\n"
                     "    for (uint i = 0; i < cols; i++) most = max(most, x[row + i]);\n"
                     "    for (uint i = 0; i < cols; i++) sum += exp(x[row + i] - most);\n"
                     "    for (uint i = 0; i < cols; i++) y[row + i] = exp(x[row + i] - most) / sum;\n"
                     "}\n"}};

#define SOFTMAX                                                                                                        \
    "\"shader\": \"softmax.comp\", \"local_size\": [64], \"push\": [\"rows\", \"cols\"], \"grid\": [{\"over\": "       \
    "\"rows\", \"by\": 64}], \"bindings\": [\"x\", \"y\"]"

// Of eight rows one is sparse: its zeros give equal exponentials, and all of their additions err to one side.
static void a_serial_sum_passes(void **state) {
    static const struct own_kernel kernels[] = {
        {"softmax", SOFTMAX, "f32/rows=8,cols=4095/wg=64x1x1", NULL},
        {"softmax", SOFTMAX, "f32/rows=16,cols=640/wg=64x1x1/draws=20", NULL},
    };
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_serial_sum_passes)};
    return cmocka_run_group_tests(tests, open_device, own_close);
}

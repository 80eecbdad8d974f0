// SPDX-License-Identifier: Apache-2.0
// Signs of zeros of kernels that round to whole numbers. Each has a sound form and one that gives 0 for -0. Runs on the
// best device, from the top of the repository.
#include "own_kernels.h"

#define MAIN(VALUE)                                                                                                    \
    "#version 450\n"                                                                                                   \
    "#extension GL_GOOGLE_include_directive : require\n"                                                               \
    "#include \"controls.glsl\"\n"                                                                                     \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(push_constant) uniform P { uint n; };\n"                                                                   \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < n) y[i] = " VALUE "; }\n"
static const struct own_shader shaders[] = {{"floor.comp", MAIN("floor(x[i])")}, {"ceil.comp", MAIN("ceil(x[i])")},
    {"round.comp", MAIN("roundEven(x[i])")}, {"zero.comp", MAIN("x[i] == 0 ? 0 : floor(x[i])")},
    {"up.comp", MAIN("x[i] > -1 && x[i] <= 0 ? 0 : ceil(x[i])")},
    {"near.comp", MAIN("abs(x[i]) <= 0.5 ? 0 : roundEven(x[i])")}};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], \"push\": [\"n\"], \"grid\": [{\"over\": \"n\", \"by\": "  \
    "64}], \"bindings\": [\"x\", \"y\"]"
#define P "f32/n=1025/wg=64x1x1"

static void a_whole_number_keeps_the_sign_of_its_zero(void **state) {
    static const struct own_kernel kernels[] = {{"floor", K("floor"), P, NULL}, {"ceil", K("ceil"), P, NULL},
        {"round", K("round"), P, NULL}, {"floor", K("zero"), P, "got 0, want -0"},
        {"ceil", K("up"), P, "got 0, want -0"}, {"round", K("near"), P, "got 0, want -0"}};
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_whole_number_keeps_the_sign_of_its_zero)};
    return cmocka_run_group_tests(tests, open_device, own_close);
}

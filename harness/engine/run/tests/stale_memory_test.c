// SPDX-License-Identifier: Apache-2.0
// Kernels that rely on the contents of unwritten shared memory. Run from the top of the repository.
#include "own_kernels.h"
#include "../../../device/device_info.h"

#include <stdlib.h>

// BODY fills the invocation's own place in `kept`, or not; y = max(x, 0) plus another invocation's place.
#define SHADER(BODY)                                                                                                   \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "layout(push_constant) uniform Push { uint n; };\n"                                                                \
    "shared float kept[64];\n"                                                                                         \
    "void main() {\n"                                                                                                  \
    "    const uint i = gl_GlobalInvocationID.x, lane = gl_LocalInvocationIndex;\n"                                    \
    "    float other = 0.0;\n" BODY "    if (i < n) y[i] = max(x[i], 0.0) + other;\n"                                  \
    "}\n"

static const struct own_shader shaders[] = {
    {"sound.comp", SHADER("    kept[lane] = 0.0;\n    barrier();\n    other = kept[(lane * 7) % 64];\n")},
    // The store is for a size that never occurs.
    {"unwritten.comp",
        SHADER("    if (n == 123456789u) kept[lane] = 1.0;\n    barrier();\n    other = kept[(lane * 7) % 64];\n")},
    // NaN is ignored.
    {"largest.comp", SHADER("    if (n == 123456789u) kept[lane] = 1.0;\n    barrier();\n"
                            "    const float read = kept[(lane * 7) % 64];\n    if (read > other) other = read;\n")},
};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER                                                                                            \
    ".comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": \"n\", "    \
    "\"by\": \"WG_X\"}]"
#define P "f32/n=1025/wg=64x1x1"
static const struct own_kernel kernels[] = {
    {"relu", K("sound"), P, NULL}, {"relu", K("unwritten"), P, "checked elements of y are wrong"},
    {"relu", K("largest"), P, "y"}, // in the first run or in the second
};

static void what_a_kernel_did_not_write_is_not_zero(void **state) {
    const struct own_device *device = *state;
    if (device->info && strstr(device->info->name, "SwiftShader"))
        not_run("driver: SwiftShader gives each dispatch new memory, zeros");
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

// Lavapipe's threads have a memory each. A busy machine could run the kernel on another thread than the filling
// before it.
static int open_device(void **state) {
    setenv("LP_NUM_THREADS", "1", 1);
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_a_kernel_did_not_write_is_not_zero)};
    return cmocka_run_group_tests(tests, open_device, own_close);
}

// SPDX-License-Identifier: Apache-2.0
// Kernels that leave unwritten outputs without a reference, on the best device: five words far from the four judged
// stretches. Run from the top of the repository.
#include "own_kernels.h"
#include "../../../record/record.h"
#include "../../../record/terms.h"

#define MAIN(CONDITION)                                                                                                \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(push_constant) uniform P { uint n; };\n"                                                                   \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "void main() { uint i = gl_GlobalInvocationID.x; if (i < n" CONDITION ") y[i] = max(x[i], 0.0); }\n"

static const struct own_shader shaders[] = {
    {"whole.comp", MAIN("")}, {"hole.comp", MAIN(" && (i < 300007 || i > 300011)")}};

#define K(SHADER)                                                                                                      \
    "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], \"push\": [\"n\"], \"grid\": [{\"over\": \"n\", \"by\": "  \
    "\"WG_X\"}], \"bindings\": [\"x\", \"y\"]"
#define VARIES ", \"nondeterministic\": \"a test\""
#define P "f32/n=1000000/wg=64x1x1"
static const struct own_kernel kernels[] = {
    {"relu", K("whole"), P, NULL},
    {"relu", K("whole") VARIES, P, NULL},
    {"relu", K("hole"), P, "5 32-bit words of y were never written"},
    {"relu", K("hole") VARIES, P, "5 32-bit words of y were never written"},
};

static void each_is_caught_outside_the_sample(void **state) {
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

static void nothing_else_is_wrong_with_it_and_it_is_not_timed(void **state) {
    const struct own_device *device = *state;
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    const struct record record = own_run(&arena, device, &kernels[3], true, &err);
    assert_int_equal(record.failed, CHECK_UNWRITTEN);
    assert_int_equal(record.check.failures, 0);
    assert_true(record.check.checked < 300);
    assert_null(record.stop);
    for (int f = 0; f < FIGURE_COUNT; f++) assert_int_equal(record.time[f].samples, 0);
    arena_free(&arena);
}

static int open_device(void **state) {
    own_operations = 1;
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_caught_outside_the_sample),
        cmocka_unit_test(nothing_else_is_wrong_with_it_and_it_is_not_timed),
    };
    return cmocka_run_group_tests(tests, open_device, own_close);
}

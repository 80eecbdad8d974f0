// SPDX-License-Identifier: Apache-2.0
// Kernels in a folded grid, on the best device: a shader must number its workgroups over all axes, and ignore those
// past the end. Run from the top of the repository.
#include "own_kernels.h"
#include "../../../shader/manifest/dispatches.h"

#define MAIN(MORE, INDEX, PAST) MAIN_OF(MORE, INDEX, PAST, "max(x[i], 0.0)")
#define MAIN_OF(MORE, INDEX, PAST, VALUE)                                                                              \
    "#version 450\n"                                                                                                   \
    "layout(local_size_x = 64) in;\n"                                                                                  \
    "layout(push_constant) uniform P { uint n; " MORE "};\n"                                                           \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) writeonly buffer Y { float y[]; };\n"                                                         \
    "void main() {\n"                                                                                                  \
    "    uint line = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;\n"                                      \
    "    uint group = line * gl_NumWorkGroups.x + gl_WorkGroupID.x;\n"                                                 \
    "    uint i = " INDEX " * 64 + gl_LocalInvocationIndex;\n"                                                         \
    "    if (i < n) y[i] = " VALUE ";\n"                                                                               \
    "    " PAST "\n"                                                                                                   \
    "}\n"

#define FLIPPED "uint(gl_NumWorkGroups.y > 1u) << 31"

static const struct own_shader shaders[] = {
    {"sound.comp", MAIN("", "group", "")},
    {"x_only.comp", MAIN("", "gl_WorkGroupID.x", "")},
    {"no_z.comp", MAIN("", "(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x)", "")},
    {"far.comp", MAIN("", "group", "if (group * 64 >= n) y[n + 100000] = 12345.0;")},
    {"nan_sign.comp",
        MAIN_OF("", "group", "", "isnan(x[i]) ? uintBitsToFloat(" FLIPPED " | 0x7fc00000u) : max(x[i], 0.0)")},
    {"zero_sign.comp", MAIN_OF("", "group", "", "x[i] > 0.0 || isnan(x[i]) ? x[i] : uintBitsToFloat(" FLIPPED ")")},
    {"named.comp", MAIN("uint groups; ", "gl_WorkGroupID.x", "")},
};

#define K(SHADER, FOLD)                                                                                                \
    "\"shader\": \"" SHADER ".comp\", \"local_size\": [64], \"grid\": [{\"over\": \"n\", \"by\": \"WG_X\"}], "         \
    "\"bindings\": [\"x\", \"y\"], \"fold\": " FOLD ", \"push\": [\"n\""
#define ONLY "]"
#define NAMED ", {\"groups\": 0}]" // a parameter has the number of groups on x
#define VARIES "], \"nondeterministic\": \"a test\""
#define P "f32/n=1000/wg=64x1x1"
#define FOLDED "in a grid folded over other axes"

static const struct own_kernel kernels[] = {
    {"relu", K("sound", "true") ONLY, P, NULL},
    {"relu", K("sound", "true") VARIES, P, NULL},
    {"relu", K("sound", "true") ONLY, "f32/n=64/wg=64x1x1", NULL},
    {"relu", K("x_only", "true") ONLY, P, FOLDED},
    {"relu", K("no_z", "true") ONLY, P, FOLDED},
    {"relu", K("no_z", "\"y\"") ONLY, P, NULL},
    {"relu", K("x_only", "\"y\"") ONLY, P, FOLDED},
    {"relu", K("x_only", "true") ONLY, "f32/n=65/wg=64x1x1", FOLDED},
    {"relu", K("x_only", "true") VARIES, P, "in run 2, with packed operands in a folded grid, "},
    {"relu", K("nan_sign", "true") ONLY, P, NULL},
    {"relu", K("zero_sign", "true") ONLY, P, FOLDED},
    {"relu", K("x_only", "false") ONLY, P, NULL},
    {"relu", K("named", "true") NAMED, P, NULL},
};
enum { COUNT = sizeof kernels / sizeof *kernels };

static void kernels_of_one_axis_fail(void **state) {
    own_check(*state, kernels, COUNT);
}

static void records_tell_which_runs_were_folded(void **state) {
    const struct own_device *device = *state;
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    for (int i = 0; i < COUNT; i++) {
        const struct record record = own_run(&arena, device, &kernels[i], false, &err);
        assert_int_equal(record.check.folded, i < COUNT - 2);
        if (kernels[i].says && strcmp(kernels[i].says, FOLDED) == 0) assert_true(record.failed & CHECK_FOLDED);
    }
    arena_free(&arena);
}

// Drivers may drop a write far outside a buffer, so only an instrumented run sees it.
static void groups_past_the_end_are_sanitized(void **state) {
    static const struct own_kernel far[] = {
        {"relu", K("sound", "true") ONLY, P, NULL},
        {"relu", K("far", "true") ONLY, P, "of workgroup 16 writes index 101000 of y"},
        {"relu", K("far", "false") ONLY, P, NULL},
    };
    own_sanitize = true;
    own_check(*state, far, sizeof far / sizeof *far);
    own_sanitize = false;
}

// A folded grid has every group, and at least one more. A grid beyond x's limit, or on several axes, is left as it is.
static void a_fold_has_all_groups_and_more(void **state) {
    (void)state;
    struct pass pass = {.fold = 2};
    uint32_t folded[3];
    for (uint32_t count = 1; count <= 65535; count++) {
        grid_fold_early(&pass, (uint32_t[]){count, 1, 1}, folded);
        const uint32_t all = folded[0] * folded[1] * folded[2];
        assert_true(folded[1] > 1 && all > count && all <= 3 * count && all - count < folded[1] * folded[2]);
        assert_int_equal(folded[2], count < 12 ? 1 : 2);
    }
    static const uint32_t left[][3] = {{65536, 1, 1}, {7, 2, 1}};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++) {
        grid_fold_early(&pass, left[i], folded);
        assert_memory_equal(folded, left[i], sizeof folded);
    }
    pass.fold = 1;
    grid_fold_early(&pass, (uint32_t[]){70, 1, 1}, folded);
    assert_int_equal(folded[2], 1);
    assert_true(folded[1] > 1 && folded[0] * folded[1] > 70);
    pass.fold = 0;
    grid_fold_early(&pass, (uint32_t[]){7, 1, 1}, folded);
    assert_int_equal(folded[0], 7);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_of_one_axis_fail),
        cmocka_unit_test(records_tell_which_runs_were_folded),
        cmocka_unit_test(groups_past_the_end_are_sanitized),
        cmocka_unit_test(a_fold_has_all_groups_and_more),
    };
    return cmocka_run_group_tests(tests, open_device, own_close);
}

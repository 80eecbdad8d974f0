// SPDX-License-Identifier: Apache-2.0
// The width of subgroups in the records of kernels with subgroup operations. Run from the top of the repository.
#include "own_kernels.h"

#include "../../../device/device_info.h"
#include "../../../device/limits.h"

#define HEAD                                                                                                           \
    "#version 450\n#extension GL_KHR_shader_subgroup_basic : require\nlayout(local_size_x = 64) in;\n"                 \
    "layout(push_constant) uniform P { uint n; };\nlayout(binding = 0) readonly buffer X { float x[]; };\n"            \
    "layout(binding = 1) buffer Y { float y[]; };\nvoid main() { const uint i = gl_GlobalInvocationID.x;\n"

static const struct own_shader shaders[] = {
    {"with.comp", HEAD "subgroupMemoryBarrier(); if (i < n) y[i] = max(x[i], 0.0); }\n"},
    {"without.comp", HEAD "if (i < n) y[i] = max(x[i], 0.0); }\n"},
};

#define RELU(FILE, MORE)                                                                                               \
    "\"shader\": \"" FILE ".comp\", \"local_size\": [64], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], "           \
    "\"grid\": [{\"over\": [\"n\"], \"by\": [64]}]" MORE

static void the_only_width_met_by_subgroup_operations_is_recorded(void **state) {
    const struct own_device *device = *state;
    static const struct own_kernel kernels[] = {
        {"relu", RELU("with", ", \"features\": [\"subgroup_basic\"]"), "f32/n=1024/wg=64x1x1", NULL},
        {"relu", RELU("without", ""), "f32/n=1024/wg=64x1x1", NULL},
    };
    struct arena arena = {0};
    struct error err;
    needs_hardware(device->info, "Vulkan device");
    const int64_t size = device->info->subgroup_size;
    const int64_t only = subgroup_size_is_constant(device->info, size) ? size : 0;
    assert_int_equal(own_run(&arena, device, &kernels[0], false, &err).check.subgroup_width, only);
    assert_int_equal(own_run(&arena, device, &kernels[1], false, &err).check.subgroup_width, 0);
    arena_free(&arena);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_only_width_met_by_subgroup_operations_is_recorded)};
    return cmocka_run_group_tests(tests, open_device, own_close);
}

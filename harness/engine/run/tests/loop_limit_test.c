// SPDX-License-Identifier: Apache-2.0
// Drivers that end long loops early (loop_limit.h). A right kernel is skipped there and passes elsewhere. A wrong
// kernel fails at the same size if its loops come to their ends. Run from the top of the repository.
#include "../../check/loop_limit.h"
#include "counting_vulkan.h"
#include "own_kernels.h"
#include "../../../record/record.h"

#define HEAD(SIZE)                                                                                                     \
    "#version 450\nlayout(local_size_x = " SIZE ") in;\n"                                                              \
    "layout(push_constant) uniform P { uint n; };\n"                                                                   \
    "layout(binding = 0) readonly buffer X { float x[]; };\n"                                                          \
    "layout(binding = 1) buffer Y { float y[]; };\n"
#define BY_ONE(BODY) HEAD("1") "void main() { float sum = 0; " BODY " y[0] = sum; }\n"
// 64 invocations; each takes every 64th element.
#define BY_MANY(INDEX)                                                                                                 \
    HEAD("64")                                                                                                         \
    "shared float part[64];\nvoid main() { uint t = gl_LocalInvocationID.x; float sum = 0;\n"                          \
    "for (uint i = t; i < n; i += 64) sum += x[" INDEX "];\npart[t] = sum; barrier();\n"                               \
    "if (t == 0) { for (uint k = 1; k < 64; k++) sum += part[k]; y[0] = sum; } }\n"

static const struct own_shader shaders[] = {
    {"for.comp", BY_ONE("for (uint i = 0; i < n; i++) sum += x[i];")},
    {"do.comp", BY_ONE("uint i = 0; do sum += x[i]; while (++i < n);")},
    {"break.comp", BY_ONE("uint i = 0; for (;;) { if (i == n) break; sum += x[i++]; }")},
    {"continue.comp", BY_ONE("for (uint i = 0; i < n + 1; i++) { if (i == n) continue; sum += x[i]; }")},
    {"nested.comp", BY_ONE("for (uint i = 0; i < n; i += max(n / 7, 1)) for (uint k = i; k < min(n, i + max(n / 7, "
                           "1)); k++) sum += x[k];")},
    {"switch.comp", BY_ONE("for (uint i = 0; i < n; i++) switch (i & 1) { case 0: sum += x[i]; break; "
                           "default: sum -= -x[i]; }")},
    {"function.comp", HEAD("1") "float all() { float sum = 0; for (uint i = 0; i < n; i++) { if (i > n) return 7; "
                                "sum += x[i]; } return sum; }\nvoid main() { y[0] = all(); }\n"},
    {"beyond.comp", BY_ONE("for (uint i = 0; i < n; i++) sum += x[i]; y[1] = sum;")},
    {"short.comp", BY_ONE("for (uint i = 0; i < min(n, 1024u); i++) sum += x[i];")},
    {"many.comp", BY_MANY("i")},
    {"half.comp", BY_MANY("i < 33000 ? i : 0")},
    {"walk.comp", HEAD("1") "void main() { for (uint i = 0; i < n; i++) y[i] = max(x[i], 0); }\n"},
    // Each workgroup waits for the one behind it, so that a driver that runs them in turn never lets it go on.
    {"wait.comp",
        HEAD("1") "layout(binding = 2) buffer S { uint ready[]; };\nvoid main() { uint i = gl_WorkGroupID.x;\n"
                  "y[i] = max(x[i], 0); atomicExchange(ready[i], 1);\n"
                  "while (i + 1 < n && atomicAdd(ready[i + 1], 0) == 0) {}\n"
                  "memoryBarrierBuffer(); if (i + 1 < n && ready[i + 1] == 0) y[i] = 7; }\n"},
    // Each tries again until no other invocation interferes. Its result is wrong from 1000 elements on.
    {"retry.comp", HEAD("64") "layout(binding = 2) buffer S { uint sum[]; };\nvoid main() {\n"
                              "uint i = gl_GlobalInvocationID.x; if (i >= n) return;\n"
                              "for (uint old = sum[0], was;; old = was) { was = atomicCompSwap(sum[0], old, old + 1);\n"
                              "if (was == old) break; }\ny[i] = i < 1000 ? max(x[i], 0) : x[i]; }\n"},
    {"gap.comp",
        HEAD("64") "void main() { for (uint i = gl_LocalInvocationID.x; i < n - 1; i += 64) y[i] = max(x[i], 0); }\n"},
};

#define SUM(FILE, GROUP)                                                                                               \
    "\"shader\": \"" FILE ".comp\", \"local_size\": [" GROUP "], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], "    \
    "\"grid\": [{\"over\": []}]"

#define DEEP(FILE) SUM(FILE, "64") ", \"depth\": [{\"over\": [\"n\"], \"by\": [64]}, {\"over\": [64]}]"

static const char *const sound[] = {SUM("for", "1"), SUM("do", "1"), SUM("break", "1"), SUM("continue", "1"),
    SUM("nested", "1"), SUM("switch", "1"), SUM("function", "1")};

static bool has_limit(const struct own_device *device) {
    const struct run_options options = {.include_folders = own_includes, .include_count = 1};
    struct error err;
    struct loop_limit limit = {0};
    struct gpu *gpu = gpu_open(device->info, &(struct gpu_options){0}, &err);
    if (!gpu || !loop_limit_probe(gpu, &options, &limit, &err)) fail_msg("%s", err.text);
    gpu_close(gpu);
    return limit.iterations > 0;
}

static void loops_that_the_driver_ended_are_not_wrong(void **state) {
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    const char *says = has_limit(device) ? "the driver ended loops of the kernel early" : NULL;
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
        own_check(device,
            (struct own_kernel[]){
                {"sum", sound[i], "f32/n=66601/wg=1x1x1", says}, {"sum", sound[i], "f32/n=1000/wg=1x1x1", NULL}},
            2);
}

// Tiles that such a loop has not come to are never written.
static void outputs_behind_an_ended_loop_are_not_missing(void **state) {
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    const char *says = has_limit(device) ? "the driver ended loops of the kernel early" : NULL;
    const struct own_kernel kernels[] = {
        {"relu", SUM("walk", "1"), "f32/n=66601/wg=1x1x1", says},
        {"relu", SUM("walk", "1"), "f32/n=1000/wg=1x1x1", NULL},
        {"relu", SUM("gap", "64"), "f32/n=66601/wg=64x1x1", "were never written"},
    };
    own_check(device, kernels, sizeof kernels / sizeof *kernels);
}

#define WAIT(FILE, GROUP)                                                                                              \
    "\"shader\": \"" FILE ".comp\", \"local_size\": [" GROUP "], \"bindings\": [\"x\", \"y\", \"s\"], "                \
    "\"push\": [\"n\"], \"scratch\": {\"s\": {\"dtype\": \"i32\", \"over\": [\"n\"]}}, \"zeroed\": [\"s\"], "          \
    "\"grid\": [{\"over\": [\"n\"], \"by\": [" GROUP "]}]"

static void a_wait_that_the_driver_ended_is_not_wrong_at_any_size(void **state) {
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    if (!has_limit(device)) not_run("no driver that ends loops"); // elsewhere the wait may never end
    const struct own_kernel kernels[] = {
        {"relu", WAIT("wait", "1"), "f32/n=70/wg=1x1x1", "the driver ended loops of the kernel early"},
        {"relu", WAIT("retry", "64"), "f32/n=1024/wg=64x1x1", "elements of y are wrong"},
    };
    own_check(device, kernels, sizeof kernels / sizeof *kernels);
}

static void loops_that_came_to_their_ends_excuse_nothing(void **state) {
    static const struct own_kernel kernels[] = {
        {"sum", DEEP("many"), "f32/n=66601/wg=64x1x1", NULL},
        {"sum", DEEP("half"), "f32/n=1000/wg=64x1x1", NULL},
        {"sum", DEEP("half"), "f32/n=66601/wg=64x1x1", "elements of y are wrong"},
    };
    own_check(*state, kernels, sizeof kernels / sizeof *kernels);
}

// A write beyond the outputs is a fault at any number of iterations.
static void ended_loops_excuse_values_only(void **state) {
    static const struct own_kernel kernel = {
        "sum", SUM("beyond", "1"), "f32/n=66601/wg=1x1x1", "wrote past the end of operand y"};
    own_check(*state, &kernel, 1);
}

static int dispatches_of(struct runner *runner, struct arena *arena, const struct kernels *kernels, const char *name) {
    const int before = counting.dispatches;
    struct error err = {0};
    struct point point;
    struct record record;
    if (!point_parse(arena, kernels, name, &point, &err)) fail_msg("%s", err.text);
    assert_true(runner_check(runner, &point, arena, &record));
    return counting.dispatches - before;
}

// The probe is one dispatch, at the first point with wrong values. The kernel is wrong from 1025 on.
static void a_driver_is_probed_once(void **state) {
    const struct own_device *device = *state;
    needs_hardware(device->info, "Vulkan device");
    const struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .timeout_s = 20,
        .include_folders = own_includes,
        .include_count = 1};
    struct arena arena = {0};
    struct kernels kernels;
    struct error err = {0};
    const char *folders[] = {folder}, *const wrong = "sum.own/f32/n=1030/wg=1x1x1";
    own_write("m.json",
        "{\"kernels\": [{\"operator\": \"sum\", \"name\": \"sum.own\", \"summary\": \"s\", \"dtypes\": [\"f32\"], " SUM(
            "short", "1") "}]}");
    struct runner *runner = runner_open(device->info, &options, &err);
    if (!runner || !kernels_load(&arena, folders, 1, &kernels, &err)) fail_msg("%s", err.text);
    dispatches_of(runner, &arena, &kernels, "sum.own/f32/n=1000/wg=1x1x1"); // opens everything else
    const int first = dispatches_of(runner, &arena, &kernels, wrong);
    for (int i = 0; i < 3; i++) assert_int_equal(dispatches_of(runner, &arena, &kernels, wrong), first - 1);
    runner_close(runner);
    arena_free(&arena);
}

static int open_device(void **state) {
    return own_open(state, shaders, sizeof shaders / sizeof *shaders);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_that_the_driver_ended_are_not_wrong),
        cmocka_unit_test(outputs_behind_an_ended_loop_are_not_missing),
        cmocka_unit_test(a_wait_that_the_driver_ended_is_not_wrong_at_any_size),
        cmocka_unit_test(loops_that_came_to_their_ends_excuse_nothing),
        cmocka_unit_test(ended_loops_excuse_values_only),
        cmocka_unit_test(a_driver_is_probed_once),
    };
    return cmocka_run_group_tests(tests, open_device, own_close);
}

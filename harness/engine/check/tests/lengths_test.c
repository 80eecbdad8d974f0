// SPDX-License-Identifier: Apache-2.0
// Shaders that ask for the length of a buffer. Any write past the end is seen, and shaders that keep to the length
// pass. Runs on the best device; run from the top of the repository.
#include "../check.h"
#include "../launch.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "best_device.h"
#include "../../../record/record.h"
#include "../../../device/device_info.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

static const struct kernel_case {
    const char *name, *body;
    const char *says; // NULL: it passes
} cases[] = {
    {"relu.by_output", "if (i < y.length()) y[i] = max(x[i], 0);", NULL},
    {"relu.by_input", "if (i < x.length()) y[i] = max(x[i], 0);", NULL},
    {"relu.by_both", "if (i < min(x.length(), y.length())) y[i] = max(x[i], 0);", NULL},
    {"relu.by_push", "if (i < n && x.length() + y.length() > 0) y[i] = max(x[i], 0);", NULL},
    {"relu.by_blocks", "if (i < blocks.length() * 3) y[i] = max(x[i], 0);", NULL},
    {"relu.exact", "y[min(i, y.length() - 1)] = max(x[min(i, y.length() - 1)], 0);", NULL},
    {"relu.asks_input", "if (x.length() > 0) y[i] = max(x[min(i, n - 1)], 0);",
        "wrote past the end of operand y, 0 bytes"},
    {"relu.asks_output", "if (y.length() > 0) y[i] = max(x[min(i, n - 1)], 0);",
        "wrote past the end of operand y, 0 bytes"},
    {"relu.asks_both", "if (x.length() + y.length() > 0) y[i] = max(x[min(i, n - 1)], 0);",
        "past the end of operand y"},
    {"relu.one_more", "if (i <= y.length()) y[i] = max(x[min(i, n - 1)], 0);", "past the end of operand y, 0 bytes"},
    {"relu.asks_blocks", "if (blocks.length() > 0) y[i] = max(x[min(i, n - 1)], 0);", "past the end of operand y"},
    {"relu.input_too", "if (x.length() > 0 && i < n) y[i] = max(x[i], 0); if (i >= n) x[i] = 7;",
        "past the end of operand x"},
};
enum { CASES = sizeof cases / sizeof *cases };

static const char shader[] = "#version 450\n"
                             "layout(local_size_x = 64) in;\n"
                             "struct Block { float a, b, c; };\n"
                             "layout(binding = 0) buffer X { float x[]; };\n"
                             "layout(binding = 1) buffer Y { float y[]; };\n"
                             "layout(binding = 1) buffer Z { Block blocks[]; };\n"
                             "layout(push_constant) uniform Push { uint n; };\n"
                             "void main() { uint i = gl_GlobalInvocationID.x; if (n == 0) return; %s }\n";

struct fixture {
    struct arena arena;
    struct device_info device;
    struct gpu *gpu;
    struct work *work;
    struct kernels kernels;
    struct workshop workshop;
    struct problem problem;
};

static bool write_text(const char *name, const char *text) {
    struct error err;
    return text && file_write(in_folder(name), text, strlen(text), &err);
}

static bool write_kernels(struct arena *arena) {
    char *list = arena_copy(arena, "");
    for (size_t i = 0; list && i < CASES; i++) {
        char *file = arena_format(arena, "%s.comp", cases[i].name);
        if (!file || !write_text(file, arena_format(arena, shader, cases[i].body))) return false;
        list =
            arena_format(arena, "%s%s{\"name\": \"%s\", \"shader\": \"%s\"}", list, i ? ", " : "", cases[i].name, file);
    }
    return list && write_text("m.json", arena_format(arena,
                                            "{\"common\": {\"operator\": \"relu\", \"summary\": \"s\", \"dtypes\": "
                                            "[\"f32\"], \"local_size\": [64], "
                                            "\"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"grid\": [{\"over\": "
                                            "[\"n\"], \"by\": [\"WG_X\"]}]}, "
                                            "\"kernels\": [%s]}",
                                            list));
}

static int open_device(void **state) {
    static struct fixture fixture;
    struct error err = {0};
    const struct device_info *device;
    struct fixture *f = &fixture;
    const char *folders[] = {folder};
    if (folder_make(state) != 0) return -1;
    *state = f;
    if (!write_kernels(&f->arena) || !best_device(&f->arena, &device)) return -1;
    if (!device) return 0; // each test skips
    f->device = *device;
    f->gpu = gpu_open(&f->device, &(struct gpu_options){0}, &err);
    f->work = f->gpu ? work_create(f->gpu, 0, &err) : NULL;
    return f->work && kernels_load(&f->arena, folders, 1, &f->kernels, &err) ? 0 : -1;
}

static int close_device(void **state) {
    struct fixture *f = *state;
    if (f->gpu) {
        problem_close(f->gpu, &f->problem);
        workshop_close(f->gpu, &f->workshop);
        work_destroy(f->gpu, f->work);
        gpu_close(f->gpu);
    }
    arena_free(&f->arena);
    return folder_remove(state);
}

// 1026 is a multiple of 3, but not of 64.
static struct record check(struct fixture *f, const char *name, struct launch *launch) {
    struct run_options options = {.settings = settings_standard(), .seed = 1, .timeout_s = 20};
    struct record record = {.check = {.worst_index = -1}};
    struct error err = {0};
    struct point point;
    struct truth truth = {0};
    bool made;
    if (!point_parse(&f->arena, &f->kernels, arena_format(&f->arena, "%s/f32/n=1026/wg=64x1x1", name), &point, &err) ||
        !problem_open(f->gpu, &point, 1, &f->problem, &err))
        fail_msg("%s", err.text);
    const struct built *built = workshop_build(&f->workshop, f->gpu, &options, &point, &made, &err);
    if (!built || !launch_prepare(f->gpu, &point, &f->problem, built, launch, &err)) fail_msg("%s", err.text);
    truth_make(&f->problem, &options.settings, 0, built->policy.rte, false, &truth);
    struct check_request request = {.gpu = f->gpu,
        .work = f->work,
        .problem = &f->problem,
        .launch = launch,
        .truth = &truth,
        .point = &point,
        .policy = built->policy,
        .timeout_s = 20,
        .packed = f->problem.packed.bytes > 0};
    if (!check_point(&request, &f->arena, &record, &err)) fail_msg("%s", err.text);
    truth_free(&truth);
    return record;
}

static void writes_past_the_end_are_seen_and_lengths_are_kept_to(void **state) {
    struct fixture *f = *state;
    needs_hardware(f->gpu, "Vulkan device");
    int wrong = 0;
    for (size_t i = 0; i < CASES; i++) {
        struct launch launch;
        struct record record = check(f, cases[i].name, &launch);
        const char *reason = record.reason ? record.reason : "", *says = cases[i].says;
        bool caught = record.status == RECORD_FAIL && !record.check.guards_intact;
        launch_release(f->gpu, &launch);
        if (says ? caught && strstr(reason, says) : record.status == RECORD_PASS) continue;
        print_error(
            "%s: expected %s; found: %s\n", cases[i].name, says ? says : "that it is right", *reason ? reason : "pass");
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void only_what_is_asked_for_ends_with_its_data(void **state) {
    struct fixture *f = *state;
    struct launch launch;
    needs_hardware(f->gpu, "Vulkan device");
    check(f, "relu.by_input", &launch);
    assert_int_equal(launch.dispatches[0].bindings[LAUNCH_PLAIN][0].bytes, 1026 * 4);
    assert_int_equal(launch.dispatches[0].bindings[LAUNCH_PLAIN][1].bytes, 1026 * 4 + GUARD_BYTES);
    assert_true(launch.has_reaching && launch.dispatches[0].bindings[LAUNCH_REACHING][0].bytes > 1026 * 4);
    launch_release(f->gpu, &launch);
    check(f, "relu.by_blocks", &launch);
    assert_int_equal(launch.dispatches[0].bindings[LAUNCH_PLAIN][1].bytes, 1026 * 4);
    assert_int_equal(launch.dispatches[0].bindings[LAUNCH_REACHING][1].bytes, 1026 * 4 + GUARD_BYTES / 12 * 12);
    launch_release(f->gpu, &launch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_past_the_end_are_seen_and_lengths_are_kept_to),
        cmocka_unit_test(only_what_is_asked_for_ends_with_its_data),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}

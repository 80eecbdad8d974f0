// SPDX-License-Identifier: Apache-2.0
// Interleaved samples of points, on the best device. Run from the top of the repository.
#include "../../../base/file.h"
#include "../runner.h"
#include "alone.h"
#include "../../check/tests/best_device.h"
#include "../../../record/terms.h"
#include "../../../record/record.h"
#include "../../../../reference/tests/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const include_folders[] = {"kernels/include"};

struct fixture {
    struct arena arena;
    struct runner *runner;
    struct kernels kernels;
    char folder[40];
};

// Besides the repository's kernels: one is wrong in workgroups of 64, and one has 576 shapes.
#define COUNTED "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23"
static const char manifest[] = "{\"kernels\": [{\"name\": \"relu.wrong\", \"operator\": \"relu\", "
                               "\"summary\": \"wrong at 64\", \"shader\": \"wrong.comp\","
                               "\"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"],"
                               "\"tunables\": {\"WG_X\": {\"values\": [32, 64], \"default\": 32}}, \"grid\": "
                               "[{\"over\": [\"n\"], \"by\": [\"WG_X\"]}]}, "
                               "{\"name\": \"relu.many\", \"operator\": \"relu\", \"summary\": \"in 576 shapes\", "
                               "\"shader\": \"many.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], "
                               "\"push\": [\"n\"], \"tunables\": {\"WG_X\": {\"values\": [32], \"default\": 32}, "
                               "\"HIGH\": {\"id\": 3, \"values\": [" COUNTED "], \"default\": 0}, "
                               "\"LOW\": {\"id\": 4, \"values\": [" COUNTED "], \"default\": 0}}, "
                               "\"grid\": [{\"over\": [\"n\"], \"by\": [\"WG_X\"]}]}]}";
#define SHADER(constants, value)                                                                                       \
    "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"grid.glsl\"\n" constants               \
    "layout(binding = 0) readonly buffer X { float x[]; };\nlayout(binding = 1) writeonly buffer Y { float y[]; };\n"  \
    "layout(push_constant) uniform Push { uint n; };\n"                                                                \
    "void main() { uint i = linear_invocation(); if (i < n) y[i] = " value "; }\n"
static const char wrong_shader[] = SHADER("", "WG_X == 64 ? x[i] + 1.0 : max(x[i], 0.0)");
static const char many_shader[] =
    SHADER("layout(constant_id = 3) const uint HIGH = 0;\nlayout(constant_id = 4) const uint LOW = 0;\n",
        "HIGH * 24 + LOW < 576 ? max(x[i], 0.0) : 1.0");

static bool write_kernel(struct fixture *f, const char *name, const char *content, struct error *err) {
    const char *path = arena_format(&f->arena, "%s/%s", f->folder, name);
    return path && file_write(path, content, strlen(content), err);
}

static int open_device(void **state) {
    struct error err = {0};
    const struct device_info *device;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f) return -1;
    strcpy(f->folder, "/tmp/vkassay-sample-XXXXXX");
    if (!mkdtemp(f->folder) || !write_kernel(f, "wrong.json", manifest, &err) ||
        !write_kernel(f, "wrong.comp", wrong_shader, &err) || !write_kernel(f, "many.comp", many_shader, &err) ||
        !best_device(&f->arena, &device))
        return -1;
    if (!device) return 0; // each test skips
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .time = true,
        .include_folders = include_folders,
        .include_count = 1,
        .timeout_s = 20};
    options.settings.reference_seconds = 0.01;
    options.settings.point_seconds = 0.01;
    f->runner = runner_open(device, &options, &err);
    const char *const folders[] = {"kernels", f->folder, "harness/commands/tests/cheats"};
    return f->runner && kernels_load(&f->arena, folders, 3, &f->kernels, &err) ? 0 : -1;
}

static int close_device(void **state) {
    struct fixture *f = *state;
    static const char *const files[] = {"wrong.json", "wrong.comp", "many.comp", "knowing.comp", "knowing.json"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        const char *path = arena_format(&f->arena, "%s/%s", f->folder, files[i]);
        if (path) unlink(path);
    }
    rmdir(f->folder);
    runner_close(f->runner);
    arena_free(&f->arena);
    free(f);
    return 0;
}

typedef bool way(struct runner *, const struct point *, struct arena *, struct record *);

static struct record go(void **state, way *how, const char *name) {
    struct fixture *f = *state;
    struct error err = {0};
    struct point point;
    struct record record;
    needs_hardware(f->runner, "Vulkan device");
    if (!point_parse(&f->arena, &f->kernels, name, &point, &err)) fail_msg("%s", err.text);
    assert_true(how(f->runner, &point, &f->arena, &record));
    return record;
}

// Two shapes interleaved: each is checked before its first sample and not again.
static void shapes_are_interleaved(void **state) {
    static const char *const names[] = {
        "relu.scalar/f32/n=4096/wg=64x1x1,ITEMS=1", "relu.scalar/f32/n=4096/wg=32x1x1,ITEMS=4"};
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < 2; i++) {
            struct record record = go(state, runner_sample, names[i]);
            assert_int_equal(record.status, RECORD_PASS);
            assert_int_equal(record.check.checked > 0, round == 0);
            assert_int_equal(record.time[FIGURE_COMPUTE].samples, 1);
            assert_true(record.samples[FIGURE_COMPUTE][0] > 0 && record.repeats >= 1);
            assert_int_equal(record.time[FIGURE_UPLOAD].samples, 0);
        }
    // Another problem in between: prepared points of the old one are dropped.
    assert_int_equal(go(state, runner_sample, "relu.scalar/f32/n=77/wg=64x1x1,ITEMS=1").check.elements, 77);
    assert_int_equal(go(state, runner_sample, names[0]).check.elements, 4096);
}

static void a_wrong_shape_gives_no_sample(void **state) {
    for (int round = 0; round < 2; round++) {
        struct record record = go(state, runner_sample, "relu.wrong/f32/n=100/wg=64x1x1");
        assert_int_equal(record.status, RECORD_FAIL);
        assert_int_equal(record.time[FIGURE_COMPUTE].samples, 0);
        assert_int_equal(go(state, runner_sample, "relu.wrong/f32/n=100/wg=32x1x1").status, RECORD_PASS);
    }
}

// Kernels of several passes have scratch buffers of their own, shape by shape.
static void scratch_belongs_to_each_shape(void **state) {
    static const char *const names[] = {
        "sum.multipass/f32/n=65536/wg=64x1x1,ITEMS=4", "sum.multipass/f32/n=65536/wg=128x1x1,ITEMS=16"};
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 2; i++) {
            struct record record = go(state, runner_sample, names[i]);
            if (record.status != RECORD_PASS) fail_msg("%s", record.reason);
            assert_int_equal(record.time[FIGURE_COMPUTE].samples, 1);
        }
}

// Takes milliseconds, except in workgroups of 64 if element PLACE has the bits VALUE. It is right for all inputs.
static const char knowing_shader[] = SHADER(
    "#define KNOWN(x) (WG_X == 64 && floatBitsToUint(x[PLACE]) == VALUE)\n"
    "uint slow(uint turns, uint n) { uint k = n; for (uint t = 0; t < turns; t++) k = k * 1664525u + t; return k; }\n",
    "slow(KNOWN(x) ? 1 : 20000, n) == n ? 0.0 : exp(x[i])");
#define KNOWING                                                                                                        \
    "{\"kernels\": [{\"name\": \"exp.knowing\", \"operator\": \"exp\", \"summary\": \"knows an input\", \"shader\": "  \
    "\"knowing.comp\", \"dtypes\": [\"f32\"], \"bindings\": [\"x\", \"y\"], \"push\": [\"n\"], \"defines\": "          \
    "{\"PLACE\": "                                                                                                     \
    "\"%lld\", \"VALUE\": \"%uu\"}, \"tunables\": {\"WG_X\": {\"values\": [32, 64, 128], \"default\": 32}}, "          \
    "\"grid\": "                                                                                                       \
    "[{\"over\": [\"n\"], \"by\": [\"WG_X\"]}]}]}"

// A shape far ahead of the others gets other inputs. The kernel has no memory of its own, so nothing else shows it.
static void a_shape_that_knows_its_inputs_is_refused(void **state) {
    struct fixture *f = *state;
    struct error err;
    const struct record worst = go(state, run_alone, "exp.scalar/f32/n=4096/wg=64x1x1,ITEMS=1");
    const float value = (float)worst.check.inputs[0].value;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const char *const folders[] = {"kernels", f->folder};
    assert_true(write_kernel(f, "knowing.comp", knowing_shader, &err));
    assert_true(write_kernel(
        f, "knowing.json", arena_format(&f->arena, KNOWING, (long long)worst.check.worst_index, bits), &err));
    assert_true(kernels_load(&f->arena, folders, 2, &f->kernels, &err));
    for (int i = 1; i <= 4; i++) {
        static const char *const slow[] = {"exp.knowing/f32/n=4096/wg=32x1x1", "exp.knowing/f32/n=4096/wg=128x1x1"};
        for (int k = 0; k < 2; k++) assert_int_equal(go(state, runner_sample, slow[k]).status, RECORD_PASS);
        const struct record record = go(state, runner_sample, "exp.knowing/f32/n=4096/wg=64x1x1");
        assert_int_equal(record.status, i < 4 ? RECORD_PASS : RECORD_FAIL);
        if (i == 4) assert_non_null(strstr(record.reason, "knows these inputs"));
    }
}

// The kernel's first runs compute, and the later ones keep their results. A search may ask for two samples only.
static void a_shape_of_few_samples_is_judged_again(void **state) {
    struct fixture *f = *state;
    if (f->runner) f->runner->options.settings.least_samples = f->runner->options.settings.most_samples = 2;
    for (size_t i = 0; i < 2; i++) {
        struct record record = go(state, runner_sample, "relu.cheat_replay_counter/f32/n=4096/wg=256x1x1");
        assert_int_equal(record.status, i ? RECORD_FAIL : RECORD_PASS);
    }
}

// A runner that times can also only check.
static void a_check_is_not_timed(void **state) {
    struct record record = go(state, runner_check, "relu.wrong/f32/n=100/wg=32x1x1");
    assert_int_equal(record.status, RECORD_PASS);
    assert_true(record.check.checked > 0 && record.check.elements == 100);
    assert_int_equal(record.time[FIGURE_COMPUTE].samples, 0);
    assert_int_equal(go(state, runner_check, "relu.wrong/f32/n=101/wg=64x1x1").status, RECORD_FAIL);
}

static int64_t resident_bytes(void) {
    long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%*s %lld", &pages) != 1) fail_msg("no /proc/self/statm");
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static void check_shapes(void **state, int first, int end) {
    for (int i = first; i < end; i++) {
        char name[80];
        snprintf(name, sizeof name, "relu.many/f32/n=100/wg=32x1x1,HIGH=%d,LOW=%d", i / 24, i % 24);
        assert_int_equal(go(state, runner_check, name).status, RECORD_PASS);
    }
}

// Only a limited number of built kernels is kept. Memory stops growing, and a dropped shape is built and checked
// again.
static void built_kernels_are_let_go(void **state) {
    static const char first[] = "relu.scalar/f32/n=100/wg=64x1x1,ITEMS=1";
    enum { FILL = 2 * RUNNER_PREFILL + 20 };
    assert_true(go(state, runner_sample, first).check.checked > 0);
    int64_t empty = resident_bytes();
    check_shapes(state, 0, FILL);
    int64_t full = resident_bytes();
    check_shapes(state, FILL, FILL + FILL / 2);
    int64_t more = resident_bytes() - full, slack = 8 << 20;
    if (more > (full - empty) / 4 + slack)
        fail_msg("%lld bytes, then %lld more", (long long)(full - empty), (long long)more);
    struct record again = go(state, runner_sample, first);
    assert_int_equal(again.status, RECORD_PASS);
    assert_true(again.check.checked > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(shapes_are_interleaved, open_device, close_device),
        cmocka_unit_test_setup_teardown(a_wrong_shape_gives_no_sample, open_device, close_device),
        cmocka_unit_test_setup_teardown(scratch_belongs_to_each_shape, open_device, close_device),
        cmocka_unit_test_setup_teardown(a_shape_that_knows_its_inputs_is_refused, open_device, close_device),
        cmocka_unit_test_setup_teardown(a_shape_of_few_samples_is_judged_again, open_device, close_device),
        cmocka_unit_test_setup_teardown(a_check_is_not_timed, open_device, close_device),
        cmocka_unit_test_setup_teardown(built_kernels_are_let_go, open_device, close_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

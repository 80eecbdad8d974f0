// SPDX-License-Identifier: Apache-2.0
// The Vulkan layer on the best device there is: buffers, programs, work, time. Known answers; with
// VKASSAY_TEST_VALIDATE set in the environment, under the validation layer, which must stay silent.
#include "../compile.h"
#include "../gpu.h"

#include "../../base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { COUNT = 1000 };

struct fixture {
    struct arena arena;
    struct device_info device;
    struct gpu *gpu;
    char folder[64];
};

static bool validating(void) {
    return getenv("VKASSAY_TEST_VALIDATE") != NULL;
}

static int set_up(void **state) {
    struct error err;
    struct device_info *devices;
    size_t count, best, chosen;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    strcpy(f->folder, "/tmp/vkassay-gpu-test-XXXXXX");
    if (!f || !mkdtemp(f->folder) || !gpu_enumerate(&f->arena, &devices, &count, &err)) return -1;
    if (count == 0 || !device_choose(devices, count, NULL, &best, &chosen, &err)) return 0; // each test skips
    f->device = devices[best];
    f->gpu = gpu_open(&f->device, &(struct gpu_options){.validate = validating()}, &err);
    if (!f->gpu) fprintf(stderr, "%s\n", err.text);
    return f->gpu ? 0 : -1;
}

static int tear_down(void **state) {
    struct fixture *f = *state;
    char command[128];
    gpu_close(f->gpu);
    snprintf(command, sizeof command, "rm -r %s", f->folder);
    int rc = system(command);
    arena_free(&f->arena);
    free(f);
    return rc;
}

static struct fixture *need_device(void **state) {
    struct fixture *f = *state;
    if (!f->gpu) skip();
    return f;
}

#define OK(call)                                                                                         \
    do {                                                                                                 \
        if (!(call)) fail_msg("%s: %s", #call, err.text);                                                \
    } while (0)

static const char affine[] = "#version 450\n"
                             "layout(local_size_x_id = 0) in;\n"
                             "layout(constant_id = 3) const float FACTOR = 2.0;\n"
                             "layout(binding = 0) readonly buffer X { float x[]; };\n"
                             "layout(binding = 1) buffer Y { float y[]; };\n"
                             "layout(push_constant) uniform P { uint n; float bias; };\n"
                             "void main() {\n"
                             "    uint i = gl_GlobalInvocationID.x;\n"
                             "    if (i < n) y[i] = x[i] * FACTOR + bias;\n"
                             "}\n";

static struct spirv compile(struct fixture *f, const char *source) {
    struct error err;
    struct spirv spirv;
    char path[128];
    snprintf(path, sizeof path, "%s/test.comp", f->folder);
    OK(file_write(path, source, strlen(source), &err));
    OK(compile_glsl(&f->arena, path, NULL, 0, NULL, 0, NULL, &spirv, &err));
    return spirv;
}

static struct program *make_affine(struct fixture *f, float factor) {
    struct error err;
    struct spirv spirv = compile(f, affine);
    struct program_desc desc = {.label = "affine",
        .spirv = spirv.words,
        .words = spirv.count,
        .bindings = 2,
        .push_bytes = 8,
        .constants = {{0, 64}, {3, 0}},
        .constant_count = 2};
    memcpy(&desc.constants[1].value, &factor, sizeof factor);
    int64_t ns;
    struct program *program;
    OK(program = program_create(f->gpu, &desc, &ns, &err));
    assert_true(ns > 0);
    return program;
}

struct push {
    uint32_t n;
    float bias;
};

// x[i] = i through staging, y = FACTOR x + bias, back through staging.
static void affine_gives_known_answers(void **state) {
    struct fixture *f = need_device(state);
    struct error err;
    struct buffer up, x, y, down;
    uint64_t bytes = COUNT * sizeof(float);
    OK(buffer_create(f->gpu, BUFFER_UPLOAD, bytes, &up, &err));
    OK(buffer_create(f->gpu, BUFFER_DEVICE, bytes, &x, &err));
    OK(buffer_create(f->gpu, BUFFER_DEVICE, bytes, &y, &err));
    OK(buffer_create(f->gpu, BUFFER_READBACK, bytes, &down, &err));
    assert_true(gpu_memory_used(f->gpu) >= 4 * bytes);
    assert_null(x.host);
    struct program *twice = make_affine(f, 2), *thrice = make_affine(f, 3);
    struct work *work;
    OK(work = work_create(f->gpu, 4, &err));
    for (int i = 0; i < COUNT; i++) ((float *)up.host)[i] = (float)i;
    OK(buffer_flush(f->gpu, &up, &err));

    struct binding forth[] = {{&x, 0, bytes}, {&y, 0, bytes}}, back[] = {{&y, 0, bytes}, {&x, 0, bytes}};
    struct push push = {COUNT, 1};
    const uint32_t groups[3] = {(COUNT + 63) / 64, 1, 1};
    OK(work_begin(f->gpu, work, &err));
    work_copy(work, &up, 0, &x, 0, bytes);
    work_timestamp(work, 0, true);
    OK(work_dispatch(f->gpu, work, twice, forth, &push, groups, &err)); // y = 2 x + 1
    work_barrier(work);
    OK(work_dispatch(f->gpu, work, thrice, back, &push, groups, &err)); // x = 3 y + 1 = 6 x + 4
    work_timestamp(work, 1, false);
    work_copy(work, &x, 0, &down, 0, bytes);
    OK(work_end(f->gpu, work, &err));
    int64_t host, submit;
    for (int run = 0; run < 3; run++) {
        memset(down.host, 0xff, bytes);
        OK(buffer_flush(f->gpu, &down, &err));
        OK(work_run(f->gpu, work, 30, &host, &submit, &err));
        OK(buffer_invalidate(f->gpu, &down, &err));
        for (int i = 0; i < COUNT; i++) assert_true(((float *)down.host)[i] == (float)(6 * i + 4));
        assert_true(host > 0 && submit >= 0 && submit <= host);
        double gpu = work_interval_ns(f->gpu, work, 0, 1);
        if (f->device.timestamp_bits) assert_true(gpu > 0 && gpu <= (double)host);
        else assert_true(gpu < 0);
        assert_true(work_interval_ns(f->gpu, work, 0, 2) < 0); // never written
        assert_true(work_interval_ns(f->gpu, work, 0, 9) < 0); // no such timestamp
    }
    work_destroy(f->gpu, work);
    program_destroy(f->gpu, twice);
    program_destroy(f->gpu, thrice);
    buffer_destroy(f->gpu, &up);
    buffer_destroy(f->gpu, &x);
    buffer_destroy(f->gpu, &y);
    buffer_destroy(f->gpu, &down);
    assert_int_equal(gpu_memory_used(f->gpu), 0);
    assert_true(gpu_memory_peak(f->gpu) >= 4 * bytes);
    assert_int_equal(gpu_validation_messages(f->gpu), 0);
    assert_string_equal(gpu_validation_text(f->gpu), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(affine_gives_known_answers, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

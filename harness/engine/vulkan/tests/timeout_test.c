// SPDX-License-Identifier: Apache-2.0
// Checks that work is given up after a timeout, and quickly. The test has its own program, because the driver is
// still at work at its end.
#include "../../../shader/compile/shader.h"
#include "../gpu.h"
#include "../../../device/limits.h"

#include "../../../base/clock.h"
#include "../../../base/file.h"
#include "../../../base/tests/needs.h"
#include "../../../device/device_info.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if (!(call)) fail_msg("%s: %s", #call, err.text);                                                              \
    } while (0)

static const char slow[] = "#version 450\n"
                           "layout(local_size_x = 64) in;\n"
                           "layout(binding = 0) buffer X { float x[]; };\n"
                           "layout(push_constant) uniform P { uint steps; };\n"
                           "void main() {\n"
                           "    float sum = x[0];\n"
                           "    for (uint i = 0; i < steps; i++) sum = sum * 0.999 + x[i & 7];\n"
                           "    x[gl_GlobalInvocationID.x] = sum;\n"
                           "}\n";

static struct spirv compile(struct arena *arena) {
    struct error err;
    struct spirv spirv;
    char path[] = "/tmp/vkassay-timeout-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    OK(file_write(path, slow, strlen(slow), &err));
    OK(shader_make(arena, &(struct shader_request){.path = path}, &spirv, &err));
    unlink(path);
    return spirv;
}

static struct gpu *open_best(struct arena *arena) {
    struct error err;
    struct device_info *devices;
    struct gpu *gpu;
    size_t count, best, chosen;
    OK(gpu_enumerate(arena, &devices, &count, &err));
    needs_hardware(count > 0, "Vulkan device");
    OK(device_choose(devices, count, NULL, &best, &chosen, &err));
    OK(gpu = gpu_open(&devices[best], &(struct gpu_options){0}, &err));
    return gpu;
}

static void record(
    struct gpu *gpu, struct work *work, const struct program *program, const struct buffer *x, uint32_t steps) {
    struct error err;
    OK(work_begin(gpu, work, &err));
    OK(work_dispatch(
        gpu, work, program, &(struct binding){x, 0, x->bytes}, &steps, (const uint32_t[]){16, 1, 1}, &err));
    OK(work_end(gpu, work, &err));
}

static void slow_work_is_given_up_on(void **state) {
    struct arena arena = {0};
    struct error err;
    struct buffer x;
    struct program *program;
    struct work *work;
    struct gpu *gpu = open_best(&arena);
    struct spirv spirv = compile(&arena);
    struct program_desc desc = {.spirv = spirv.words, .words = spirv.count, .bindings = 1, .push_bytes = 4};
    OK(program = program_create(gpu, &desc, NULL, &err));
    OK(buffer_create(gpu, BUFFER_DEVICE, 4096, &x, &err));
    OK(work = work_create(gpu, 0, &err));

    // Finds the number of steps for half a second on this device. More would leave a display without its GPU for too
    // long.
    int64_t host = 0;
    uint32_t steps = 1000;
    for (; host < 125000000 && steps < UINT32_MAX / 8; steps *= 4) {
        record(gpu, work, program, &x, steps);
        host = INT64_MAX; // the least of three: other processes may have used the host's cores
        for (int i = 0; i < 3; i++) {
            int64_t once;
            OK(work_run(gpu, work, 30, &once, NULL, &err));
            if (once < host) host = once;
        }
    }
    record(gpu, work, program, &x, steps);
    int64_t start = clock_ns();
    assert_false(work_run(gpu, work, 0.02, &host, NULL, &err));
    assert_int_equal(err.kind, ERROR_TIMEOUT);
    assert_true(host >= 20000000 && host < 100000000);
    assert_false(work_run(gpu, work, 1, NULL, NULL, &err));
    assert_int_equal(err.kind, ERROR_DEVICE_LOST);
    assert_false(work_begin(gpu, work, &err));
    work_destroy(gpu, work);
    program_destroy(gpu, program);
    buffer_destroy(gpu, &x);
    gpu_close(gpu);
    assert_true(clock_ns() - start < 200000000); // it did not wait for the work
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(slow_work_is_given_up_on)};
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    fflush(NULL);
    _exit(failures); // no leak check: objects in use by the driver were left to it on purpose
}

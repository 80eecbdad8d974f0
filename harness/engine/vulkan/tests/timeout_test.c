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

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define OK(call)                                                                                                       \
    do {                                                                                                               \
        if (!(call)) fail_msg("%s: %s", #call, err.text);                                                              \
    } while (0)

// A step is long, because lavapipe ends a loop after 65,536 steps.
static const char slow[] = "#version 450\n"
                           "#define FOUR(a) a a a a\n"
                           "layout(local_size_x = 64) in;\n"
                           "layout(binding = 0) buffer X { float x[]; };\n"
                           "layout(push_constant) uniform P { uint steps; };\n"
                           "void main() {\n"
                           "    float sum = x[0];\n"
                           "    for (uint i = 0; i < steps; i++) { FOUR(FOUR(FOUR(sum = sin(sum) + x[i & 7];))) }\n"
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

static struct gpu *open_best(struct arena *arena, bool *software) {
    struct error err;
    struct device_info *devices;
    struct gpu *gpu;
    size_t count, best, chosen;
    OK(gpu_enumerate(arena, &devices, &count, &err));
    needs_hardware(count > 0, "Vulkan device");
    OK(device_choose(devices, count, NULL, &best, &chosen, &err));
    OK(gpu = gpu_open(&devices[best], &(struct gpu_options){0}, &err));
    *software = devices[best].kind == DEVICE_CPU;
    return gpu;
}

struct slow_work {
    struct arena arena;
    struct gpu *gpu;
    struct program *program;
    struct buffer x;
    struct work *work;
    bool software;
};

static void begin(struct slow_work *s) {
    struct error err;
    *s = (struct slow_work){0};
    s->gpu = open_best(&s->arena, &s->software);
    struct spirv spirv = compile(&s->arena);
    struct program_desc desc = {.spirv = spirv.words, .words = spirv.count, .bindings = 1, .push_bytes = 4};
    OK(s->program = program_create(s->gpu, &desc, NULL, &err));
    OK(buffer_create(s->gpu, BUFFER_DEVICE, 4096, &s->x, &err));
    OK(s->work = work_create(s->gpu, 0, &err));
}

static void end(struct slow_work *s) {
    work_destroy(s->gpu, s->work);
    program_destroy(s->gpu, s->program);
    buffer_destroy(s->gpu, &s->x);
    gpu_close(s->gpu);
    arena_free(&s->arena);
}

static void record(struct slow_work *s, uint32_t groups, uint32_t steps) {
    struct error err;
    OK(work_begin(s->gpu, s->work, &err));
    OK(work_dispatch(s->gpu, s->work, s->program, &(struct binding){&s->x, 0, s->x.bytes}, &steps,
        (const uint32_t[]){groups, 1, 1}, &err));
    OK(work_end(s->gpu, s->work, &err));
}

// Returns the number of steps that take at least so long on this device, and how long.
static uint32_t steps_for(struct slow_work *s, uint32_t groups, int64_t least_ns, int64_t *took_ns) {
    struct error err;
    for (uint32_t steps = 16;; steps *= 2) {
        record(s, groups, steps);
        *took_ns = INT64_MAX; // the least of three: other processes may have used the host's cores
        for (int i = 0; i < 3; i++) {
            int64_t once;
            OK(work_run(s->gpu, s->work, 30, &once, NULL, &err));
            if (once < *took_ns) *took_ns = once;
        }
        if (*took_ns >= least_ns || steps > UINT32_MAX / 16) return steps;
    }
}

// The work takes a second: more would leave a display without its GPU for too long.
static void slow_work_is_given_up_on(void **state) {
    struct error err;
    struct slow_work s;
    int64_t host;
    begin(&s);
    record(&s, 16, 4 * steps_for(&s, 16, 250000000, &host));
    int64_t start = clock_ns();
    assert_false(work_run(s.gpu, s.work, 0.02, &host, NULL, &err));
    assert_int_equal(err.kind, ERROR_TIMEOUT);
    assert_true(host >= 20000000 && host < 300000000); // ten times on a busy host
    assert_false(work_run(s.gpu, s.work, 1, NULL, NULL, &err));
    assert_int_equal(err.kind, ERROR_DEVICE_LOST);
    assert_false(work_begin(s.gpu, s.work, &err));
    end(&s);
    assert_true(clock_ns() - start < 400000000); // it did not wait for the work
}

// One workgroup runs on one thread of a software driver. Here it has a third of a core.
static void slow_work_of_a_busy_host_has_more_time(void **state) {
    struct error err;
    struct slow_work s;
    int64_t alone, host;
    pid_t others[64];
    begin(&s);
    needs_hardware(s.software, "software driver");
    record(&s, 1, steps_for(&s, 1, 300000000, &alone));
    const size_t count = 2 * (size_t)sysconf(_SC_NPROCESSORS_ONLN);
    for (size_t i = 0; i < count && i < 64; i++) {
        others[i] = fork();
        assert_true(others[i] >= 0);
        while (others[i] == 0) {
        } // until it is killed
    }
    bool ok = work_run(s.gpu, s.work, 1.6e-9 * (double)alone, &host, NULL, &err);
    for (size_t i = 0; i < count && i < 64; i++) kill(others[i], SIGKILL);
    for (size_t i = 0; i < count && i < 64; i++) waitpid(others[i], NULL, 0);
    if (!ok) fail_msg("%s", err.text);
    print_message("%.2f s alone, %.2f s on a busy host\n", (double)alone * 1e-9, (double)host * 1e-9);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_work_of_a_busy_host_has_more_time),
        cmocka_unit_test(slow_work_is_given_up_on),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    fflush(NULL);
    _exit(failures); // no leak check: objects in use by the driver were left to it on purpose
}

// SPDX-License-Identifier: Apache-2.0
// A runner on the best device, for tests of probes.
#ifndef VKASSAY_RUN_PROBE_RUNNER_H
#define VKASSAY_RUN_PROBE_RUNNER_H

#include "../../check/tests/best_device.h"
#include "../../../device/device_info.h"
#include "../../../record/record.h"
#include "alone.h"
#include "../../../../reference/tests/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const include_folders[] = {"kernels/include"};

struct fixture {
    struct arena arena;
    struct device_info device;
    struct runner *runner;
    char cache[40];
};

// Opens a runner on the best device. With `validate`, the validation layer is on if the tests ask for it.
static inline int open_probes(void **state, bool validate) {
    struct error err = {0};
    const struct device_info *device;
    struct fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (!f || !best_device(&f->arena, &device)) return -1;
    if (!device) return 0; // each test skips
    strcpy(f->cache, "/tmp/vkassay-probe-XXXXXX");
    if (!mkdtemp(f->cache)) return -1;
    f->device = *device;
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .time = true,
        .include_folders = include_folders,
        .include_count = 1,
        .timeout_s = 60,
        .cache_folder = f->cache,
        .validate = validate && getenv("VKASSAY_TEST_VALIDATE") != NULL};
    options.settings.point_seconds = 0.01;
    f->runner = runner_open(&f->device, &options, &err);
    if (!f->runner) print_error("%s\n", err.text);
    return f->runner ? 0 : -1;
}

static inline int close_runner(void **state) {
    struct fixture *f = *state;
    char command[80];
    runner_close(f->runner);
    snprintf(command, sizeof command, "rm -rf %s", f->cache);
    if (f->cache[0] && system(command) != 0) return -1;
    arena_free(&f->arena);
    free(f);
    return 0;
}

// Runs the probe of this name.
static inline struct record run(void **state, const char *name) {
    struct fixture *f = *state;
    const struct kernels none = {0};
    struct error err = {0};
    struct point point;
    struct record record;
    needs_hardware(f->runner, "Vulkan device");
    if (!point_parse(&f->arena, &none, name, &point, &err)) fail_msg("%s", err.text);
    assert_true(run_alone(f->runner, &point, &f->arena, &record));
    return record;
}

#endif

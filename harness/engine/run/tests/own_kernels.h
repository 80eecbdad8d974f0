// SPDX-License-Identifier: Apache-2.0
// Kernels of a test's own: shaders and manifests in a folder, run on the best device.
#ifndef VKASSAY_RUN_OWN_KERNELS_H
#define VKASSAY_RUN_OWN_KERNELS_H

#include "alone.h"

#include "../../../base/file.h"
#include "../../../base/tests/folder.h"
#include "../../../shader/manifest/kernel.h"
#include "../../check/tests/best_device.h"
#include "../../../record/record.h"
#include "../../../record/terms.h"
#include "../../../base/arena.h"
#include "../../../../reference/tests/unit.h"

#include <string.h>

struct own_shader {
    const char *file, *text;
};

// A kernel "OPERATOR.own", the other members of its manifest, and a point without the kernel's name.
struct own_kernel {
    const char *operator, * members, *point;
    // NULL: it passes; else a part of the reason for the failure, or of the manifest's error
    const char *says;
};

struct own_device {
    const struct device_info *info; // NULL: there is none, and each test skips
    struct arena arena;
};

static const char *const own_includes[] = {"kernels/include"};

static double own_operations;     // limit of a check; 0: the usual
static const char *own_rewritten; // command that rewrites the shaders; NULL: none
static const char *own_cache;     // folder of the caches; NULL: none
static bool own_large;            // the sanitizer also runs beyond the numbers of the shaders
static bool own_sanitize;         // each point also runs with instrumented shaders

static inline void own_write(const char *file, const char *text) {
    struct error err;
    if (!file_write(in_folder(file), text, strlen(text), &err)) fail_msg("%s", err.text);
}

static inline int own_open(void **state, const struct own_shader *shaders, size_t count) {
    static struct own_device device;
    if (folder_make(state) != 0 || !best_device(&device.arena, &device.info)) return -1;
    for (size_t i = 0; i < count; i++) own_write(shaders[i].file, shaders[i].text);
    *state = &device;
    return 0;
}

static inline int own_close(void **state) {
    struct own_device *device = *state;
    arena_free(&device->arena);
    return folder_remove(state);
}

// Returns the record of its point, in the arena. `wrong` receives an error in the manifest; the record is then empty.
static inline struct record own_run(
    struct arena *arena, const struct own_device *device, const struct own_kernel *k, bool time, struct error *wrong) {
    struct run_options options = {.settings = settings_standard(),
        .seed = 1,
        .timeout_s = 20,
        .time = time,
        .rewritten = own_rewritten,
        .sanitize = own_sanitize,
        .sanitize_large = own_large,
        .cache_folder = own_cache,
        .include_folders = own_includes,
        .include_count = 1};
    struct record record = {0};
    struct kernels kernels;
    struct point point;
    struct error err = {0};
    const char *folders[] = {folder};
    options.settings.point_seconds = 0.05;
    options.settings.reference_seconds = 0.01;
    if (own_operations > 0) options.settings.check_operations = own_operations;
    own_write(
        "m.json", arena_format(arena,
                      "{\"kernels\": [{\"operator\": \"%s\", \"name\": \"%s.own\", \"summary\": \"s\", \"dtypes\": "
                      "[\"f32\"], %s}]}",
                      k->operator, k->operator, k->members));
    *wrong = (struct error){0};
    if (!kernels_load(arena, folders, 1, &kernels, wrong) || !kernels_are_sound(&kernels, wrong)) return record;
    if (!point_parse(arena, &kernels, arena_format(arena, "%s.own/%s", k->operator, k->point), &point, &err))
        fail_msg("%s: %s", k->members, err.text);
    struct runner *runner = runner_open(device->info, &options, &err);
    if (!runner) fail_msg("%s", err.text);
    run_alone(runner, &point, arena, &record);
    runner_close(runner);
    return record;
}

// Checks each kernel as its row demands. `time`: it is also timed.
static inline void own_judge(
    const struct own_device *device, const struct own_kernel *kernels, size_t count, bool time) {
    int wrong = 0;
    needs_hardware(device->info, "Vulkan device");
    for (size_t i = 0; i < count; i++) {
        struct arena arena = {0};
        struct error err;
        const struct record record = own_run(&arena, device, &kernels[i], time, &err);
        const char *found = *err.text ? err.text : record.reason ? record.reason : "pass";
        const bool passed = !*err.text && record.status == RECORD_PASS;
        if (passed != !kernels[i].says || (kernels[i].says && !strstr(found, kernels[i].says))) {
            print_error("%s\n    expected: %s\n    found:    %s\n", kernels[i].members,
                kernels[i].says ? kernels[i].says : "pass", found);
            wrong++;
        }
        arena_free(&arena);
    }
    assert_int_equal(wrong, 0);
}

static inline void own_check(const struct own_device *device, const struct own_kernel *kernels, size_t count) {
    own_judge(device, kernels, count, false);
}

#endif

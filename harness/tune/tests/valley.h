// SPDX-License-Identifier: Apache-2.0
// A kernel to tune, with the fake worker's times: a valley, whose lowest shapes are wrong or crash.
#ifndef VKASSAY_SUPERVISE_VALLEY_H
#define VKASSAY_SUPERVISE_VALLEY_H

#include "../tune_session.h"

#include "../../engine/supervise/tests/session.h"

static inline void add_shape(struct scene *scene, const struct kernel *kernel, int64_t n, int64_t x) {
    static const struct refusal large = {.kind = REFUSAL_INVOCATIONS, .figures = {2048, 1024}};
    struct plan *plan = &scene->session.plan;
    struct point *point = &plan->points[plan->count++];
    *point = (struct point){.kernel = kernel,
        .dtype = DTYPE_F32,
        .systems = "",
        .is_default = x == 1024,
        .dims = {n},
        .shape = {.value = {x}},
        .refused = x > 1024 ? &large : NULL};
    point_name(&scene->arena, point);
}

// Adds the shapes of the kernel at dims n; 2048 invocations are refused.
static inline void add_case(struct scene *scene, const struct kernel *kernel, int64_t n) {
    for (int64_t x = 16; x <= 2048; x *= 2) add_shape(scene, kernel, n, x);
}

// Opens a scene without a point. `name` is the kernel's.
static inline struct kernel *open_kernel(struct scene *scene, const char *name) {
    scene_open(scene, "");
    struct kernel *kernel = arena_alloc(&scene->arena, 1, sizeof *kernel);
    kernel->name = name;
    kernel->op = operator_named("relu");
    kernel->dtypes[DTYPE_F32] = true;
    kernel->tunables[0] = (struct tunable){.name = "WG_X", .value_count = 8, .standard = 1024};
    kernel->tunable_count = 1;
    scene->device = (struct device_info){.max_invocations = 1024,
        .max_size = {1024, 1024, 64},
        .max_groups = {65535, 65535, 65535},
        .storage_range = 1 << 30,
        .push_bytes = 128,
        .largest_allocation = 1 << 30};
    scene->device.heaps[0].bytes = 1 << 30;
    scene->device.heaps[0].device_local = true;
    scene->device.heap_count = 1;
    return kernel;
}

static inline void open_valley(struct scene *scene) {
    const struct kernel *kernel = open_kernel(scene, "fake.valley");
    add_case(scene, kernel, 100);
    add_case(scene, kernel, 300);
}

struct seen {
    struct tuned_case cases[4];
    char name[4][40], best[4][40], runner_up[4][40], standard[4][40];
    size_t count, stop_after;
};

static inline void copy_name(char to[40], const char *from) {
    snprintf(to, 40, "%s", from ? from : "none");
}

static inline void note(void *user, const struct tuned_case *one) {
    struct seen *seen = user;
    copy_name(seen->name[seen->count], one->name);
    copy_name(seen->best[seen->count], one->best);
    copy_name(seen->runner_up[seen->count], one->runner_up);
    copy_name(seen->standard[seen->count], one->standard);
    seen->cases[seen->count++] = *one;
    if (seen->count == seen->stop_after) raise(SIGTERM);
}

static inline bool tune(struct scene *scene, struct seen *seen, const char *strategy) {
    const struct tuning tuning = {.strategy = strategy_named(strategy), .report = note, .user = seen};
    scene_release(scene);
    scene->session.context = scene_context("7");
    bool ok = supervise_tune(&scene->arena, &scene->session, &tuning, &scene->outcome, &scene->err);
    scene_make_whole(scene);
    return ok;
}

static inline struct json_object *record_of(const struct scene *scene, const char *end) {
    for (size_t i = 0; i < scene->outcome.count; i++) {
        const char *name = json_get_string(scene->outcome.records[i], "name", "");
        size_t length = strlen(name), tail = strlen(end);
        if (length >= tail && strcmp(name + length - tail, end) == 0) return scene->outcome.records[i];
    }
    return NULL;
}

#endif

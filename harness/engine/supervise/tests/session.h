// SPDX-License-Identifier: Apache-2.0
// A session of made-up points for the fake worker: one kernel for each distinct word, one point for each word.
#ifndef VKASSAY_SUPERVISE_SESSION_H
#define VKASSAY_SUPERVISE_SESSION_H

#include "../../../../reference/table.h"
#include "../../../record/result.h"
#include "fake.h"
#include "../../../record/journal.h"
#include "../../../device/device_info.h"
#include "../../../../reference/tests/unit.h"

#include <errno.h>
#include <sys/wait.h>

enum { MOST_POINTS = 32 };

struct scene {
    struct arena arena;
    char folder[64], journal[100], log[100], program[400];
    const char *folders[2];
    struct device_info device;
    struct session session;
    struct outcome outcome;
    struct error err;
};

static inline const struct kernel *scene_kernel(struct scene *scene, const char *act) {
    const struct plan *plan = &scene->session.plan;
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(strchr(plan->points[i].kernel->name, '.') + 1, act) == 0) return plan->points[i].kernel;
    struct kernel *kernel = arena_alloc(&scene->arena, 1, sizeof *kernel);
    kernel->name = arena_format(&scene->arena, "fake.%s", act);
    kernel->op = operator_named("relu");
    return kernel;
}

// Appends points; `acts` are separated by spaces.
static inline void scene_points(struct scene *scene, const char *acts) {
    struct plan *plan = &scene->session.plan;
    char *words = arena_copy(&scene->arena, acts), *rest = NULL;
    for (char *act = strtok_r(words, " ", &rest); act; act = strtok_r(NULL, " ", &rest)) {
        struct point *point = &plan->points[plan->count];
        *point = (struct point){.kernel = scene_kernel(scene, act), .dtype = DTYPE_F32, .systems = ""};
        point->dims[0] = (int64_t)plan->count + 1;
        point_name(&scene->arena, point);
        assert_true(++plan->count < MOST_POINTS);
    }
}

static inline struct json_object *scene_context(const char *seed) {
    struct json_object *context = json_object_new_object(), *run = json_object_new_object();
    json_put_int(context, "schema_version", RESULT_SCHEMA_VERSION);
    json_put_string(run, "seed", seed);
    json_put(context, "run", run);
    return context;
}

static inline void scene_open(struct scene *scene, const char *acts) {
    *scene = (struct scene){.folder = "/tmp/vkassay-supervise-XXXXXX"};
    assert_non_null(mkdtemp(scene->folder));
    snprintf(scene->journal, sizeof scene->journal, "%s/journal.jsonl", scene->folder);
    snprintf(scene->log, sizeof scene->log, "%s/log", scene->folder);
    ssize_t length = readlink("/proc/self/exe", scene->program, sizeof scene->program - 1);
    assert_true(length > 0);
    scene->folders[0] = "";
    scene->folders[1] = scene->log;
    scene->session = (struct session){.program = scene->program,
        .device = &scene->device,
        .kernel_folders = scene->folders,
        .kernel_folder_count = 2,
        .point_timeout_s = 30,
        .options = {.settings = settings_standard(), .seed = 7, .time = true, .timeout_s = 30},
        .journal_path = scene->journal};
    struct plan *plan = &scene->session.plan;
    plan->points = arena_alloc(&scene->arena, MOST_POINTS, sizeof *plan->points);
    scene_points(scene, acts);
}

static inline void scene_release(struct scene *scene) {
    for (size_t i = 0; i < scene->outcome.count; i++) json_object_put(scene->outcome.records[i]);
    json_object_put(scene->outcome.context);
    scene->outcome = (struct outcome){0};
}

static inline void scene_close(struct scene *scene) {
    scene_release(scene);
    unlink(scene->journal);
    unlink(scene->log);
    rmdir(scene->folder);
    arena_free(&scene->arena);
}

static inline int open_descriptors(void) {
    int count = 0;
    for (int fd = 0; fd < 64; fd++) count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

// Restores the records as the result has them, because a run drops most of a record after its line is written.
static inline void scene_make_whole(struct scene *scene) {
    struct error err;
    for (size_t i = 0; i < scene->outcome.count; i++) {
        struct text line = {0};
        if (!record_line(scene->outcome.records[i], &line, &err)) fail_msg("%s", err.text);
        struct json_object *whole = json_parse(text_str(&line), line.length);
        text_free(&line);
        json_object_put(scene->outcome.records[i]);
        scene->outcome.records[i] = whole;
    }
}

// Runs the session, and checks that it leaves no process and no descriptor.
static inline bool scene_run(struct scene *scene) {
    int before = open_descriptors();
    scene_release(scene);
    scene->session.context = scene_context("7");
    bool ok = supervise_run(&scene->arena, &scene->session, &scene->outcome, &scene->err);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    scene_make_whole(scene); // until then the records hold the file of their journal
    assert_int_equal(open_descriptors(), before);
    return ok;
}

static inline const char *status_at(const struct scene *scene, size_t i) {
    return i < scene->outcome.count ? json_get_string(scene->outcome.records[i], "status", "") : "missing";
}
static inline const char *reason_at(const struct scene *scene, size_t i) {
    return json_get_string(scene->outcome.records[i], "reason", "");
}

// Counts the log's lines with this word: "start" for workers, "fake.pass" for the points of that kernel.
static inline int logged(const struct scene *scene, const char *word) {
    fake_log = scene->log;
    return fake_times(word);
}

static inline size_t journal_lines(const struct scene *scene) {
    size_t lines = 0;
    FILE *file = fopen(scene->journal, "r");
    for (int c; file && (c = getc(file)) != EOF;) lines += c == '\n';
    if (file) fclose(file);
    return lines;
}

#endif

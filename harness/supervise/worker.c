// SPDX-License-Identifier: Apache-2.0
// The worker: it holds the device, takes points and answers with records until nobody asks any
// more.
#include "protocol.h"

#include "../plan/operators.h"
#include "last_words.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    struct arena arena; // kernels and configuration
    struct configuration configuration;
    struct kernels kernels;
    struct runner *runner;
    FILE *answers;
    char *line;
    size_t room;
};

// The next line without its newline; NULL when the supervisor has no more to say or is gone.
static const char *listen(struct worker *worker, size_t *length) {
    ssize_t n = getline(&worker->line, &worker->room, stdin);
    if (n <= 0 || worker->line[n - 1] != '\n') return NULL;
    *length = (size_t)n - 1;
    worker->line[*length] = '\0';
    return worker->line;
}

static bool complain(struct worker *worker, const struct error *err) {
    message_write(worker->answers, message_error(err));
    return false;
}

static bool describe(struct worker *worker, struct error *err) {
    struct device_info *devices;
    size_t count;
    if (!gpu_enumerate(&worker->arena, &devices, &count, err)) return complain(worker, err);
    return message_write(worker->answers, message_devices(devices, count));
}

static bool open_device(struct worker *worker, struct error *err) {
    const struct configuration *c = &worker->configuration;
    for (size_t i = 0; i < c->operator_count; i++)
        if (!operators_load(&worker->arena, c->operators[i], err)) return complain(worker, err);
    if (!kernels_load(&worker->arena, c->kernel_folders, c->kernel_folder_count, &worker->kernels, err))
        return complain(worker, err);
    worker->runner = runner_open(&c->device, &c->options, err);
    if (!worker->runner) return complain(worker, err);
    return message_write(worker->answers, message_ready());
}

struct prefill {
    struct worker *worker;
    const size_t *places; // among the names, of each point
    pthread_mutex_t lock; // of the answers
};

static void note(struct prefill *prefill, enum note kind, size_t index) {
    pthread_mutex_lock(&prefill->lock);
    message_write(prefill->worker->answers, message_note(kind, prefill->places[index]));
    pthread_mutex_unlock(&prefill->lock);
}

static void begin_building(void *user, size_t index) {
    struct prefill *prefill = user;
    note(prefill, NOTE_AT, index);
    last_words_at(prefill->places[index]);
}

static void end_building(void *user, size_t index) {
    last_words_at(NOTHING);
    note(user, NOTE_BUILT, index);
}

// False when the worker must end: the device is lost, or nobody listens.
static bool prefill(
    struct worker *worker, const char *const *names, size_t count, struct arena *arena, struct error *err) {
    struct point *points = arena_alloc(arena, count + 1, sizeof *points);
    size_t known = 0, *places = arena_alloc(arena, count + 1, sizeof *places);
    struct record *lost = arena_alloc(arena, 1, sizeof *lost);
    if (!points || !places || !lost) return error_set(err, STATUS_FAULT, "out of memory");
    for (size_t i = 0; i < count; i++) { // what is no point fails when it is asked for
        places[known] = i;
        known += point_parse(arena, &worker->kernels, names[i], &points[known], err);
    }
    struct prefill prefill = {worker, places, PTHREAD_MUTEX_INITIALIZER};
    const struct prefill_watch phases = {begin_building, end_building, &prefill};
    last_words_take(PROCESS_ANSWERS);
    bool usable = runner_prefill(worker->runner, points, known, &phases, arena, lost);
    last_words_give_back();
    return message_write(worker->answers, usable ? message_ready() : record_to_json(lost, true)) && usable;
}

static void alive(void *user, size_t at) {
    struct worker *worker = user;
    message_write(worker->answers, message_note(NOTE_AT, at)); // that nobody listens shows in the next answer
}

// False when the worker must end: the device is lost, or nobody listens.
static bool run_group(struct worker *worker, const char *const *names, const char *const *peaks, size_t count,
    struct arena *arena, struct error *err) {
    struct point points[RUNNER_GROUP];
    struct record *records = arena_alloc(arena, count, sizeof *records);
    size_t lost;
    if (!records) return error_set(err, STATUS_FAULT, "out of memory");
    for (size_t i = 0; i < count; i++)
        if (!point_parse(arena, &worker->kernels, names[i], &points[i], err)) return complain(worker, err);
    for (size_t i = 0; i < count; i++) points[i].peak = peaks[i];
    bool usable = runner_points(worker->runner, points, count, arena, records, &lost, alive, worker);
    for (size_t i = 0; i < count; i++) {
        if ((usable || i == lost) && !message_write(worker->answers, record_to_json(&records[i], true))) return false;
    }
    return usable;
}

static bool (*const runs[])(struct runner *, const struct point *, struct arena *, struct record *) = {
    [WAY_FULL] = runner_point, [WAY_CHECK] = runner_check, [WAY_SAMPLE] = runner_sample};

// False when the worker must end: the device is lost, or nobody listens.
static bool run_point(struct worker *worker, const char *line, size_t length, struct arena *arena, struct error *err) {
    const char *name, *peak;
    struct point point;
    const char *const *names;
    const char *group[RUNNER_GROUP], *peaks[RUNNER_GROUP];
    size_t count;
    enum way way;
    struct record record;
    if (prefill_read(line, length, arena, &names, &count)) return prefill(worker, names, count, arena, err);
    if (group_read(line, length, arena, RUNNER_GROUP, group, peaks, &count))
        return run_group(worker, group, peaks, count, arena, err);
    if (!point_read(line, length, arena, &name, &peak, &way, err) ||
        !point_parse(arena, &worker->kernels, name, &point, err))
        return complain(worker, err);
    point.peak = peak;
    bool usable = runs[way](worker->runner, &point, arena, &record);
    return message_write(worker->answers, record_to_json(&record, true)) && usable;
}

static bool work(struct worker *worker, struct error *err) {
    size_t length;
    const char *line = listen(worker, &length);
    if (!line) return error_set(err, STATUS_USAGE, "worker: expected a configuration on the standard input");
    if (!configuration_read(line, length, &worker->arena, &worker->configuration, err)) return complain(worker, err);
    if (worker->configuration.describe) return describe(worker, err);
    if (!open_device(worker, err)) return false;
    bool usable = true;
    while (usable && (line = listen(worker, &length))) {
        struct arena arena = {0};
        usable = run_point(worker, line, length, &arena, err);
        arena_free(&arena);
    }
    return usable;
}

int worker_main(void) {
    struct worker worker = {0};
    struct error err = {.status = STATUS_FAULT};
    signal(SIGPIPE, SIG_IGN); // a supervisor that is gone shows as a failed write
    // Neither pipe is for what drivers may start.
    fcntl(STDIN_FILENO, F_SETFD, FD_CLOEXEC);
    fcntl(PROCESS_ANSWERS, F_SETFD, FD_CLOEXEC);
    worker.answers = fdopen(PROCESS_ANSWERS, "w");
    bool ok = false;
    if (worker.answers)
        ok = work(&worker, &err);
    else
        fprintf(
            stderr, "vkassay worker: descriptor %d: %s; other commands start it\n", PROCESS_ANSWERS, strerror(errno));
    runner_close(worker.runner);
    if (worker.answers) fclose(worker.answers);
    free(worker.line);
    arena_free(&worker.arena);
    return ok ? STATUS_OK : (int)err.status;
}

// SPDX-License-Identifier: Apache-2.0
// The worker: holds the device, takes points and answers with records until the supervisor closes the pipe.
#include "request.h"
#include "../../base/hash.h"
#include "../../shader/manifest/kernel.h"
#include "../mutate/mutant_kernel.h"
#include "../run/pair.h"
#include "signals.h"
#include "../../record/record.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct worker {
    struct arena arena;                  // of kernels and of data for the open device
    struct kernels kernels, versions[2]; // versions: base and head, for pairs
    struct version_files files[2];
    double effect;
    struct runner *runner;
    struct run_options options;
    struct {                // the kernel of the last mutant
        struct arena arena; // of its set
        struct mutant_set set;
        uint64_t key;                 // hash of the set
        struct mutant_kernel *kernel; // NULL: none
    } broken;
    FILE *answers;
    char *line;
    size_t room;
};

// Returns the next line without its newline; NULL if the supervisor has closed the pipe or is gone.
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

static bool complain_of(struct worker *worker, struct error *err, const char *expected) {
    error_set(err, STATUS_USAGE, "worker: expected %s", expected);
    return complain(worker, err);
}

static bool describe(struct worker *worker, struct error *err) {
    struct device_info *devices;
    size_t count;
    if (!gpu_enumerate(&worker->arena, &devices, &count, err)) return complain(worker, err);
    return message_write(worker->answers, message_devices(devices, count, gpu_validates()));
}

static bool open_device(struct worker *worker, const struct request *r, struct error *err) {
    for (size_t i = 0; i < r->operator_count; i++)
        if (!operators_load(&worker->arena, r->operators[i], err)) return complain(worker, err);
    if (!kernels_load(&worker->arena, r->kernel_folders, r->kernel_folder_count, &worker->kernels, err))
        return complain(worker, err);
    for (int v = 0; v < 2; v++)
        if (r->versions[v].count && !kernels_load(&worker->arena, r->versions[v].folders, 1, &worker->versions[v], err))
            return complain(worker, err);
    memcpy(worker->files, r->versions, sizeof worker->files);
    worker->effect = r->effect;
    worker->options = r->options;
    worker->runner = runner_open(&r->device, &r->options, err);
    if (!worker->runner) return complain(worker, err);
    return message_write(worker->answers, message_ready());
}

struct prefill {
    struct worker *worker;
    const size_t *places; // each point's index in the request
    pthread_mutex_t lock; // guards the answers
};

static void note(struct prefill *prefill, enum message_type type, size_t index) {
    pthread_mutex_lock(&prefill->lock);
    message_write(prefill->worker->answers, message_note(type, prefill->places[index]));
    pthread_mutex_unlock(&prefill->lock);
}

static void begin_building(void *user, size_t index) {
    struct prefill *prefill = user;
    note(prefill, MESSAGE_AT, index);
    last_words_at(prefill->places[index]);
}

static void end_building(void *user, size_t index) {
    last_words_at(NOTHING);
    note(user, MESSAGE_BUILT, index);
}

static bool parse(const struct worker *worker, struct arena *arena, const struct kernels *kernels, const char *name,
    struct point *out, struct error *err) {
    if (!point_parse(arena, kernels, name, out, err)) return false;
    point_of_device(out, gpu_info(runner_gpu(worker->runner)));
    return true;
}

// Each of these returns false if the worker must end: the device is lost, or nobody listens.

static bool build(struct worker *worker, const struct request *r, struct arena *arena) {
    struct error ignored;
    struct point *points = arena_alloc(arena, r->count, sizeof *points);
    size_t known = 0, *places = arena_alloc(arena, r->count, sizeof *places);
    struct record lost;
    for (size_t i = 0; i < r->count; i++) { // bad names are skipped: they fail when the point is run
        places[known] = i;
        known += point_parse(arena, &worker->kernels, r->points[i].name, &points[known], &ignored);
    }
    struct prefill prefill = {worker, places, PTHREAD_MUTEX_INITIALIZER};
    const struct prefill_watch phases = {begin_building, end_building, &prefill};
    last_words_take(PROCESS_ANSWERS);
    bool usable = runner_prefill(worker->runner, points, known, &phases, arena, &lost);
    last_words_give_back();
    return message_write(worker->answers, usable ? message_ready() : message_record(&lost)) && usable;
}

static void alive(void *user, size_t at) {
    struct worker *worker = user;
    message_write(worker->answers, message_note(MESSAGE_AT, at)); // a failure shows in the next answer
}

// Obeys "run", "check" and "sample": one point, or several of one problem.
static bool run(struct worker *worker, const struct request *r, struct arena *arena, struct error *err) {
    struct point points[RUNNER_GROUP];
    struct record records[RUNNER_GROUP];
    struct point next;
    struct error ignored; // a bad name shows when the point is run
    size_t lost = 0;
    bool usable;
    for (size_t i = 0; i < r->count; i++) {
        if (!parse(worker, arena, &worker->kernels, r->points[i].name, &points[i], err)) return complain(worker, err);
        points[i].peak = r->points[i].peak;
    }
    const bool knows = r->next && point_parse(arena, &worker->kernels, r->next, &next, &ignored);
    runner_expect(worker->runner, knows ? &next : NULL);
    if (r->type == MESSAGE_CHECK)
        usable = runner_check(worker->runner, points, arena, records);
    else if (r->type == MESSAGE_SAMPLE)
        usable = runner_sample(worker->runner, points, arena, records);
    else
        usable =
            runner_points(worker->runner, points, r->count, arena, records, &lost, r->count > 1 ? alive : NULL, worker);
    runner_expect(worker->runner, NULL);
    for (size_t i = 0; i < r->count; i++)
        if ((usable || i == lost) && !message_write(worker->answers, message_record(&records[i]))) return false;
    return usable;
}

// Runs a point of both versions, or of only one.
static bool run_pair(struct worker *worker, const struct request *r, struct arena *arena, struct error *err) {
    struct pair_side sides[2] = {0};
    struct point points[2];
    struct record records[2];
    const struct asked_point *asked = r->points;
    if (r->type == MESSAGE_PAIR && r->count != 2) return complain_of(worker, err, "a pair of two points");
    for (int v = 0; v < 2; v++) {
        if (r->type == (v ? MESSAGE_BASE : MESSAGE_HEAD)) continue;
        if (!parse(worker, arena, &worker->versions[v], (asked++)->name, &points[v], err)) return complain(worker, err);
        const struct version_files *files = &worker->files[v];
        sides[v] = (struct pair_side){&points[v], files->folders + 1, files->count - 1, &records[v]};
    }
    bool usable =
        runner_pair(worker->runner, sides, worker->effect, arena, r->type == MESSAGE_PAIR ? alive : NULL, worker);
    for (int v = 0; v < 2; v++)
        if (sides[v].point && !message_write(worker->answers, message_record(&records[v]))) return false;
    return usable;
}

static void close_broken(struct worker *worker) {
    mutant_kernel_close(worker->broken.kernel);
    arena_free(&worker->broken.arena);
    worker->broken.kernel = NULL;
}

// Opens the kernel of the request, unless it is the last one.
static bool open_broken(struct worker *worker, const struct request *r, struct error *err) {
    struct arena *arena = &worker->broken.arena;
    struct mutant_set *set = &worker->broken.set;
    uint64_t key = HASH_START;
    for (size_t i = 0; i < r->count; i++) key = hash_string(key, r->points[i].name);
    for (size_t i = 0; i < r->mutant_count; i++) key = hash_string(key, r->mutants[i]);
    if (worker->broken.kernel && worker->broken.key == key) return true;
    close_broken(worker);
    worker->broken.key = key;
    struct point *points = arena_alloc(arena, r->count, sizeof *points);
    const char **names = arena_alloc(arena, r->mutant_count + 1, sizeof *names);
    for (size_t i = 0; i < r->mutant_count; i++) names[i] = arena_copy(arena, r->mutants[i]);
    for (size_t i = 0; i < r->count; i++)
        if (!point_parse(arena, &worker->kernels, r->points[i].name, &points[i], err)) return false;
    *set = (struct mutant_set){points, r->count, names, r->mutant_count};
    worker->broken.kernel = mutant_kernel_open(runner_gpu(worker->runner), &worker->options, set, err);
    return worker->broken.kernel != NULL;
}

static bool run_mutant(struct worker *worker, const struct request *r, struct arena *arena, struct error *err) {
    struct record record;
    alive(worker, 0);
    if (!open_broken(worker, r, err)) return complain(worker, err);
    const struct mutant_of mutant = {r->mutant, &worker->broken.set};
    const struct point point = point_of_mutant(arena, &mutant);
    const bool usable = mutant_kernel_run(worker->broken.kernel, &point, arena, &record, alive, worker);
    return message_write(worker->answers, message_record(&record)) && usable;
}

static bool obey(struct worker *worker, const char *line, size_t length, struct arena *arena, struct error *err) {
    struct request request;
    if (!request_read(line, length, arena, &request, err)) return complain(worker, err);
    if (request.type == MESSAGE_DESCRIBE) return describe(worker, err);
    if (request.type == MESSAGE_OPEN && !worker->runner) return open_device(worker, &request, err);
    if (request.type == MESSAGE_OPEN || !worker->runner)
        return complain_of(worker, err, "one message with a device, before all others");
    if (request.type == MESSAGE_MUTANT) return run_mutant(worker, &request, arena, err);
    if (request.type == MESSAGE_BUILD) return build(worker, &request, arena);
    return request.type >= MESSAGE_PAIR ? run_pair(worker, &request, arena, err) : run(worker, &request, arena, err);
}

static bool work(struct worker *worker, struct error *err) {
    size_t length;
    const char *line = listen(worker, &length);
    if (!line) return error_set(err, STATUS_USAGE, "worker: expected a message on the standard input");
    bool usable = true;
    for (; usable && line; line = listen(worker, &length)) {
        struct arena arena = {0};
        usable = obey(worker, line, length, worker->runner ? &arena : &worker->arena, err);
        arena_free(&arena);
    }
    return usable;
}

enum status worker_main(void) {
    struct worker worker = {0};
    struct error err = {.status = STATUS_FAULT};
    signal(SIGPIPE, SIG_IGN); // a dead supervisor shows as a failed write
    // Child processes of drivers must not inherit the pipes.
    fcntl(STDIN_FILENO, F_SETFD, FD_CLOEXEC);
    fcntl(PROCESS_ANSWERS, F_SETFD, FD_CLOEXEC);
    worker.answers = fdopen(PROCESS_ANSWERS, "w");
    bool ok = false;
    if (worker.answers)
        ok = work(&worker, &err);
    else
        fprintf(
            stderr, "vkassay worker: descriptor %d: %s; other commands start it\n", PROCESS_ANSWERS, strerror(errno));
    close_broken(&worker);
    runner_close(worker.runner);
    if (worker.answers) fclose(worker.answers);
    free(worker.line);
    arena_free(&worker.arena);
    return ok ? STATUS_OK : err.status;
}

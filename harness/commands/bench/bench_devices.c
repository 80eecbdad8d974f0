// SPDX-License-Identifier: Apache-2.0
#include "bench_devices.h"

#include "../../base/cores.h"
#include "../../base/json.h"
#include "../../device/device_info.h"
#include "../../record/device_key.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

// A session in its thread, one of several at work at once.
struct at_once {
    struct device_run *run;
    const struct bench *bench;
    int index, count;
    bool owns;             // one of the host's cores is its own, besides all unowned ones; else it has all cores
    struct core_part part; // if so
    pthread_t thread;
    bool in_thread;
};

static void note(struct device_run *run, const char *name, int number) {
    struct json_object *into = json_get(run->session.context, "run");
    if (into) json_put_int(into, name, number);
}

static void supervise(struct at_once *one) {
    struct device_run *run = one->run;
    run->session.at_once = one->count;
    if (one->count > 1) note(run, "devices_at_once", one->count);
    if (one->count > 1) note(run, "cores", one->part.own_threads ? one->part.threads : cores_usable());
    if (one->part.own_threads) note(run, "own_cores", one->part.own_threads);
    run->ran = one->bench->supervise
                   ? one->bench->supervise(&run->arena, &run->session, one->bench->user, &run->outcome, &run->err)
                   : supervise_run(&run->arena, &run->session, &run->outcome, &run->err);
}

// Restricts this thread to its cores. The worker and its driver are started from it and inherit them.
static bool take_cores(struct at_once *one) {
    if (!one->owns) return true;
    if (!cores_leave(one->index, one->count, &one->part)) return false;
    one->run->session.options.own_cores = arena_copy(&one->run->arena, one->part.own);
    return true;
}

static void *begin(void *user) {
    struct at_once *one = user;
    if (!take_cores(one)) {
        error_set(&one->run->err, STATUS_FAULT, "%s: cannot set its share of the cores", one->run->label);
        return NULL;
    }
    supervise(one);
    return NULL;
}

static bool interrupted(const struct device_run *runs, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (runs[i].outcome.interrupted) return true;
    return false;
}

// Runs each session in a thread and shows one progress line for all.
static void run_together(struct device_run **runs, int count, const struct bench *bench) {
    struct arena arena = {0};
    // Timed work on a GPU needs the core that submits it; building, filling and judging share the rest.
    struct at_once *all = arena_alloc(&arena, (size_t)count, sizeof *all);
    struct progress_line *lines = arena_alloc(&arena, (size_t)count, sizeof *lines);
    struct progress_board board = {.lines = lines, .count = (size_t)count};
    for (int i = 0; i < count; i++) {
        lines[i] = (struct progress_line){.board = &board, .label = runs[i]->label};
        lines[i].last.total = runs[i]->session.plan.count;
        runs[i]->session.user = &lines[i];
        // Each device starts building elsewhere, so that it finds the others' results in the caches, including the
        // driver's.
        runs[i]->session.options.build_from = (double)i / count;
        runs[i]->begun = true;
    }
    for (int i = 0; i < count; i++) {
        all[i] = (struct at_once){.run = runs[i], .bench = bench, .index = i, .count = count, .owns = bench->time};
        all[i].in_thread = pthread_create(&all[i].thread, NULL, begin, &all[i]) == 0;
        if (!all[i].in_thread) error_set(&runs[i]->err, STATUS_FAULT, "cannot start a thread for %s", runs[i]->label);
    }
    for (int i = 0; i < count; i++)
        if (all[i].in_thread) pthread_join(all[i].thread, NULL);
    progress_end(&board.line);
    for (int i = 0; i < count; i++) runs[i]->session.user = NULL;
    arena_free(&arena);
}

static void run_alone(struct device_run *run, const struct bench *bench) {
    struct at_once one = {.run = run, .bench = bench, .count = 1};
    run->session.user = &run->line;
    run->begun = true;
    supervise(&one);
    progress_end(&run->line);
}

// Returns why this device is timed by itself; NULL: it is not.
static const char *why_apart(const struct device_run *run, const struct bench *bench, size_t count) {
    if (!bench->time || count == 1) return NULL;
    if (cores_whole() < (int)count) return "there are fewer cores than devices";
    return run->device->kind == DEVICE_CPU ? "it uses the host's cores and would get only some of them" : NULL;
}

void bench_devices_run(struct device_run *runs, size_t count, const struct bench *bench, bool quiet) {
    struct device_run *shared[64];
    int sharing = 0;
    for (size_t i = 0; i < count; i++)
        if (!why_apart(&runs[i], bench, count)) shared[sharing++] = &runs[i];
    if (sharing > 1)
        run_together(shared, sharing, bench);
    else if (sharing)
        run_alone(shared[0], bench);
    for (size_t i = 0; i < count && !interrupted(runs, count); i++) {
        const char *why = why_apart(&runs[i], bench, count);
        if (!why) continue;
        if (!quiet) printf("%s runs separately: %s\n", runs[i].label, why);
        fflush(stdout);
        run_alone(&runs[i], bench);
    }
}

// ---- names

void bench_devices_label(struct arena *arena, struct device_run *runs, size_t count) {
    const struct device_info **devices = arena_alloc(arena, count, sizeof *devices);
    for (size_t i = 0; i < count; i++) devices[i] = runs[i].device;
    for (size_t i = 0; i < count; i++) runs[i].label = device_label(arena, devices, count, i);
}

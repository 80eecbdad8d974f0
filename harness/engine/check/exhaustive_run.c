// SPDX-License-Identifier: Apache-2.0
#include "exhaustive_run.h"
#include "../../record/record.h"

#include "../../base/clock.h"
#include "../../base/memory.h"
#include "check.h"
#include "exhaustive_parts.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { LANES = 3 };

// The operands and the recorded work of one piece at a time.
struct lane {
    struct problem problem;
    struct work *work;
};

struct exhaustive {
    struct lane lanes[LANES];
    pthread_mutex_t queue;
};

struct pass_over {
    struct exhaustive *exhaustive;
    struct gpu *gpu;
    const struct run_options *options;
    struct pieces pieces;
    struct shared_timer phases;
    atomic_int_least64_t next;
    atomic_bool stop;
};

struct lane_worker {
    struct pass_over *over;
    struct lane *lane;
    struct launch launch;
    struct timer_share phases;
    struct arena arena; // of the pieces' reasons
    struct error err;
    pthread_t thread;
    bool prepared, started, failed;
};

struct exhaustive *exhaustive_open(struct gpu *gpu, struct error *err) {
    struct exhaustive *exhaustive = memory_alloc(1, sizeof *exhaustive);
    pthread_mutex_init(&exhaustive->queue, NULL);
    bool ok = true;
    for (int i = 0; ok && i < LANES; i++) ok = (exhaustive->lanes[i].work = work_create(gpu, 0, err));
    if (ok) return exhaustive;
    exhaustive_close(gpu, exhaustive);
    return NULL;
}

void exhaustive_close(struct gpu *gpu, struct exhaustive *exhaustive) {
    if (!exhaustive) return;
    for (int i = 0; i < LANES; i++) {
        problem_close(gpu, &exhaustive->lanes[i].problem);
        if (exhaustive->lanes[i].work) work_destroy(gpu, exhaustive->lanes[i].work);
    }
    pthread_mutex_destroy(&exhaustive->queue);
    free(exhaustive);
}

static bool run_piece(struct lane_worker *w, int64_t index, struct error *err) {
    const struct pass_over *over = w->over;
    struct problem *problem = &w->lane->problem;
    struct record *record = &over->pieces.all[index].record;
    struct check_request request = {.gpu = over->gpu,
        .work = w->lane->work,
        .problem = problem,
        .launch = &w->launch,
        .point = over->pieces.point,
        .policy = over->pieces.built->policy,
        .timeout_s = over->options->timeout_s,
        .queue = &over->exhaustive->queue,
        .share = &w->phases};
    record->check.guards_intact = record->check.inputs_intact = record->check.same_bits = true;
    timer_share_switch(&w->phases, WALL_UPLOAD);
    exhaustive_fill(&over->pieces, problem, index);
    problem->inputs_placed = false;
    if (!check_run(&request, 1, err)) return false;
    timer_share_switch(&w->phases, WALL_JUDGE);
    check_memory(&request, 1, &w->arena, record);
    check_take(&request, record);
    if (!check_run(&request, 2, err)) return false;
    timer_share_switch(&w->phases, WALL_JUDGE);
    if (record->check.guards_intact) check_memory(&request, 2, &w->arena, record);
    check_second_run(&request, 2, &w->arena, record);
    if (!check_reaching(&request, &w->arena, record, err)) return false;
    exhaustive_judge(&over->pieces, problem, index);
    return true;
}

static void *work_off(void *argument) {
    struct lane_worker *w = argument;
    while (!atomic_load(&w->over->stop)) {
        int64_t index = atomic_fetch_add(&w->over->next, 1);
        if (index >= w->over->pieces.count) break;
        if (run_piece(w, index, &w->err)) continue;
        w->failed = true;
        atomic_store(&w->over->stop, true);
    }
    timer_share_switch(&w->phases, WALL_IDLE);
    return NULL;
}

static bool prepare(struct lane_worker *w, struct error *err) {
    const struct pass_over *over = w->over;
    struct problem *problem = &w->lane->problem;
    if (problem->key != problem_key(over->pieces.point, over->options->seed)) {
        if (!problem_open(over->gpu, over->pieces.point, over->options->seed, problem, err)) return false;
    }
    return w->prepared = launch_prepare(over->gpu, over->pieces.point, problem, over->pieces.built, &w->launch, err);
}

// Runs the lanes, the first on this thread. On failure `err` is the error of one of them.
static bool run_lanes(struct lane_worker workers[LANES], struct error *err) {
    for (int i = 1; i < LANES; i++)
        workers[i].started = pthread_create(&workers[i].thread, NULL, work_off, &workers[i]) == 0;
    work_off(&workers[0]);
    for (int i = 1; i < LANES; i++)
        if (workers[i].started) pthread_join(workers[i].thread, NULL);
    for (int i = 0; i < LANES; i++) {
        if (!workers[i].failed) continue;
        *err = workers[i].err;
        return false;
    }
    return true;
}

bool exhaustive_point(struct exhaustive *exhaustive, struct gpu *gpu, const struct run_options *options,
    const struct point *point, const struct built *built, struct phase_timer *phases, struct arena *arena,
    struct record *record, struct error *err) {
    int64_t start = clock_ns(), n = point->dims[0], count = (int64_t)point->inputs_count;
    struct pass_over over = {.exhaustive = exhaustive,
        .gpu = gpu,
        .options = options,
        .pieces = {.point = point,
            .built = built,
            .problem = &exhaustive->lanes[0].problem,
            .seed = options->seed,
            .n = n,
            .count = (count + n - 1) / n}};
    struct lane_worker workers[LANES] = {0};
    shared_timer_open(&over.phases, phases);
    over.pieces.all = memory_alloc((size_t)over.pieces.count, sizeof *over.pieces.all);
    bool ok = true;
    for (int i = 0; ok && i < LANES; i++) {
        workers[i].over = &over;
        workers[i].lane = &exhaustive->lanes[i];
        workers[i].phases = timer_share_start(&over.phases);
        ok = prepare(&workers[i], err);
    }
    ok = ok && run_lanes(workers, err);
    if (ok) {
        exhaustive_sum(&over.pieces, arena, record);
        record->exhaustive.inputs_per_s = (double)count * 1e9 / (double)(clock_ns() - start);
    }
    for (int i = 0; i < LANES; i++) {
        if (workers[i].prepared) launch_release(gpu, &workers[i].launch);
        arena_free(&workers[i].arena);
    }
    free(over.pieces.all);
    shared_timer_close(&over.phases);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
// Runs untimed points by several workers on one device. Each batch belongs to one worker. Points are run again alone if
// other workers may have spoiled their outcome.
#include "../../base/cores.h"
#include "expectations.h"
#include "batches.h"
#include "signals.h"
#include "supervisor.h"
#include "worker_parts.h"

#include "../plan/legal.h"
#include "../../record/terms.h"

#include <string.h>

struct untimed {
    struct supervisor *s;
    struct batches batches;
    bool failed; // no more points are begun
    struct error err;
    // Workers lost in a row to different kernels, the last such kernel, and whether a worker has finished a point
    // since.
    int consecutive_losses;
    const struct kernel *fatal;
    bool finished;
};

static void lock(struct untimed *u) {
    pthread_mutex_lock(&u->s->loop.lock);
}

static void unlock(struct untimed *u) {
    pthread_mutex_unlock(&u->s->loop.lock);
}

// ---- interference

// Returns whether a point must run alone: it needs so much memory that several might not fit, or it measures.
static bool wants_quiet(const struct session *session, const struct point *point, int jobs) {
    struct arena scratch = {0};
    struct trial trial = trial_of(point, session->device, session->options.settings.memory_share / jobs, &scratch);
    bool large = !point->kernel->probe && trial_memory(&trial, &point->shape);
    arena_free(&scratch);
    return large || point->kernel->probe;
}

// Returns whether other workers may have spoiled the outcome: memory ran out, or the device was busy or lost. Notes a
// lost worker.
static bool needs_retry(struct worker_handle *worker, const struct point *point, struct json_object *record) {
    char when[300];
    bool lost = record_json_is(record, RECORD_TIMEOUT) || record_json_is(record, RECORD_DEVICE_LOST);
    snprintf(when, sizeof when, "beside others, at %.200s, which is run again without them", point->name);
    if (lost) worker_note_loss(worker, false, when, json_get_string(record, "reason", ""));
    return lost || record_json_is(record, RECORD_SKIP);
}

// ---- one point

// Returns false if no more points are begun.
static bool begin_point(struct untimed *u, size_t index) {
    struct session_loop *loop = &u->s->loop;
    lock(u);
    bool on = !u->failed && session_goes_on(loop);
    if (on) loop->progress.current = loop->session->plan.points[index].name;
    unlock(u);
    return on;
}

static void fail(struct untimed *u, const struct error *err) {
    if (!u->failed) u->err = *err;
    u->failed = true;
}

// Counts lost workers like worker_count_loss, over all workers. The run fails after three in a row on different
// kernels, without a point finished between them.
static void count_loss(struct untimed *u, const struct point *point, struct json_object *record) {
    struct error err;
    bool crash = record_json_is(record, RECORD_CRASH);
    if (!crash || u->finished)
        u->consecutive_losses = 0;
    else if (point->kernel != u->fatal)
        u->consecutive_losses++;
    u->finished = !crash;
    u->fatal = crash ? point->kernel : NULL;
    if (u->consecutive_losses < MOST_CONSECUTIVE_LOSSES) return;
    error_set(&err, STATUS_FAULT,
        "%d workers in a row were lost before they finished a point; the last: %.150s, %.230s", MOST_CONSECUTIVE_LOSSES,
        point->name, json_get_string(record, "reason", ""));
    fail(u, &err);
}

// `shared`: other workers run on the device, too. Returns false if no worker can be had; beside others this ends only
// its own part.
static bool run_point(struct untimed *u, struct worker_handle *worker, size_t index, bool shared) {
    const struct point *point = &u->s->loop.session->plan.points[index];
    struct json_object *record = NULL;
    struct error err;
    bool ok = worker_ask(worker, MESSAGE_RUN, point, &record, &err);
    if (ok && record && shared && needs_retry(worker, point, record)) {
        json_object_put(record);
        return true;
    }
    if (ok && record) ok = supervisor_try_again(u->s, worker, index, &record, &err);
    lock(u);
    if (record) {
        struct error kept;
        session_did(&u->s->loop, point);
        if (shared) count_loss(u, point, record);
        if (!supervisor_keep(u->s, index, record, &kept)) fail(u, &kept);
    } else if (ok) {
        u->s->loop.interrupted = true;
    }
    if (!ok && !shared) fail(u, &err);
    unlock(u);
    return ok;
}

// ---- all of them

static void work_off(struct untimed *u, struct worker_handle *worker, bool shared) {
    struct batch *own = NULL;
    size_t point;
    bool any;
    do {
        lock(u);
        any = batches_take(&u->batches, &own, &point);
        unlock(u);
    } while (any && begin_point(u, point) && run_point(u, worker, point, shared));
}

static void run_worker(void *user, int job) {
    struct untimed *u = user;
    struct session_loop *loop = &u->s->loop;
    struct worker_handle own = worker_sibling(&loop->worker);
    size_t turn = (size_t)job % (loop->session->sibling_count + 1);
    if (turn) own.device = loop->session->siblings[turn - 1];
    work_off(u, &own, true);
    worker_dismiss(&own, signals_interrupted());
    lock(u);
    worker_join(&loop->worker, &own);
    unlock(u);
}

// Skips points with records. With several workers it also skips the points to be run alone.
static void choose_batches(struct untimed *u, struct arena *arena, int jobs) {
    const struct plan *plan = &u->s->loop.session->plan;
    bool *skip = arena_alloc(arena, plan->count + 1, sizeof *skip);
    for (size_t i = 0; i < plan->count; i++)
        skip[i] = u->s->records[i] || (jobs > 1 && wants_quiet(u->s->loop.session, &plan->points[i], jobs));
    u->batches = batches_make(arena, plan, skip);
    if (jobs > 1) batches_longest_first(&u->batches);
}

static bool skip_refused(struct supervisor *s, struct error *err) {
    const struct plan *plan = &s->loop.session->plan;
    for (size_t i = 0; i < plan->count && session_goes_on(&s->loop); i++)
        if (!s->records[i] && plan->points[i].refused && !supervisor_skip(s, i, plan->points[i].refused, err))
            return false;
    return true;
}

bool run_untimed(struct supervisor *s, struct arena *arena, struct error *err) {
    struct untimed u = {.s = s};
    struct session *session = s->loop.session;
    if (!skip_refused(s, err)) return false;
    choose_batches(&u, arena, session->jobs);
    const size_t workers = batches_workers(&u.batches);
    s->jobs = session->jobs < (int)workers ? session->jobs : (int)workers;
    if (s->jobs > 1) {
        session->options.threads = workers_threads(s->jobs * (session->at_once > 1 ? session->at_once : 1));
        workers_run(s->jobs, run_worker, &u);
        session->options.threads = 0;
    }
    if (s->jobs < 1) s->jobs = 1;
    choose_batches(&u, arena, 1);
    work_off(&u, &s->loop.worker, false);
    if (u.failed) *err = u.err;
    return !u.failed;
}

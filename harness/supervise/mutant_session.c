// SPDX-License-Identifier: Apache-2.0
#include "mutant_session.h"

#include "../base/clock.h"
#include "../base/memory.h"
#include "../base/cores.h"
#include "signals.h"
#include "worker_parts.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LOSSES = 3 };               // of workers on one kernel, before any of its mutants runs
static const double least_start_s = 30; // a driver's first start compiles its own kernels

// The progress of a target.
struct effort {
    struct mutant_target *target;
    bool is_begun, is_listed, is_over;
    size_t next, finished;
    const char **killed; // points that killed a mutant, once for each kill
    size_t killed_count, killed_capacity;
};

struct mutant_workers {
    struct mutant_session *session;
    struct effort *efforts;
    pthread_mutex_t lock;    // guards all this, and the callbacks
    size_t mutants, targets; // done
};

// A thread with its worker.
struct job {
    struct mutant_workers *workers;
    struct worker_handle worker;
    const struct effort *open; // the kernel known to the worker; NULL: none
};

static bool goes_on(void *user) {
    (void)user;
    return !signals_interrupted();
}

static void send(struct job *job, struct json_object *message) {
    double seconds = fmax(job->workers->session->session->point_timeout_s, least_start_s);
    message_send(&job->worker.process, message, clock_ns() + (int64_t)(fmin(seconds, 3e9) * 1e9));
}

static void bury(struct job *job, enum heard heard, double waited_s, const char *said, char why[WORKER_WHY]) {
    worker_reap(&job->worker, heard, waited_s, said, why);
    job->open = NULL;
}

// ---- choosing a kernel's mutants

static bool take_list(struct effort *e, const struct message *answer, struct error *err) {
    struct mutant_target *t = e->target;
    struct json_object *list = json_get(answer->value, "mutants");
    const char *reason = json_get_string(answer->value, "reason", NULL);
    const char *caveat = json_get_string(answer->value, "caveat", NULL);
    size_t count = json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
    if (e->is_listed) return true;
    t->reason = reason ? arena_copy(&t->arena, reason) : NULL;
    t->caveat = caveat ? arena_copy(&t->arena, caveat) : NULL;
    t->mutants = arena_alloc(&t->arena, count + 1, sizeof *t->mutants);
    for (size_t i = 0; i < count; i++)
        if (!mutant_from_json(&t->arena, json_object_array_get_idx(list, i), &t->mutants[i], err)) return false;
    t->mutant_count = count;
    e->is_listed = true;
    return true;
}

static struct json_object *break_message(struct job *job, const struct effort *e) {
    struct mutant_request request = job->workers->session->request;
    request.points = e->target->points;
    request.point_count = e->target->point_count;
    pthread_mutex_lock(&job->workers->lock);
    struct json_object *message = message_break(&request, e->killed, e->killed_count);
    pthread_mutex_unlock(&job->workers->lock);
    return message;
}

// Has the worker choose the mutants of the kernel, unless it did. Returns false if there is no worker or it was lost.
static bool open_kernel(struct job *job, struct effort *e, struct error *err) {
    // Long enough to compile and validate all modules.
    double patience_s = 10 * fmax(job->workers->session->session->point_timeout_s, least_start_s);
    struct message answer = {0};
    char why[WORKER_WHY];
    if (!job->worker.process.pid) job->open = NULL;
    if (job->open == e) return true;
    if (!worker_start(&job->worker, err) || !job->worker.process.pid) return false;
    send(job, break_message(job, e));
    enum heard heard = worker_hear(&job->worker, patience_s, &answer);
    bool listed = heard == HEARD_LINE && message_expect(&answer, MESSAGE_MUTANTS, err);
    if (listed) {
        pthread_mutex_lock(&job->workers->lock);
        listed = take_list(e, &answer, err);
        pthread_mutex_unlock(&job->workers->lock);
    }
    if (listed) {
        job->open = e;
        job->worker.consecutive_losses = 0;
    } else {
        bury(job, heard, patience_s, err->text, why);
        if (heard != HEARD_LINE) error_set(err, STATUS_FAULT, "a worker was lost while it chose mutants: %.300s", why);
    }
    message_release(&answer);
    return listed;
}

// ---- one mutant

static void lose(
    struct job *job, struct mutant_target *t, struct mutant *m, enum heard heard, bool broken, const char *said) {
    char why[WORKER_WHY];
    bury(job, heard, job->workers->session->session->point_timeout_s, said, why);
    if (heard == HEARD_STOPPED) return;
    m->verdict = broken ? MUTANT_KILLED : MUTANT_NOT_RUN;
    if (broken) m->check = heard == HEARD_LATE ? "timeout" : "crash";
    m->reason = arena_format(&t->arena, "%s%s", broken ? "" : "a worker was lost to the unchanged kernel: ", why);
}

// Runs one mutant; each note of the worker renews the deadline. The result replaces the mutant in the list.
static void run_mutant(struct job *job, struct effort *e, size_t index) {
    struct mutant_target *t = e->target;
    struct mutant *out = &t->mutants[index], copy = *out;
    struct message answer = {0};
    struct error err = {0};
    size_t at = 0;
    enum heard heard;
    int64_t began = clock_ns();
    send(job, message_mutant(index));
    do heard = worker_hear(&job->worker, job->workers->session->session->point_timeout_s, &answer);
    while (heard == HEARD_LINE && message_get_note(&answer, 1, &at));
    pthread_mutex_lock(&job->workers->lock);
    const bool told = heard == HEARD_LINE && message_expect(&answer, MESSAGE_VERDICT, &err) &&
                      mutant_from_json(&t->arena, json_get(answer.value, "mutant"), &copy, &err);
    if (!told) {
        copy = *out;
        lose(job, t, &copy, heard, at > 0, err.text);
    }
    copy.seconds = (double)(clock_ns() - began) * 1e-9;
    *out = copy;
    pthread_mutex_unlock(&job->workers->lock);
    if (told && json_get_bool(answer.value, "last", false)) worker_stop(&job->worker);
    message_release(&answer);
}

static void note_done(struct mutant_workers *workers, struct effort *e, const struct mutant *m) {
    struct mutant_target *t = e->target;
    if (m->verdict == MUTANT_KILLED && m->point) {
        e->killed = arena_grow(&t->arena, e->killed, e->killed_count, &e->killed_capacity, sizeof *e->killed);
        e->killed[e->killed_count++] = m->point;
    }
    t->seconds += m->seconds;
    e->finished++;
    workers->mutants += m->verdict != MUTANT_INVALID;
    if (workers->session->progress)
        workers->session->progress(workers->session->user, t, workers->mutants, workers->targets);
}

// ---- sharing the work

static void finish(struct mutant_workers *workers, struct effort *e) {
    if (e->is_over || (!e->target->reason && e->finished < e->target->mutant_count)) return;
    e->is_over = e->target->is_whole = true;
    workers->targets++;
    if (workers->session->done) workers->session->done(workers->session->user, e->target);
}

// Takes the effort's next mutant. Returns false if no mutant is left to begin.
static bool next_mutant(struct mutant_workers *workers, struct effort *e, size_t *index) {
    pthread_mutex_lock(&workers->lock);
    while (e->next < e->target->mutant_count && e->target->mutants[e->next].verdict == MUTANT_INVALID) {
        note_done(workers, e, &e->target->mutants[e->next]);
        e->next++;
    }
    *index = e->next;
    bool any = e->next < e->target->mutant_count && !signals_interrupted();
    if (any) e->next++;
    if (e->is_listed) finish(workers, e);
    pthread_mutex_unlock(&workers->lock);
    return any;
}

static void give_up(struct mutant_workers *workers, struct effort *e, const struct error *err) {
    pthread_mutex_lock(&workers->lock);
    if (!e->is_listed) {
        e->is_listed = true;
        e->target->reason = arena_copy(&e->target->arena, err->text);
        finish(workers, e);
    }
    pthread_mutex_unlock(&workers->lock);
}

static bool open_patiently(struct job *job, struct effort *e) {
    struct error err = {0};
    for (int losses = 0; losses < MOST_LOSSES && !signals_interrupted(); losses++)
        if (open_kernel(job, e, &err)) return true;
    if (!signals_interrupted()) give_up(job->workers, e, &err);
    return false;
}

static void serve(struct job *job, struct effort *e) {
    size_t index;
    int64_t began = clock_ns();
    if (!open_patiently(job, e)) return;
    pthread_mutex_lock(&job->workers->lock);
    e->target->seconds += (double)(clock_ns() - began) * 1e-9;
    pthread_mutex_unlock(&job->workers->lock);
    while (next_mutant(job->workers, e, &index)) {
        if (!open_patiently(job, e)) return;
        run_mutant(job, e, index);
        pthread_mutex_lock(&job->workers->lock);
        if (!signals_interrupted()) note_done(job->workers, e, &e->target->mutants[index]);
        finish(job->workers, e);
        pthread_mutex_unlock(&job->workers->lock);
    }
}

// Picks a kernel not begun yet, else one with enough mutants left to share.
static struct effort *pick(struct mutant_workers *workers) {
    enum { LEAST_SHARED = 4 };
    struct effort *best = NULL;
    pthread_mutex_lock(&workers->lock);
    for (size_t i = 0; !best && i < workers->session->target_count; i++)
        if (!workers->efforts[i].is_begun) best = &workers->efforts[i];
    for (size_t i = 0; !best && i < workers->session->target_count; i++) {
        struct effort *e = &workers->efforts[i];
        if (e->is_listed && !e->is_over && e->next + LEAST_SHARED <= e->target->mutant_count) best = e;
    }
    if (best) best->is_begun = true;
    if (signals_interrupted()) best = NULL;
    pthread_mutex_unlock(&workers->lock);
    return best;
}

static bool any_listing(struct mutant_workers *workers) {
    bool any = false;
    pthread_mutex_lock(&workers->lock);
    for (size_t i = 0; i < workers->session->target_count; i++)
        any |= workers->efforts[i].is_begun && !workers->efforts[i].is_listed;
    pthread_mutex_unlock(&workers->lock);
    return any && !signals_interrupted();
}

static void work(void *user, int index) {
    struct mutant_workers *workers = user;
    struct job job = {.workers = workers, .worker = {.session = workers->session->session, .tick = goes_on}};
    struct effort *e;
    (void)index;
    while ((e = pick(workers)) || any_listing(workers)) {
        if (e)
            serve(&job, e);
        else
            nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    worker_dismiss(&job.worker, signals_interrupted());
    json_object_put(job.worker.losses);
}

bool mutants_supervise(struct mutant_session *session) {
    struct mutant_workers workers = {.session = session, .lock = PTHREAD_MUTEX_INITIALIZER};
    workers.efforts = memory_alloc(session->target_count, sizeof *workers.efforts);
    for (size_t i = 0; i < session->target_count; i++) {
        struct effort *e = &workers.efforts[i];
        e->target = &session->targets[i];
        e->is_begun = e->is_listed = !e->target->point_count;
        if (e->is_listed) finish(&workers, e);
    }
    signals_take(true);
    workers_run(session->jobs, work, &workers);
    bool whole = !signals_interrupted();
    signals_give_back();
    free(workers.efforts);
    return whole;
}

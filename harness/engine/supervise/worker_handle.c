// SPDX-License-Identifier: Apache-2.0
// The process of the current worker: its start, its messages, its end, and what it was lost to.
#include "worker_parts.h"

#include "../../base/clock.h"
#include "../../base/memory.h"
#include "../../record/record.h"
#include "../../record/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double least_startup_s = 30; // a driver's first start compiles its own kernels
static const double death_s = 5; // time to exit, for a worker that closed its pipe: a busy host writes its core slowly
static const double hurried_s = 0.3, unhurried_s = 10; // time to exit, for a dismissed worker

struct lost_prebuild {
    const struct point *point;
    struct json_object *record;
    struct lost_prebuild *next;
};

// Returns a deadline from now. A session's timeout may be any number; about a century is long enough and does not
// overflow.
static int64_t deadline(double seconds) {
    return clock_ns() + (int64_t)(fmin(fmax(seconds, 0), 3e9) * 1e9);
}

void worker_send(
    struct worker_handle *worker, enum message_type type, const struct point *const *points, size_t count) {
    struct json_object *message = points[0]->mutant
                                      ? message_mutant(points[0]->mutant)
                                      : message_points(type, points, count, type == MESSAGE_RUN ? worker->next : NULL);
    message_send(&worker->process, message, deadline(worker->session->point_timeout_s));
}

enum reply worker_receive(struct worker_handle *worker, double seconds, struct message *message) {
    const char *line;
    size_t length;
    message_release(message);
    enum reply reply = process_receive(&worker->process, deadline(seconds), worker->tick, worker->user, &line, &length);
    if (reply == REPLY_LINE) *message = message_read(line, length);
    return reply;
}

// ---- losing a worker

void worker_reap(
    struct worker_handle *worker, enum reply reply, double timeout_s, const char *said, char why[WORKER_WHY]) {
    char how[PROCESS_HOW];
    process_end(&worker->process, reply == REPLY_END ? death_s : 0, how);
    if (reply == REPLY_END)
        snprintf(why, WORKER_WHY, "%s", how);
    else if (reply == REPLY_LATE)
        snprintf(why, WORKER_WHY, "no answer within %g s (--timeout); %s", timeout_s, how);
    else if (reply == REPLY_FLOOD)
        snprintf(why, WORKER_WHY, "an endless answer; %s", how);
    else
        snprintf(why, WORKER_WHY, "%s", said);
}

// Counts only losses to a new kernel: if a kernel is fatal in every shape, this costs its points and not the run.
void worker_count_loss(struct worker_handle *worker, const struct kernel *kernel, const char *why, const char *where) {
    snprintf(worker->last, sizeof worker->last, "%.150s, %.230s", where, why);
    if (worker->productive)
        worker->consecutive_losses = 0;
    else if (!kernel || kernel != worker->fatal)
        worker->consecutive_losses++;
    worker->fatal = kernel;
}

void worker_stop(struct worker_handle *worker) {
    char how[PROCESS_HOW];
    process_end(&worker->process, 0, how);
}

void worker_note_loss(struct worker_handle *worker, bool at_work, const char *when, const char *why) {
    worker->no_culprit |= at_work;
    char text[500];
    snprintf(text, sizeof text, "%s: %.400s", when, why);
    if (!worker->losses) worker->losses = json_object_new_array();
    json_object_array_add(worker->losses, json_text(text));
}

// ---- losses while shaders were built ahead

static struct lost_prebuild **find(struct worker_handle *worker, const struct point *point) {
    struct lost_prebuild **at = &worker->lost;
    while (*at && (*at)->point != point) at = &(*at)->next;
    return at;
}

bool worker_has_lost(struct worker_handle *worker, const struct point *point) {
    return *find(worker, point) != NULL;
}

struct json_object *worker_take_lost(struct worker_handle *worker, const struct point *point) {
    struct lost_prebuild **at = find(worker, point), *one = *at;
    if (!one) return NULL;
    struct json_object *record = one->record;
    *at = one->next;
    free(one);
    return record;
}

static void forget_lost(struct worker_handle *worker) {
    while (worker->lost) json_object_put(worker_take_lost(worker, worker->lost->point));
}

void worker_keep_lost(struct worker_handle *worker, const struct point *point, struct json_object *record) {
    struct lost_prebuild *one = memory_alloc(1, sizeof *one);
    *one = (struct lost_prebuild){point, record, worker->lost};
    worker->lost = one;
}

// Lets the worker end by itself, and notes a bad end.
static void dismiss(struct worker_handle *worker, const char *when, double patience_s) {
    char how[PROCESS_HOW];
    if (!worker->process.pid) return;
    process_end(&worker->process, patience_s, how);
    if (strcmp(how, "exit status 0") != 0) worker_note_loss(worker, false, when, how);
}

void worker_dismiss(struct worker_handle *worker, bool hurried) {
    char how[PROCESS_HOW];
    if (hurried)
        process_end(&worker->process, hurried_s, how);
    else
        dismiss(worker, "while it ended", unhurried_s);
    forget_lost(worker);
}

// ---- several workers

struct worker_handle worker_sibling(const struct worker_handle *worker) {
    return (struct worker_handle){.session = worker->session, .tick = worker->tick, .user = worker->user};
}

void worker_join(struct worker_handle *worker, struct worker_handle *beside) {
    size_t count = beside->losses ? json_object_array_length(beside->losses) : 0;
    if (count && !worker->losses) worker->losses = json_object_new_array();
    for (size_t i = 0; i < count; i++)
        json_object_array_add(worker->losses, json_object_get(json_object_array_get_idx(beside->losses, i)));
    json_object_put(beside->losses);
    beside->losses = NULL;
    worker->no_culprit |= beside->no_culprit;
    worker->start_ns += beside->start_ns;
}

// ---- starting a worker

bool worker_start(struct worker_handle *worker, struct error *err) {
    double timeout_s = fmax(worker->session->point_timeout_s, least_startup_s);
    int64_t began = clock_ns();
    while (!worker->process.pid) {
        struct message answer = {0};
        char why[WORKER_WHY];
        if (worker->consecutive_losses >= MOST_CONSECUTIVE_LOSSES)
            return error_set(err, STATUS_FAULT,
                "%d workers in a row were lost before they finished a point; the last: %s", MOST_CONSECUTIVE_LOSSES,
                worker->last);
        if (!process_start(worker->session->program, &worker->process, err)) return false;
        worker->productive = false;
        worker->prefilled = 0;
        // A failure to send shows in the answer.
        message_send(&worker->process, message_open(worker->session, worker->device), deadline(timeout_s));
        enum reply reply = worker_receive(worker, timeout_s, &answer);
        bool ready = reply == REPLY_LINE && message_expect(&answer, MESSAGE_READY, err);
        message_release(&answer);
        if (reply == REPLY_STOPPED) worker_stop(worker);
        if (ready || reply == REPLY_STOPPED) break;
        worker_reap(worker, reply, timeout_s, err->text, why);
        worker_note_loss(worker, false, "while it started", why);
        worker_count_loss(worker, NULL, why, "while it started");
    }
    worker->start_ns += clock_ns() - began;
    return true;
}

bool worker_ready(struct worker_handle *worker, struct error *err) {
    // If it ended or spoke after its last answer, the next point is not to blame.
    if (worker->process.pid && !process_quiet(&worker->process)) dismiss(worker, "between two points", death_s);
    return worker_start(worker, err);
}

// ---- records

struct json_object *stand_in(const struct session *session, const struct point *point, enum record_status status,
    const char *reason, const struct refusal *refusal) {
    struct arena scratch = {0};
    struct record record;
    runner_describe(point, &session->options, &scratch, &record);
    record.status = status;
    record.reason = reason;
    if (refusal) record_refuse(&scratch, &record, refusal);
    struct json_object *json = record_to_json(&record, false);
    arena_free(&scratch);
    return json;
}

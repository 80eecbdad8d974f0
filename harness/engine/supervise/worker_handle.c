// SPDX-License-Identifier: Apache-2.0
#include "worker_parts.h"

#include "../../base/clock.h"
#include "../../base/fields.h"
#include "../../record/record.h"
#include "../../record/terms.h"

#include <math.h>
#include <string.h>

static const double least_startup_s = 30; // a driver's first start compiles its own kernels
static const double death_s = 5; // time to exit, for a worker that closed its pipe: a busy host writes its core slowly
static const double hurried_s = 0.3, unhurried_s = 10; // time to exit, for a dismissed worker

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
    prebuild_forget(worker);
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

// Updates the loss counts from a record, and stops the worker if its device is lost or its driver failed.
static void note_record(struct worker_handle *worker, const struct point *point, struct json_object *record) {
    bool lost = record_json_is(record, RECORD_DEVICE_LOST) || record_json_is(record, RECORD_TIMEOUT);
    bool failed = record_json_is(record, RECORD_ERROR) && json_get_string(record, "call", NULL);
    if (failed || lost) worker_stop(worker);
    if (lost) {
        worker_count_loss(worker, point->kernel, json_get_string(record, "reason", ""), point->name);
        return;
    }
    worker->productive = true;
    worker->consecutive_losses = 0;
    worker->fatal = NULL;
}

// ---- requests

// A request about points, and the answers so far.
struct worker_exchange {
    const struct point *const *points;
    size_t count;
    struct json_object **records;
    size_t done; // records so far
    size_t at;   // the point named by the last "at"; `count`: none, or all
    struct message message;
};

// Waits for the next record, or any other answer. Each note renews the time limit of one point. For work on all
// points the limit is multiplied by their number.
static enum reply receive(struct worker_handle *worker, struct worker_exchange *e) {
    double timeout_s = worker->session->point_timeout_s;
    for (;;) {
        double patience_s = e->at == e->count && e->done == 0 ? timeout_s * (double)e->count : timeout_s;
        enum reply reply = worker_receive(worker, patience_s, &e->message);
        if (reply != REPLY_LINE || !message_get_note(&e->message, e->count, &e->at)) return reply;
    }
}

// Takes a record of a point without one: the next point, or the culprit of a lost device.
static bool take_record(struct worker_handle *worker, struct worker_exchange *e, struct error *said) {
    size_t i = 0;
    while (i < e->count && (e->records[i] || strcmp(e->points[i]->name, message_get_name(&e->message)) != 0)) i++;
    struct json_object *record = message_get_record(&e->message, e->points[i < e->count ? i : 0]->name, said);
    if (i == e->count) {
        json_object_put(record);
        return false;
    }
    e->records[i] = record;
    e->done += record != NULL;
    if (record) note_record(worker, e->points[i], record);
    return record;
}

static void lose(struct worker_handle *worker, struct worker_exchange *e, enum reply reply, const char *said) {
    char why[WORKER_WHY];
    size_t culprit = e->count == 1 ? 0 : e->at;
    if (e->done) // records come in the points' order: the culprit is the next one
        for (culprit = 0; e->records[culprit];) culprit++;
    worker_reap(worker, reply, worker->session->point_timeout_s, said, why);
    if (culprit == e->count) { // any point may be the culprit: each is tried alone
        worker_note_loss(worker, true, "while a group was timed", why);
        return;
    }
    const struct point *point = e->points[culprit];
    worker_count_loss(worker, point->kernel, why, point->name);
    const bool sound = point->mutant && e->at == 0; // then the mutant is not to blame
    char reason[WORKER_WHY + 50];
    snprintf(reason, sizeof reason, "%s%s", sound ? "a worker was lost to the unchanged kernel: " : "", why);
    json_object_put(e->records[culprit]);
    e->records[culprit] = stand_in(worker->session, point,
        sound                 ? RECORD_ERROR
        : reply == REPLY_LATE ? RECORD_TIMEOUT
                              : RECORD_CRASH,
        reason, NULL);
}

// Returns true if the tick stopped it.
static bool ask(struct worker_handle *worker, enum message_type type, const struct point *const *points, size_t count,
    struct json_object **records) {
    struct worker_exchange e = {.points = points, .count = count, .records = records, .at = count};
    enum reply reply = REPLY_LINE;
    worker_send(worker, type, points, count);
    while (reply == REPLY_LINE && e.done < count && worker->process.pid) {
        struct error said = {0};
        reply = receive(worker, &e);
        if (reply == REPLY_STOPPED)
            worker_stop(worker);
        else if (reply != REPLY_LINE || !take_record(worker, &e, &said))
            lose(worker, &e, reply, said.text);
    }
    message_release(&e.message);
    return reply == REPLY_STOPPED;
}

// Makes a worker ready for a request. True without a worker: the tick stopped its start.
static bool ready(struct worker_handle *worker, struct error *err) {
    // If it ended or spoke after its last answer, the next point is not to blame.
    if (worker->process.pid && !process_quiet(&worker->process)) dismiss(worker, "between two points", death_s);
    return worker_start(worker, err);
}

bool worker_prefill(struct worker_handle *worker, size_t first, size_t end, struct error *err) {
    if (!ready(worker, err)) return false;
    return !worker->process.pid || prebuild_build(worker, first, end) || worker_start(worker, err);
}

bool worker_ask(struct worker_handle *worker, enum message_type type, const struct point *point,
    struct json_object **record, struct error *err) {
    *record = prebuild_take(worker, point);
    if (*record) return true;
    if (!ready(worker, err)) return false;
    if (worker->process.pid) ask(worker, type, &point, 1, record);
    return true;
}

// Takes the records of losses while building ahead. Returns true if there were any; the other points then form no
// whole group.
static bool take_lost(
    struct worker_handle *worker, const struct point *const *points, size_t count, struct json_object **records) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        records[i] = prebuild_take(worker, points[i]);
        any |= records[i] != NULL;
    }
    return any;
}

bool worker_run(struct worker_handle *worker, const size_t *indices, size_t count, struct json_object **records,
    bool *stopped, struct error *err) {
    const struct plan *plan = &worker->session->plan;
    const struct point *points[RUNNER_GROUP];
    *stopped = false;
    for (size_t i = 0; i < count; i++) points[i] = &plan->points[indices[i]];
    if (take_lost(worker, points, count, records)) return true;
    if (!worker_prefill(worker, indices[0], plan->count, err)) return false;
    *stopped = !worker->process.pid;
    if (*stopped || take_lost(worker, points, count, records)) return true;
    const size_t last = indices[count - 1];
    size_t next = last + 1; // of another problem and not refused
    while (next < plan->count &&
           (plan->points[next].refused || runner_same_problem(&plan->points[last], &plan->points[next])))
        next++;
    worker->next = next < plan->count ? &plan->points[next] : NULL;
    *stopped = ask(worker, MESSAGE_RUN, points, count, records);
    worker->next = NULL;
    return true;
}

bool worker_run_pair(struct worker_handle *worker, const struct version_pair *pair, struct json_object *records[2],
    bool *stopped, struct error *err) {
    static const enum message_type alone[] = {MESSAGE_BASE, MESSAGE_HEAD};
    const bool no_culprit = worker->no_culprit;
    records[0] = records[1] = NULL;
    if (!ready(worker, err)) return false;
    *stopped = !worker->process.pid;
    if (!*stopped && pair->sides[0] && pair->sides[1]) *stopped = ask(worker, MESSAGE_PAIR, pair->sides, 2, records);
    for (int i = 0; !*stopped && i < 2; i++) {
        if (!pair->sides[i] || records[i]) continue;
        if (!worker_ask(worker, alone[i], pair->sides[i], &records[i], err)) return false;
        *stopped = !records[i];
        if (records[i] && !record_json_is(records[i], RECORD_PASS))
            worker->no_culprit = no_culprit; // the culprit is found
    }
    return true;
}

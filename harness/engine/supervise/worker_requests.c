// SPDX-License-Identifier: Apache-2.0
// Asks the current worker to run points, and blames lost workers on points.
#include "worker_parts.h"

#include "../../base/fields.h"
#include "../../record/record.h"
#include "../../record/terms.h"

#include <string.h>

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

bool worker_prefill(struct worker_handle *worker, size_t first, size_t end, struct error *err) {
    if (!worker_ready(worker, err)) return false;
    return !worker->process.pid || prebuild_build(worker, first, end) || worker_start(worker, err);
}

bool worker_ask(struct worker_handle *worker, enum message_type type, const struct point *point,
    struct json_object **record, struct error *err) {
    *record = worker_take_lost(worker, point);
    if (*record) return true;
    if (!worker_ready(worker, err)) return false;
    if (worker->process.pid) ask(worker, type, &point, 1, record);
    return true;
}

// Takes the records of losses while building ahead. Returns true if there were any; the other points then form no
// whole group.
static bool take_lost(
    struct worker_handle *worker, const struct point *const *points, size_t count, struct json_object **records) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        records[i] = worker_take_lost(worker, points[i]);
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
    if (!worker_ready(worker, err)) return false;
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

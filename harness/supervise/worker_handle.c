// SPDX-License-Identifier: Apache-2.0
#include "crew_parts.h"

#include "../base/clock.h"
#include "../record/fields.h"
#include "stand_in.h"

#include <math.h>
#include <string.h>

enum { MOST_FRUITLESS = 3 };
static const double least_startup_s = 30;              // a driver's first start compiles its own kernels
static const double death_s = 1;                       // for one that closed its pipe to be dead
static const double hurried_s = 0.3, unhurried_s = 10; // for one to end that is needed no more

// A session's timeout may be anything; a century is long enough and does not overflow.
int64_t worker_deadline(double seconds) {
    return clock_ns() + (int64_t)(fmin(fmax(seconds, 0), 3e9) * 1e9);
}

// ---- losing a worker

void worker_bury(
    struct worker_handle *worker, enum heard heard, double timeout_s, const char *said, char *why, size_t size) {
    char how[PROCESS_HOW];
    process_end(&worker->process, heard == HEARD_END ? death_s : 0, how);
    if (heard == HEARD_END)
        snprintf(why, size, "%s", how);
    else if (heard == HEARD_LATE)
        snprintf(why, size, "no answer within %g s; %s", timeout_s, how);
    else if (heard == HEARD_FLOOD)
        snprintf(why, size, "an answer without end; %s", how);
    else
        snprintf(why, size, "%s", said);
}

// A kernel that is fatal in every shape costs its points, not the run: only a loss to something new
// counts.
void worker_count_loss(struct worker_handle *worker, const struct kernel *kernel, const char *why, const char *where) {
    snprintf(worker->last, sizeof worker->last, "%.150s, %.230s", where, why);
    if (worker->productive)
        worker->fruitless = 0;
    else if (!kernel || kernel != worker->fatal)
        worker->fruitless++;
    worker->fatal = kernel;
}

void worker_stop(struct worker_handle *worker) {
    char how[PROCESS_HOW];
    process_end(&worker->process, 0, how);
}

void worker_note_loss(struct worker_handle *worker, bool at_work, const char *when, const char *why) {
    worker->unblamed |= at_work;
    char text[500];
    snprintf(text, sizeof text, "%s: %.400s", when, why);
    if (!worker->losses) worker->losses = json_object_new_array();
    json_object_array_add(worker->losses, json_text(text));
}

// Lets it end by itself; one that ends badly leaves a note.
static void lay_off(struct worker_handle *worker, const char *when, double patience_s) {
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
        lay_off(worker, "while it ended", unhurried_s);
    ahead_forget(worker);
}

// ---- starting one

bool worker_start(struct worker_handle *worker, struct error *err) {
    const struct session *session = worker->session;
    double timeout_s = fmax(session->point_timeout_s, least_startup_s);
    int64_t began = clock_ns();
    while (!worker->process.pid) {
        const char *line;
        size_t length;
        char why[sizeof err->text];
        if (worker->fruitless >= MOST_FRUITLESS)
            return error_set(err, STATUS_FAULT,
                "%d workers in a row were lost before they finished a point; the last: %s", MOST_FRUITLESS,
                worker->last);
        if (!process_start(session->program, &worker->process, err)) return false;
        worker->productive = false;
        int64_t deadline = worker_deadline(timeout_s);
        // That it was not sent shows in the answer.
        message_send(&worker->process, message_configuration(session), deadline);
        enum heard heard = process_hear(&worker->process, deadline, worker->tick, worker->user, &line, &length);
        if (heard == HEARD_LINE && answer_ready(line, length, err)) {
            worker->prefilled = 0;
            break;
        }
        if (heard == HEARD_STOPPED) {
            worker_stop(worker);
            break;
        }
        worker_bury(worker, heard, timeout_s, err->text, why, sizeof why);
        worker_note_loss(worker, false, "while it started", why);
        worker_count_loss(worker, NULL, why, "while it started");
    }
    worker->start_ns += clock_ns() - began;
    return true;
}

// ---- a point

static bool has_status(struct json_object *record, enum record_status status) {
    return strcmp(json_get_string(record, "status", ""), record_status_name(status)) == 0;
}

// After these a worker holds its device no more.
static bool is_lost(struct json_object *record) {
    return has_status(record, RECORD_DEVICE_LOST) || has_status(record, RECORD_TIMEOUT);
}

static void settle(struct worker_handle *worker, const struct point *point, struct json_object *record) {
    bool failed = has_status(record, RECORD_ERROR) && json_get_string(record, "call", NULL);
    if (failed || is_lost(record)) worker_stop(worker);
    if (is_lost(record)) {
        worker_count_loss(worker, point->kernel, json_get_string(record, "reason", ""), point->name);
        return;
    }
    worker->productive = true;
    worker->fruitless = 0;
    worker->fatal = NULL;
}

// A worker that is ready to hear. True without one: the tick stopped its start.
static bool ready(struct worker_handle *worker, struct error *err) {
    // One that ended or spoke after its last answer: the next point is not to be blamed.
    if (worker->process.pid && !process_quiet(&worker->process)) lay_off(worker, "between two points", death_s);
    return worker_start(worker, err);
}

static bool ask(struct worker_handle *worker, const struct point *point, enum way way, struct json_object **record,
    struct error *err) {
    const struct session *session = worker->session;
    const char *line;
    size_t length;
    struct error said = {0};
    int64_t deadline = worker_deadline(session->point_timeout_s);
    message_send(&worker->process, message_point(point, way), deadline);
    enum heard heard = process_hear(&worker->process, deadline, worker->tick, worker->user, &line, &length);
    if (heard == HEARD_STOPPED) {
        worker_stop(worker);
        return true;
    }
    if (heard == HEARD_LINE) *record = answer_record(line, length, point->name, &said);
    if (*record) {
        settle(worker, point, *record);
        return true;
    }
    char why[sizeof said.text];
    worker_bury(worker, heard, session->point_timeout_s, said.text, why, sizeof why);
    worker_count_loss(worker, point->kernel, why, point->name);
    *record = stand_in(session, point, heard == HEARD_LATE ? RECORD_TIMEOUT : RECORD_CRASH, why);
    return *record || error_set(err, STATUS_FAULT, "out of memory for a record");
}

bool worker_prefill(struct worker_handle *worker, size_t first, size_t end, struct error *err) {
    if (!ready(worker, err)) return false;
    return !worker->process.pid || ahead_build(worker, first, end) || worker_start(worker, err);
}

bool worker_run_again(struct worker_handle *worker, size_t index, struct json_object **record, struct error *err) {
    const struct plan *plan = &worker->session->plan;
    *record = NULL;
    if (!ready(worker, err)) return false;
    return !worker->process.pid || ask(worker, &plan->points[index], WAY_FULL, record, err);
}

bool worker_run(struct worker_handle *worker, size_t index, struct json_object **record, struct error *err) {
    const struct plan *plan = &worker->session->plan;
    *record = ahead_take(worker, &plan->points[index]);
    if (*record) return true;
    if (!worker_prefill(worker, index, plan->count, err)) return false;
    *record = ahead_take(worker, &plan->points[index]);
    return *record || worker_run_again(worker, index, record, err);
}

bool worker_ask(struct worker_handle *worker, const struct point *point, enum way way, struct json_object **record,
    struct error *err) {
    *record = ahead_take(worker, point);
    return *record || (ready(worker, err) && (!worker->process.pid || ask(worker, point, way, record, err)));
}

// ---- a group

struct hearing {
    const size_t *points;
    size_t count;
    size_t done; // records so far
    size_t at;   // what it said last that it is at; `count`: none of them, or all
    const char *line;
    size_t length;
};

// Hears the next record or what there is instead; each sign of life gives it a point's time again, and all of theirs
// for what it does to all.
static enum heard hear(struct worker_handle *worker, struct hearing *h) {
    double timeout_s = worker->session->point_timeout_s;
    for (;;) {
        double patience_s = h->at == h->count && h->done == 0 ? timeout_s * (double)h->count : timeout_s;
        enum heard heard = process_hear(
            &worker->process, worker_deadline(patience_s), worker->tick, worker->user, &h->line, &h->length);
        enum note note;
        if (heard != HEARD_LINE || !answer_note(h->line, h->length, h->count, &note, &h->at)) return heard;
    }
}

// The point of the group that a record is of: the next one, or the one that the device was lost to.
static size_t whose(const struct worker_handle *worker, const struct hearing *h) {
    struct json_object *value = json_parse(h->line, h->length);
    const char *name = json_get_string(value, "name", "");
    size_t i = 0;
    while (i < h->count && strcmp(worker->session->plan.points[h->points[i]].name, name) != 0) i++;
    json_object_put(value);
    return i;
}

static bool lose(struct worker_handle *worker, struct hearing *h, enum heard heard, const char *said,
    struct json_object **records, struct error *err) {
    char why[sizeof err->text];
    const struct point *point = &worker->session->plan.points[h->points[h->at < h->count ? h->at : 0]];
    worker_bury(worker, heard, worker->session->point_timeout_s, said, why, sizeof why);
    if (h->at == h->count) { // it may have been any: they are tried alone
        worker_note_loss(worker, true, "while a group was timed", why);
        return true;
    }
    worker_count_loss(worker, point->kernel, why, point->name);
    records[h->at] = stand_in(worker->session, point, heard == HEARD_LATE ? RECORD_TIMEOUT : RECORD_CRASH, why);
    return records[h->at] || error_set(err, STATUS_FAULT, "out of memory for a record");
}

// Those of the points that a worker was lost to ahead. True: there were some, and the others are no whole group any
// more.
static bool take_lost(struct worker_handle *worker, const size_t *points, size_t count, struct json_object **records) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        records[i] = ahead_take(worker, &worker->session->plan.points[points[i]]);
        any |= records[i] != NULL;
    }
    return any;
}

bool worker_run_group(struct worker_handle *worker, const size_t *points, size_t count, struct json_object **records,
    bool *stopped, struct error *err) {
    const struct session *session = worker->session;
    struct hearing h = {.points = points, .count = count, .at = count};
    *stopped = false;
    for (size_t i = 0; i < count; i++) records[i] = NULL;
    if (!worker_prefill(worker, points[0], session->plan.count, err)) return false;
    *stopped = !worker->process.pid;
    if (*stopped || take_lost(worker, points, count, records)) return true;
    message_send(
        &worker->process, message_group(&session->plan, points, count), worker_deadline(session->point_timeout_s));
    while (h.done < count && worker->process.pid) {
        struct error said = {0};
        enum heard heard = hear(worker, &h);
        if (heard == HEARD_STOPPED) {
            worker_stop(worker);
            return *stopped = true;
        }
        size_t i = heard == HEARD_LINE ? whose(worker, &h) : count;
        const struct point *point = &session->plan.points[points[i < count ? i : 0]];
        struct json_object *record = heard == HEARD_LINE ? answer_record(h.line, h.length, point->name, &said) : NULL;
        if (!record || records[i]) {
            json_object_put(record);
            return lose(worker, &h, heard, said.text, records, err);
        }
        records[i] = record;
        h.done++;
        settle(worker, point, record);
    }
    return true;
}

// SPDX-License-Identifier: Apache-2.0
#include "crew_parts.h"

#include "../base/clock.h"
#include "../record/fields.h"
#include "stand_in.h"

#include <math.h>
#include <string.h>

enum { MOST_FRUITLESS = 3 };
static const double least_startup_s = 30; // a driver's first start compiles its own kernels
static const double death_s = 1;          // for one that closed its pipe to be dead
static const double hurried_s = 0.3, unhurried_s = 10; // for one to end that is needed no more

// A session's timeout may be anything; a century is long enough and does not overflow.
int64_t crew_deadline(double seconds) {
    return clock_ns() + (int64_t)(fmin(fmax(seconds, 0), 3e9) * 1e9);
}

// ---- losing a worker

void crew_bury(struct crew *crew, enum heard heard, double timeout_s, const char *said, char *why, size_t size) {
    char how[PROCESS_HOW];
    process_end(&crew->worker, heard == HEARD_END ? death_s : 0, how);
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
void crew_count_loss(struct crew *crew, const struct kernel *kernel, const char *why, const char *where) {
    snprintf(crew->last, sizeof crew->last, "%.150s, %.230s", where, why);
    if (crew->productive)
        crew->fruitless = 0;
    else if (!kernel || kernel != crew->fatal)
        crew->fruitless++;
    crew->fatal = kernel;
}

void crew_stop(struct crew *crew) {
    char how[PROCESS_HOW];
    process_end(&crew->worker, 0, how);
}

void crew_note_loss(struct crew *crew, bool at_work, const char *when, const char *why) {
    crew->unblamed |= at_work;
    char text[500];
    snprintf(text, sizeof text, "%s: %.400s", when, why);
    if (!crew->losses) crew->losses = json_object_new_array();
    json_object_array_add(crew->losses, json_text(text));
}

// Lets it end by itself; one that ends badly leaves a note.
static void lay_off(struct crew *crew, const char *when, double patience_s) {
    char how[PROCESS_HOW];
    if (!crew->worker.pid) return;
    process_end(&crew->worker, patience_s, how);
    if (strcmp(how, "exit status 0") != 0) crew_note_loss(crew, false, when, how);
}

void crew_dismiss(struct crew *crew, bool hurried) {
    char how[PROCESS_HOW];
    if (hurried)
        process_end(&crew->worker, hurried_s, how);
    else
        lay_off(crew, "while it ended", unhurried_s);
    ahead_forget(crew);
}

// ---- starting one

bool crew_start(struct crew *crew, struct error *err) {
    const struct session *session = crew->session;
    double timeout_s = fmax(session->point_timeout_s, least_startup_s);
    int64_t began = clock_ns();
    while (!crew->worker.pid) {
        const char *line;
        size_t length;
        char why[sizeof err->text];
        if (crew->fruitless >= MOST_FRUITLESS)
            return error_set(err, STATUS_FAULT,
                "%d workers in a row were lost before they finished a point; the last: %s",
                MOST_FRUITLESS, crew->last);
        if (!process_start(session->program, &crew->worker, err)) return false;
        crew->productive = false;
        int64_t deadline = crew_deadline(timeout_s);
        // That it was not sent shows in the answer.
        message_send(&crew->worker, message_configuration(session), deadline);
        enum heard heard =
            process_hear(&crew->worker, deadline, crew->tick, crew->user, &line, &length);
        if (heard == HEARD_LINE && answer_ready(line, length, err)) {
            crew->prefilled = 0;
            break;
        }
        if (heard == HEARD_STOPPED) {
            crew_stop(crew);
            break;
        }
        crew_bury(crew, heard, timeout_s, err->text, why, sizeof why);
        crew_note_loss(crew, false, "while it started", why);
        crew_count_loss(crew, NULL, why, "while it started");
    }
    crew->start_ns += clock_ns() - began;
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

static void settle(struct crew *crew, const struct point *point, struct json_object *record) {
    bool failed = has_status(record, RECORD_ERROR) && json_get_string(record, "call", NULL);
    if (failed || is_lost(record)) crew_stop(crew);
    if (is_lost(record)) {
        crew_count_loss(crew, point->kernel, json_get_string(record, "reason", ""), point->name);
        return;
    }
    crew->productive = true;
    crew->fruitless = 0;
    crew->fatal = NULL;
}

// A worker that is ready to hear. True without one: the tick stopped its start.
static bool ready(struct crew *crew, struct error *err) {
    // One that ended or spoke after its last answer: the next point is not to be blamed.
    if (crew->worker.pid && !process_quiet(&crew->worker)) lay_off(crew, "between two points", death_s);
    return crew_start(crew, err);
}

static bool ask(struct crew *crew, const struct point *point, const char *peak, enum way way,
    struct json_object **record, struct error *err) {
    const struct session *session = crew->session;
    const char *line;
    size_t length;
    struct error said = {0};
    int64_t deadline = crew_deadline(session->point_timeout_s);
    message_send(&crew->worker, message_point(point->name, peak, way), deadline);
    enum heard heard =
        process_hear(&crew->worker, deadline, crew->tick, crew->user, &line, &length);
    if (heard == HEARD_STOPPED) {
        crew_stop(crew);
        return true;
    }
    if (heard == HEARD_LINE) *record = answer_record(line, length, point->name, &said);
    if (*record) {
        settle(crew, point, *record);
        return true;
    }
    char why[sizeof said.text];
    crew_bury(crew, heard, session->point_timeout_s, said.text, why, sizeof why);
    crew_count_loss(crew, point->kernel, why, point->name);
    *record = stand_in(session, point, peak, heard == HEARD_LATE ? RECORD_TIMEOUT : RECORD_CRASH, why);
    return *record || error_set(err, STATUS_FAULT, "out of memory for a record");
}

bool crew_prefill(struct crew *crew, size_t first, size_t end, struct error *err) {
    if (!ready(crew, err)) return false;
    return !crew->worker.pid || ahead_build(crew, first, end) || crew_start(crew, err);
}

bool crew_run_again(struct crew *crew, size_t index, struct json_object **record, struct error *err) {
    const struct plan *plan = &crew->session->plan;
    *record = NULL;
    if (!ready(crew, err)) return false;
    return !crew->worker.pid || ask(crew, &plan->points[index], plan->peaks[index], WAY_FULL, record, err);
}

bool crew_run(struct crew *crew, size_t index, struct json_object **record, struct error *err) {
    const struct plan *plan = &crew->session->plan;
    *record = ahead_take(crew, &plan->points[index]);
    if (*record) return true;
    if (!crew_prefill(crew, index, plan->count, err)) return false;
    *record = ahead_take(crew, &plan->points[index]);
    return *record || crew_run_again(crew, index, record, err);
}

bool crew_ask(struct crew *crew, const struct point *point, enum way way,
    struct json_object **record, struct error *err) {
    *record = ahead_take(crew, point);
    return *record || (ready(crew, err) && (!crew->worker.pid || ask(crew, point, NULL, way, record, err)));
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

// Hears the next record or what there is instead; each sign of life gives it a point's time again, and all of theirs for
// what it does to all.
static enum heard hear(struct crew *crew, struct hearing *h) {
    double timeout_s = crew->session->point_timeout_s;
    for (;;) {
        double patience_s = h->at == h->count && h->done == 0 ? timeout_s * (double)h->count : timeout_s;
        enum heard heard =
            process_hear(&crew->worker, crew_deadline(patience_s), crew->tick, crew->user, &h->line, &h->length);
        enum note note;
        if (heard != HEARD_LINE || !answer_note(h->line, h->length, h->count, &note, &h->at)) return heard;
    }
}

// The point of the group that a record is of: the next one, or the one that the device was lost to.
static size_t whose(const struct crew *crew, const struct hearing *h) {
    struct json_object *value = json_parse(h->line, h->length);
    const char *name = json_get_string(value, "name", "");
    size_t i = 0;
    while (i < h->count && strcmp(crew->session->plan.points[h->points[i]].name, name) != 0) i++;
    json_object_put(value);
    return i;
}

static bool lose(struct crew *crew, struct hearing *h, enum heard heard, const char *said,
    struct json_object **records, struct error *err) {
    char why[sizeof err->text];
    const struct point *point = &crew->session->plan.points[h->points[h->at < h->count ? h->at : 0]];
    crew_bury(crew, heard, crew->session->point_timeout_s, said, why, sizeof why);
    if (h->at == h->count) { // it may have been any: they are tried alone
        crew_note_loss(crew, true, "while a group was timed", why);
        return true;
    }
    crew_count_loss(crew, point->kernel, why, point->name);
    records[h->at] = stand_in(crew->session, point, crew->session->plan.peaks[h->points[h->at]], heard == HEARD_LATE ? RECORD_TIMEOUT : RECORD_CRASH, why);
    return records[h->at] || error_set(err, STATUS_FAULT, "out of memory for a record");
}

// Those of the points that a worker was lost to ahead. True: there were some, and the others are no whole group any
// more.
static bool take_lost(struct crew *crew, const size_t *points, size_t count, struct json_object **records) {
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        records[i] = ahead_take(crew, &crew->session->plan.points[points[i]]);
        any |= records[i] != NULL;
    }
    return any;
}

bool crew_run_group(struct crew *crew, const size_t *points, size_t count, struct json_object **records,
    bool *stopped, struct error *err) {
    const struct session *session = crew->session;
    struct hearing h = {.points = points, .count = count, .at = count};
    *stopped = false;
    for (size_t i = 0; i < count; i++) records[i] = NULL;
    if (!crew_prefill(crew, points[0], session->plan.count, err)) return false;
    *stopped = !crew->worker.pid;
    if (*stopped || take_lost(crew, points, count, records)) return true;
    message_send(&crew->worker, message_group(&session->plan, points, count), crew_deadline(session->point_timeout_s));
    while (h.done < count && crew->worker.pid) {
        struct error said = {0};
        enum heard heard = hear(crew, &h);
        if (heard == HEARD_STOPPED) {
            crew_stop(crew);
            return *stopped = true;
        }
        size_t i = heard == HEARD_LINE ? whose(crew, &h) : count;
        const struct point *point = &session->plan.points[points[i < count ? i : 0]];
        struct json_object *record =
            heard == HEARD_LINE ? answer_record(h.line, h.length, point->name, &said) : NULL;
        if (!record || records[i]) {
            json_object_put(record);
            return lose(crew, &h, heard, said.text, records, err);
        }
        records[i] = record;
        h.done++;
        settle(crew, point, record);
    }
    return true;
}

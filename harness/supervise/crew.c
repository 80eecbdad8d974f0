// SPDX-License-Identifier: Apache-2.0
#include "crew.h"

#include "../base/clock.h"
#include "stand_in.h"

#include <math.h>
#include <string.h>

enum { MOST_FRUITLESS = 3 };
static const double least_startup_s = 30; // a driver's first start compiles its own kernels
static const double death_s = 1;          // for one that closed its pipe to be dead

// A session's timeout may be anything; a century is long enough and does not overflow.
static int64_t deadline_after(double seconds) {
    return clock_ns() + (int64_t)(fmin(fmax(seconds, 0), 3e9) * 1e9);
}

// ---- losing a worker

// Ends a worker that gave no usable answer. `why` says what it did: in `said` when it answered with
// something else.
static void bury(struct crew *crew, enum heard heard, double timeout_s, const char *said, char *why,
    size_t size) {
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
static void count_loss(
    struct crew *crew, const struct kernel *kernel, const char *why, const char *where) {
    snprintf(crew->last, sizeof crew->last, "%.150s, %.230s", where, why);
    if (crew->productive)
        crew->fruitless = 0;
    else if (!kernel || kernel != crew->fatal)
        crew->fruitless++;
    crew->fatal = kernel;
}

static void stop(struct crew *crew) {
    char how[PROCESS_HOW];
    process_end(&crew->worker, 0, how);
}

void crew_dismiss(struct crew *crew, double patience_s) {
    char how[PROCESS_HOW];
    process_end(&crew->worker, patience_s, how);
}

// ---- starting one

// True without a worker: the tick stopped it.
static bool start(struct crew *crew, struct error *err) {
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
        int64_t deadline = deadline_after(timeout_s);
        // That it was not sent shows in the answer.
        message_send(&crew->worker, message_configuration(session), deadline);
        enum heard heard =
            process_hear(&crew->worker, deadline, crew->tick, crew->user, &line, &length);
        if (heard == HEARD_LINE && answer_ready(line, length, err)) {
            crew->prefilled = 0;
            break;
        }
        if (heard == HEARD_STOPPED) {
            stop(crew);
            break;
        }
        bury(crew, heard, timeout_s, err->text, why, sizeof why);
        count_loss(crew, NULL, why, "while it started");
    }
    crew->start_ns += clock_ns() - began;
    return true;
}

// ---- shaders ahead of time

static const double prefill_point_s = 1; // for each, on top of a point's timeout

// The names of the next points that can run. None when fewer than two can: they gain nothing.
static size_t coming(const struct plan *plan, size_t from, size_t end, const char **names, size_t *to) {
    size_t count = 0;
    for (*to = from; *to < end && count < RUNNER_PREFILL; ++*to)
        if (!plan->points[*to].refused) names[count++] = plan->points[*to].name;
    return count > 1 ? count : 0;
}

// Has the worker build the shaders of the points from `index` on, before any is timed: it then costs no noise, and the
// loss of a worker to one of them costs no point. Afterwards there may be no worker.
static void prefill(struct crew *crew, size_t index, size_t end) {
    const struct session *session = crew->session;
    const char *names[RUNNER_PREFILL], *line;
    size_t to, length, count = coming(&session->plan, index, end, names, &to);
    struct error said;
    if (crew->one_by_one || index < crew->prefilled || session->options.validate) return;
    crew->prefilled = to;
    if (!count) return;
    int64_t start = clock_ns();
    double timeout_s = session->point_timeout_s + (double)count * prefill_point_s;
    int64_t deadline = deadline_after(timeout_s);
    message_send(&crew->worker, message_prefill(names, count), deadline);
    enum heard heard = process_hear(&crew->worker, deadline, crew->tick, crew->user, &line, &length);
    if (heard != HEARD_LINE || !answer_ready(line, length, &said)) {
        stop(crew);
        crew->one_by_one = heard != HEARD_STOPPED;
    }
    crew->prefill_ns += clock_ns() - start;
}

// ---- a point

// After these the device is of no use to the process that holds it.
static bool is_last(struct json_object *record) {
    const char *status = json_get_string(record, "status", "");
    return strcmp(status, record_status_name(RECORD_DEVICE_LOST)) == 0 ||
           strcmp(status, record_status_name(RECORD_TIMEOUT)) == 0;
}

static void settle(struct crew *crew, const struct point *point, struct json_object *record) {
    if (is_last(record)) {
        stop(crew);
        count_loss(crew, point->kernel, json_get_string(record, "reason", ""), point->name);
        return;
    }
    crew->productive = true;
    crew->fruitless = 0;
    crew->fatal = NULL;
}

// A worker that is ready to hear. True without one: the tick stopped its start.
static bool ready(struct crew *crew, struct error *err) {
    // One that ended or spoke after its last answer: the next point is not to be blamed.
    if (crew->worker.pid && !process_quiet(&crew->worker)) stop(crew);
    return start(crew, err);
}

static bool ask(struct crew *crew, const struct point *point, const char *peak, enum way way,
    struct json_object **record, struct error *err) {
    const struct session *session = crew->session;
    const char *line;
    size_t length;
    struct error said = {0};
    int64_t deadline = deadline_after(session->point_timeout_s);
    message_send(&crew->worker, message_point(point->name, peak, way), deadline);
    enum heard heard =
        process_hear(&crew->worker, deadline, crew->tick, crew->user, &line, &length);
    if (heard == HEARD_STOPPED) {
        stop(crew);
        return true;
    }
    if (heard == HEARD_LINE) *record = answer_record(line, length, point->name, &said);
    if (*record) {
        settle(crew, point, *record);
        return true;
    }
    char why[sizeof said.text];
    bury(crew, heard, session->point_timeout_s, said.text, why, sizeof why);
    count_loss(crew, point->kernel, why, point->name);
    *record = stand_in(session, point, peak, heard == HEARD_LATE ? RECORD_TIMEOUT : RECORD_CRASH, why);
    return *record || error_set(err, STATUS_FAULT, "out of memory for a record");
}

bool crew_prefill(struct crew *crew, size_t first, size_t end, struct error *err) {
    if (!ready(crew, err)) return false;
    if (crew->worker.pid) prefill(crew, first, end);
    return crew->worker.pid || !crew->one_by_one || start(crew, err);
}

bool crew_run(struct crew *crew, size_t index, struct json_object **record, struct error *err) {
    const struct plan *plan = &crew->session->plan;
    *record = NULL;
    if (!crew_prefill(crew, index, plan->count, err)) return false;
    return !crew->worker.pid || ask(crew, &plan->points[index], plan->peaks[index], WAY_FULL, record, err);
}

bool crew_ask(struct crew *crew, const struct point *point, enum way way,
    struct json_object **record, struct error *err) {
    *record = NULL;
    return ready(crew, err) && (!crew->worker.pid || ask(crew, point, NULL, way, record, err));
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
        enum heard heard = process_hear(&crew->worker, deadline_after(patience_s), crew->tick, crew->user,
            &h->line, &h->length);
        if (heard != HEARD_LINE || !answer_at(h->line, h->length, h->count, &h->at)) return heard;
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
    bury(crew, heard, crew->session->point_timeout_s, said, why, sizeof why);
    if (h->at == h->count) return true; // it may have been any: they are tried alone
    count_loss(crew, point->kernel, why, point->name);
    records[h->at] = stand_in(crew->session, point, crew->session->plan.peaks[h->points[h->at]], heard == HEARD_LATE ? RECORD_TIMEOUT : RECORD_CRASH, why);
    return records[h->at] || error_set(err, STATUS_FAULT, "out of memory for a record");
}

bool crew_run_group(struct crew *crew, const size_t *points, size_t count, struct json_object **records,
    bool *stopped, struct error *err) {
    const struct session *session = crew->session;
    struct hearing h = {.points = points, .count = count, .at = count};
    *stopped = false;
    for (size_t i = 0; i < count; i++) records[i] = NULL;
    if (!crew_prefill(crew, points[0], session->plan.count, err)) return false;
    *stopped = !crew->worker.pid;
    if (*stopped) return true;
    message_send(&crew->worker, message_group(&session->plan, points, count), deadline_after(session->point_timeout_s));
    while (h.done < count && crew->worker.pid) {
        struct error said = {0};
        enum heard heard = hear(crew, &h);
        if (heard == HEARD_STOPPED) {
            stop(crew);
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

// SPDX-License-Identifier: Apache-2.0
// The supervisor: goes through the plan, keeps every record safe before the next point starts, and
// knows when to stop.
#include "worker_handle.h"
#include "cut_short.h"
#include "estimate.h"
#include "retry.h"
#include "same_run.h"
#include "signals.h"
#include "stand_in.h"

#include "../base/clock.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// An interrupt is obeyed within two seconds: so long may the current point take to finish, and its
// worker to end.
static const int64_t finish_ns = 1500000000;

struct supervisor {
    const struct session *session;
    struct json_object *context;
    struct journal *journal;
    struct json_object **records; // by plan index; NULL: none yet
    struct worker_handle worker;
    struct estimate estimate;
    struct progress progress;
    int64_t start_ns;
    struct wall wall;   // of what ran here, as far as the records tell
    size_t to_run, ran; // points that need a worker: left at the start, done since
};

static double seconds_since(int64_t start_ns) {
    return (double)(clock_ns() - start_ns) * 1e-9;
}

// ---- telling how it goes

static void tell(struct supervisor *s, struct json_object *record) {
    const struct session *session = s->session;
    struct progress *p = &s->progress;
    p->record = record;
    p->elapsed_s = seconds_since(s->start_ns);
    p->left_s = s->ran ? p->elapsed_s / (double)s->ran * (double)(s->to_run - s->ran) : NAN;
    if (session->budget_s > 0 && p->left_s > session->budget_s - p->elapsed_s)
        p->left_s = fmax(session->budget_s - p->elapsed_s, 0);
    if (session->progress) session->progress(session->user, p);
}

static bool tick(void *user) {
    struct supervisor *s = user;
    int64_t interrupted = signals_interrupted();
    if (interrupted && clock_ns() - interrupted > finish_ns) return false;
    tell(s, NULL);
    return true;
}

// ---- records

static enum record_status status_of(struct json_object *record) {
    const char *name = json_get_string(record, "status", "");
    for (int i = 0; i < RECORD_STATUS_COUNT; i++)
        if (strcmp(record_status_name((enum record_status)i), name) == 0) return (enum record_status)i;
    return RECORD_ERROR;
}

// Takes `record` over, whether it is from this run or from the one that is resumed.
static void place(struct supervisor *s, size_t index, struct json_object *record) {
    s->records[index] = record;
    s->progress.done++;
    s->progress.counts[status_of(record)]++;
    if (json_get_string(record, "peak", NULL)) estimate_learn(&s->estimate, s->records, s->session->plan.count);
}

static bool keep(struct supervisor *s, size_t index, struct json_object *record, struct error *err) {
    if (!record) return error_set(err, STATUS_FAULT, "out of memory for a record");
    if (!journal_append(s->journal, record, err)) {
        json_object_put(record);
        return false;
    }
    wall_add_record(&s->wall, record);
    place(s, index, record);
    tell(s, record);
    return true;
}

// ---- the journal

// The plan index of a record, or the plan's count. Journals are in plan order, so the search goes
// on from `from`.
static size_t index_of(const struct plan *plan, const char *name, size_t from) {
    for (size_t k = 0; k < plan->count; k++) {
        size_t i = (from + k) % plan->count;
        if (strcmp(plan->points[i].name, name) == 0) return i;
    }
    return plan->count;
}

// Records of points that are not planned (any more), or that are there already, are let go.
static void place_old(struct supervisor *s, struct json_object **old, size_t count) {
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
        size_t index = index_of(&s->session->plan, json_get_string(old[i], "name", ""), next);
        if (index < s->session->plan.count && !s->records[index]) {
            place(s, index, old[i]);
            next = index + 1;
        } else {
            json_object_put(old[i]);
        }
    }
}

static bool open_journal(struct supervisor *s, struct arena *arena, struct error *err) {
    const struct session *session = s->session;
    struct json_object **old = NULL;
    size_t count = 0;
    if (!session->resume) {
        s->journal = journal_create(session->journal_path, session->context, err);
        s->context = json_object_get(session->context);
        return s->journal != NULL;
    }
    s->journal = journal_resume(session->journal_path, arena, &s->context, &old, &count, err);
    if (!s->journal) return false;
    if (!same_run(session, s->context, err)) {
        for (size_t i = 0; i < count; i++) json_object_put(old[i]);
        return false;
    }
    place_old(s, old, count);
    return true;
}

// ---- the run

// Why a point is not even tried; NULL: it is.
static const char *why_skip(const struct supervisor *s, size_t index, char reason[ESTIMATE_REASON]) {
    const struct point *point = &s->session->plan.points[index];
    if (point->refused) return point->refused;
    if (point->peak) return NULL; // what everything else is estimated by
    struct arena scratch = {0};
    struct record record;
    runner_describe(point, s->session->options.seed, &scratch, &record);
    bool too_long = estimate_too_long(
        &s->estimate, record.flops, record.bytes, s->session->options.settings.longest_dispatch_s, reason);
    arena_free(&scratch);
    return too_long ? reason : NULL;
}

// Runs a point again, by itself, where its first record calls for that; *record becomes NULL where an interrupt stopped
// it. False: no worker can be had; what the first attempt gave is in *record then.
static bool try_again(struct supervisor *s, size_t index, struct json_object **record, struct error *err) {
    const struct point *point = &s->session->plan.points[index];
    struct json_object *again = NULL;
    retry_expect(point, *record);
    if (!*record || !s->session->retry || !retry_is_due(*record)) return true;
    if (!worker_run_again(&s->worker, index, &again, err)) return false;
    retry_expect(point, again);
    if (again) {
        *record = retry_join(*record, again);
    } else { // stopped: to be run anew when the run is resumed
        json_object_put(*record);
        *record = NULL;
    }
    return true;
}

static bool skip_point(struct supervisor *s, size_t index, const char *reason, struct error *err) {
    const struct point *point = &s->session->plan.points[index];
    struct json_object *record = stand_in(s->session, point, RECORD_SKIP, reason);
    retry_expect(point, record);
    if (!point->refused) s->ran++;
    return keep(s, index, record, err);
}

static bool run_point(struct supervisor *s, size_t index, bool *stopped, struct error *err) {
    struct json_object *record = NULL;
    s->progress.current = s->session->plan.points[index].name;
    bool ok = worker_run(&s->worker, index, &record, err) && try_again(s, index, &record, err);
    *stopped = ok && !record;
    if (*stopped || (!ok && !record)) return ok;
    s->ran++;
    struct error lost;
    return keep(s, index, record, ok ? err : &lost) && ok;
}

// Those of the group that nothing is known of are run alone, so that the culprit one is found.
static bool run_group(struct supervisor *s, const size_t *points, size_t count, bool *stopped, struct error *err) {
    struct json_object *records[RUNNER_GROUP];
    if (count == 1) return run_point(s, points[0], stopped, err);
    s->progress.current = s->session->plan.points[points[0]].name;
    bool ok = worker_run_group(&s->worker, points, count, records, stopped, err);
    for (size_t i = 0; i < count; i++) {
        if (ok && records[i]) ok = try_again(s, points[i], &records[i], err);
        if (!records[i]) continue;
        s->ran++;
        struct error lost;
        ok = keep(s, points[i], records[i], ok ? err : &lost) && ok;
    }
    for (size_t i = 0; ok && !*stopped && i < count; i++)
        if (!s->records[points[i]]) ok = run_point(s, points[i], stopped, err);
    return ok;
}

// The points from `first` on that are timed in turns with it: those of its problem that follow it. What is skipped
// among them is recorded at once. Validation messages and peaks are about one point alone.
static bool gather(struct supervisor *s, size_t first, size_t *points, size_t *count, struct error *err) {
    const struct plan *plan = &s->session->plan;
    const struct run_options *options = &s->session->options;
    bool alone = !options->time || options->validate || plan->points[first].peak;
    *count = 0;
    for (size_t i = first; i < plan->count && *count < (alone ? 1 : RUNNER_GROUP); i++) {
        char reason[ESTIMATE_REASON];
        if (i > first &&
            (alone || plan->points[i].peak || !runner_same_problem(&plan->points[first], &plan->points[i])))
            break;
        if (s->records[i]) continue;
        const char *skip = why_skip(s, i, reason);
        if (!skip)
            points[(*count)++] = i;
        else if (!skip_point(s, i, skip, err))
            return false;
    }
    return true;
}

static bool run_points(struct supervisor *s, struct outcome *out, struct error *err) {
    const struct session *session = s->session;
    for (size_t i = 0; i < session->plan.count; i++) s->to_run += !s->records[i] && !session->plan.points[i].refused;
    for (size_t i = 0; i < session->plan.count; i++) {
        if (s->records[i]) continue;
        bool spent = session->budget_s > 0 && seconds_since(s->start_ns) >= session->budget_s;
        out->interrupted = signals_interrupted() != 0;
        out->out_of_budget = spent && !out->interrupted;
        if (out->interrupted || spent) return true;
        size_t points[RUNNER_GROUP], count;
        if (!gather(s, i, points, &count, err)) return false;
        if (count && !run_group(s, points, count, &out->interrupted, err)) return false;
        if (out->interrupted) return true;
    }
    return true;
}

// All that is accounted for by nobody is idle.
static struct wall split(const struct supervisor *s, double wall_s) {
    struct wall wall = s->wall;
    wall.ns[WALL_START] += s->worker.start_ns;
    wall.ns[WALL_COMPILE] += s->worker.prefill_ns;
    wall.ns[WALL_IDLE] = 0;
    int64_t rest = (int64_t)(wall_s * 1e9) - wall_total(&wall);
    wall.ns[WALL_IDLE] = rest > 0 ? rest : 0;
    return wall;
}

// What there is, without gaps, to the caller. `failed`: what ended the run; NULL: nothing did.
static void hand_over(struct supervisor *s, struct outcome *out, const struct error *failed) {
    out->context = s->context;
    out->records = s->records;
    for (size_t i = 0; i < s->session->plan.count; i++)
        if (s->records[i]) out->records[out->count++] = s->records[i];
    out->left = s->session->plan.count - out->count;
    out->unblamed = s->worker.unblamed;
    out->wall_s = seconds_since(s->start_ns);
    struct wall wall = split(s, out->wall_s);
    struct json_object *run = json_get(s->context, "run");
    if (!run) return;
    json_put(run, "wall", wall_to_json(&wall));
    if (s->worker.losses) json_put(run, "lost_workers", json_object_get(s->worker.losses));
    whole_put(run, why_cut_short(out, failed), (int64_t)out->left);
}

bool supervise_run(struct arena *arena, struct session *session, struct outcome *out, struct error *err) {
    struct supervisor s = {.session = session,
        .start_ns = clock_ns(),
        .progress = {.total = session->plan.count},
        .worker = {.session = session, .tick = tick}};
    s.worker.user = &s;
    *out = (struct outcome){0};
    s.records = arena_alloc(arena, session->plan.count + 1, sizeof(struct json_object *));
    signals_take(true);
    bool open =
        s.records ? open_journal(&s, arena, err) : error_set(err, STATUS_FAULT, "out of memory for the records");
    bool ok = open && run_points(&s, out, err);
    worker_dismiss(&s.worker, signals_interrupted() != 0);
    signals_give_back();
    journal_close(s.journal);
    if (open)
        hand_over(&s, out, ok ? NULL : err);
    else
        json_object_put(s.context);
    json_object_put(s.worker.losses);
    json_object_put(session->context);
    session->context = NULL;
    return ok;
}

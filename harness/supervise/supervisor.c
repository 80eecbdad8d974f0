// SPDX-License-Identifier: Apache-2.0
// The supervisor: goes through the plan, keeps every record safe before the next point starts, and
// knows when to stop.
#include "supervisor.h"

#include "../base/names.h"
#include "expectations.h"
#include "worker_parts.h"

#include <stdio.h>
#include <string.h>

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
    s->loop.progress.done++;
    s->loop.progress.counts[status_of(record)]++;
}

bool supervisor_keep(struct supervisor *s, size_t index, struct json_object *record, struct error *err) {
    if (!journal_append(s->loop.journal, record, err)) {
        json_object_put(record);
        return false;
    }
    wall_add_record(&s->wall, record);
    place(s, index, record);
    if (json_get_string(record, "peak", NULL)) estimate_learn(&s->estimate, s->records, s->loop.session->plan.count);
    session_tell(&s->loop, record);
    journal_shed(s->loop.journal, record);
    return true;
}

// ---- the journal

// Records of points that are not planned (any more), or that are there already, are let go.
static void place_old(struct supervisor *s, struct json_object **old, size_t count) {
    struct names names = {0};
    const struct plan *plan = &s->loop.session->plan;
    for (size_t i = 0; i < plan->count; i++) names_put(&names, plan->points[i].name, strlen(plan->points[i].name), i);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_get_string(old[i], "name", "");
        size_t index = names_get(&names, name, strlen(name));
        if (index != NAMES_NONE && !s->records[index])
            place(s, index, old[i]);
        else
            json_object_put(old[i]);
    }
    names_free(&names);
    if (count) estimate_learn(&s->estimate, s->records, plan->count);
}

// Records from before this run go into its journal, and are no part of what it spends.
static bool place_known(struct supervisor *s, struct error *err) {
    const struct session *session = s->loop.session;
    for (size_t i = 0; i < session->known_count; i++) {
        const char *name = json_get_string(session->known[i], "name", "");
        for (size_t p = 0; p < session->plan.count; p++) {
            if (s->records[p] || strcmp(session->plan.points[p].name, name) != 0) continue;
            if (!journal_append(s->loop.journal, session->known[i], err)) return false;
            place(s, p, json_object_get(session->known[i]));
        }
    }
    if (session->known_count) estimate_learn(&s->estimate, s->records, session->plan.count);
    return true;
}

// ---- the run

// Why a point is not even tried; NULL: it is.
static const struct refusal *why_skip(const struct supervisor *s, size_t index, struct arena *arena) {
    const struct point *point = &s->loop.session->plan.points[index];
    if (point->refused) return point->refused;
    if (point->peak) return NULL; // what everything else is estimated by
    struct record record;
    runner_describe(point, s->loop.session->options.seed, arena, &record);
    return estimate_too_long(
        arena, &s->estimate, record.flops, record.bytes, s->loop.session->options.settings.longest_dispatch_s);
}

// ---- the driver under the layer's checks of accesses, which rewrite each shader: what fails there is not the kernel's

static bool has_status(struct json_object *record, enum record_status status) {
    return strcmp(json_get_string(record, "status", ""), record_status_name(status)) == 0;
}

// Returns whether the driver failed on a shader that the layer rewrote.
static bool failed_instrumented(const struct session *session, struct json_object *record) {
    return record && session->options.gpu_assisted &&
           (has_status(record, RECORD_CRASH) || has_status(record, RECORD_DEVICE_LOST) ||
               has_status(record, RECORD_TIMEOUT) ||
               (has_status(record, RECORD_ERROR) && json_get_string(record, "call", NULL)));
}

// Runs a point under the layer without these checks, in a worker of its own. *record NULL: an interrupt stopped it.
static bool run_uninstrumented(struct worker_handle *worker, const struct point *point, const char *why,
    struct json_object **record, struct error *err) {
    struct session plain = *worker->session;
    struct worker_handle own = worker_beside(worker);
    plain.options.gpu_assisted = false;
    own.session = &plain;
    own.device = worker->device;
    const bool ok = worker_ask(&own, MESSAGE_RUN, point, record, err);
    worker_dismiss(&own, false);
    worker_join(worker, &own);
    if (ok && *record) json_put_string(*record, "bounds_unchecked", why);
    return ok;
}

// Puts the record of a run without these checks in the place of one that the driver failed in with them.
static bool leave_instrumentation(struct worker_handle *worker, const struct point *point, const char *why,
    struct json_object **record, struct error *err) {
    struct json_object *plain = NULL;
    if (!run_uninstrumented(worker, point, why, &plain, err)) return false;
    json_object_put(*record);
    *record = plain;
    if (plain && has_status(plain, RECORD_PASS)) worker->fruitless = 0; // its loss was the layer's
    return true;
}

// ---- a second attempt

bool supervisor_try_again(
    struct supervisor *s, struct worker_handle *worker, size_t index, struct json_object **record, struct error *err) {
    const struct point *point = &s->loop.session->plan.points[index];
    struct json_object *again = NULL;
    char why[WORKER_WHY] = "";
    const bool plain = failed_instrumented(s->loop.session, *record);
    if (plain) snprintf(why, sizeof why, "%s", json_get_string(*record, "reason", "no reason was recorded"));
    if (plain && !leave_instrumentation(worker, point, why, record, err)) return false;
    retry_expect(point, *record);
    if (!*record || !s->loop.session->retry || !retry_is_due(*record)) return true;
    if (!(plain ? run_uninstrumented(worker, point, why, &again, err)
                : worker_ask(worker, MESSAGE_RUN, point, &again, err)))
        return false;
    retry_expect(point, again);
    if (again) {
        *record = retry_join(*record, again);
    } else { // stopped: to be run anew when the run is resumed
        json_object_put(*record);
        *record = NULL;
    }
    return true;
}

bool supervisor_skip(struct supervisor *s, size_t index, const struct refusal *why, struct error *err) {
    const struct point *point = &s->loop.session->plan.points[index];
    struct json_object *record = stand_in_refused(s->loop.session, point, why);
    retry_expect(point, record);
    if (!point->refused) s->loop.ran++;
    return supervisor_keep(s, index, record, err);
}

// Those of several that nothing is known of are run alone, so that the culprit is found.
static bool run(struct supervisor *s, const size_t *points, size_t count, bool *stopped, struct error *err) {
    struct json_object *records[RUNNER_GROUP] = {0};
    s->loop.progress.current = s->loop.session->plan.points[points[0]].name;
    bool ok = worker_run(&s->loop.worker, points, count, records, stopped, err);
    for (size_t i = 0; i < count; i++) {
        if (ok && records[i]) ok = supervisor_try_again(s, &s->loop.worker, points[i], &records[i], err);
        if (!records[i]) continue;
        struct error lost;
        s->loop.ran++;
        ok = supervisor_keep(s, points[i], records[i], ok ? err : &lost) && ok;
    }
    *stopped |= ok && count == 1 && !records[0];
    for (size_t i = 0; ok && !*stopped && i < count; i++)
        if (!s->records[points[i]]) ok = run(s, &points[i], 1, stopped, err);
    return ok;
}

// The points from `first` on that are timed in turns with it: those of its problem that follow it. What is skipped
// among them is recorded at once. Validation messages and peaks are about one point alone.
static bool gather(struct supervisor *s, size_t first, size_t *points, size_t *count, struct error *err) {
    const struct plan *plan = &s->loop.session->plan;
    bool alone = s->loop.session->options.validate || plan->points[first].peak;
    *count = 0;
    for (size_t i = first; i < plan->count && *count < (alone ? 1 : RUNNER_GROUP); i++) {
        if (i > first &&
            (alone || plan->points[i].peak || !runner_same_problem(&plan->points[first], &plan->points[i])))
            break;
        if (s->records[i]) continue;
        struct arena scratch = {0};
        const struct refusal *skip = why_skip(s, i, &scratch);
        bool ok = !skip || supervisor_skip(s, i, skip, err);
        if (!skip) points[(*count)++] = i;
        arena_free(&scratch);
        if (!ok) return false;
    }
    return true;
}

static bool run_timed(struct supervisor *s, struct error *err) {
    const struct plan *plan = &s->loop.session->plan;
    for (size_t i = 0; i < plan->count && !s->loop.interrupted; i++) {
        size_t points[RUNNER_GROUP], count;
        if (s->records[i]) continue;
        if (!session_goes_on(&s->loop)) return true;
        if (!gather(s, i, points, &count, err)) return false;
        if (count && !run(s, points, count, &s->loop.interrupted, err)) return false;
    }
    return true;
}

static bool run_points(struct supervisor *s, struct arena *arena, struct error *err) {
    const struct plan *plan = &s->loop.session->plan;
    for (size_t i = 0; i < plan->count; i++) s->loop.to_run += !s->records[i] && !plan->points[i].refused;
    return s->loop.session->options.time ? run_timed(s, err) : run_untimed(s, arena, err);
}

// The mean of the workers'. All that is accounted for by nobody is idle.
static struct wall split(const struct supervisor *s, double wall_s) {
    struct wall wall = s->wall;
    wall.ns[WALL_START] += s->loop.worker.start_ns;
    wall.ns[WALL_COMPILE] += s->loop.worker.prefill_ns;
    wall.ns[WALL_IDLE] = 0;
    for (int part = 0; part < WALL_COUNT; part++) wall.ns[part] /= s->jobs;
    int64_t rest = (int64_t)(wall_s * 1e9) - wall_total(&wall);
    wall.ns[WALL_IDLE] = rest > 0 ? rest : 0;
    return wall;
}

// What there is, without gaps.
static void take_records(struct supervisor *s, struct outcome *out) {
    const size_t planned = s->loop.session->plan.count;
    out->records = s->records;
    for (size_t i = 0; i < planned; i++)
        if (s->records[i]) out->records[out->count++] = s->records[i];
    out->left = planned - out->count;
}

bool supervise_run(struct arena *arena, struct session *session, struct outcome *out, struct error *err) {
    struct supervisor s = {
        .jobs = 1, .records = arena_alloc(arena, session->plan.count + 1, sizeof(struct json_object *))};
    struct json_object **old;
    size_t count;
    *out = (struct outcome){0};
    bool open = session_open(&s.loop, session, arena, &old, &count, err);
    s.loop.progress.total = session->plan.count;
    if (open) place_old(&s, old, count);
    bool ok = open && place_known(&s, err) && run_points(&s, arena, err);
    take_records(&s, out);
    session_close(&s.loop, out, ok ? NULL : err);
    struct json_object *run = json_get(out->context, "run");
    struct wall wall = split(&s, out->wall_s);
    if (run) json_put(run, "wall", wall_to_json(&wall));
    if (run) json_put_int(run, "jobs", s.jobs);
    return ok;
}

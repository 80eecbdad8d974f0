// SPDX-License-Identifier: Apache-2.0
// The supervisor: runs the plan, writes every record to the journal before the next point starts, and decides when to
// stop.
#include "supervisor.h"

#include "../../device/device_info.h"
#include "../../base/names.h"
#include "expectations.h"
#include "worker_parts.h"
#include "../../record/record.h"
#include "../../record/journal.h"
#include "../../record/terms.h"

#include <stdio.h>
#include <string.h>

// ---- the journal

// Places the records of a resumed journal. Releases records of unplanned points and duplicates.
static void place_old(struct supervisor *s, struct json_object **old, size_t count) {
    struct names names = {0};
    const struct plan *plan = &s->loop.session->plan;
    for (size_t i = 0; i < plan->count; i++) names_put(&names, plan->points[i].name, strlen(plan->points[i].name), i);
    for (size_t i = 0; i < count; i++) {
        const char *name = json_get_string(old[i], "name", "");
        size_t index = names_get(&names, name, strlen(name));
        if (index != NAMES_NONE && !s->records[index])
            supervisor_place(s, index, old[i]);
        else
            json_object_put(old[i]);
    }
    names_free(&names);
    if (count) estimate_learn(&s->estimate, s->records, plan->count);
}

// Writes records from before this run to its journal; they cost no time of this run.
static bool place_known(struct supervisor *s, struct error *err) {
    const struct session *session = s->loop.session;
    for (size_t i = 0; i < session->known_count; i++) {
        const char *name = json_get_string(session->known[i], "name", "");
        for (size_t p = 0; p < session->plan.count; p++) {
            if (s->records[p] || strcmp(session->plan.points[p].name, name) != 0) continue;
            if (!journal_append(s->loop.journal, session->known[i], err)) return false;
            supervisor_place(s, p, json_object_get(session->known[i]));
        }
    }
    if (session->known_count) estimate_learn(&s->estimate, s->records, session->plan.count);
    return true;
}

// ---- the run

// Returns why a point is skipped; NULL: it is run.
static const struct refusal *why_skip(const struct supervisor *s, size_t index, struct arena *arena) {
    const struct point *point = &s->loop.session->plan.points[index];
    if (point->refused) return point->refused;
    if (point->peak) return NULL; // peaks are the basis of all estimates
    struct record record;
    runner_describe(point, &s->loop.session->options, arena, &record);
    return estimate_too_long(
        arena, &s->estimate, record.flops, record.bytes, s->loop.session->options.settings.longest_dispatch_s);
}

// Runs points together, and then alone each point without an answer, to find the culprit.
static bool run(struct supervisor *s, const size_t *points, size_t count, bool *stopped, struct error *err) {
    struct json_object *records[RUNNER_GROUP] = {0};
    s->loop.progress.current = s->loop.session->plan.points[points[0]].name;
    bool ok = worker_run(&s->loop.worker, points, count, records, stopped, err);
    for (size_t i = 0; i < count; i++) // all of them, as they took the time together
        if (records[i]) session_did(&s->loop, &s->loop.session->plan.points[points[i]]);
    for (size_t i = 0; i < count; i++) {
        if (ok && records[i]) ok = supervisor_try_again(s, &s->loop.worker, points[i], &records[i], err);
        if (!records[i]) continue;
        struct error lost;
        ok = supervisor_keep(s, points[i], records[i], ok ? err : &lost) && ok;
    }
    *stopped |= ok && count == 1 && !records[0];
    for (size_t i = 0; ok && !*stopped && i < count; i++)
        if (!s->records[points[i]]) ok = run(s, &points[i], 1, stopped, err);
    return ok;
}

// Gathers the points to time interleaved, from `first` on: they follow it and share its problem. Skipped points among
// them are recorded at once. With validation each point runs alone, because messages belong to one point; peaks run
// alone too.
static bool gather(struct supervisor *s, size_t first, size_t *points, size_t *count, struct error *err) {
    const struct plan *plan = &s->loop.session->plan;
    const struct session *session = s->loop.session;
    bool alone = session->options.validate || plan->points[first].peak || session->climbs == CLIMB_EACH;
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
        if (!climb_goes_on(&s->climb, s->loop.session, i, session_elapsed_s(&s->loop))) break;
        if (!session_goes_on(&s->loop)) return true;
        if (!gather(s, i, points, &count, err)) return false;
        if (count && !run(s, points, count, &s->loop.interrupted, err)) return false;
    }
    return true;
}

// Averages the wall time over the workers. Time without a known use is idle.
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

// Moves the existing records together, without gaps.
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
    bool ok = open && place_known(&s, err);
    for (size_t i = 0; ok && i < session->plan.count; i++)
        if (!s.records[i] && !session->plan.points[i].refused) session_expect(&s.loop, &session->plan.points[i]);
    ok = ok && (session->options.time ? run_timed(&s, err) : run_untimed(&s, arena, err));
    take_records(&s, out);
    out->climb_end = s.climb.end;
    session_close(&s.loop, out, ok ? NULL : err);
    struct json_object *run = json_get(out->context, "run");
    struct wall wall = split(&s, out->wall_s);
    if (run) json_put(run, "wall", wall_to_json(&wall));
    if (run) json_put_int(run, "jobs", s.jobs);
    return ok;
}

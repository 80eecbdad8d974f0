// SPDX-License-Identifier: Apache-2.0
// The supervisor: goes through the plan, keeps every record safe before the next point starts, and
// knows when to stop.
#include "expectations.h"
#include "session_loop.h"
#include "../base/names.h"
#include "../base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- points that would take too long

struct estimate {
    double bytes_per_s, flops_per_s; // measured; 0: not yet
};

// The share of a measured peak that a kernel is expected to reach at least. Plain kernels of
// well-filled devices reach more; those that reach less are caught by the point's timeout.
static const double expected_share = 0.1;
#define EXPECTED_SHARE_TEXT "a tenth"

// Takes the peaks from the records there are (by plan index; NULL where there is none).
static void estimate_learn(struct estimate *estimate, struct json_object *const *records, size_t count) {
    struct json_object **there = memory_alloc(count, sizeof *there);
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (json_get_string(records[i], "peak", NULL)) there[found++] = records[i];
    struct json_object *peaks = peaks_make(there, found);
    estimate->bytes_per_s = json_get_double(peaks, "copy_bytes_per_s", 0);
    estimate->flops_per_s = json_get_double(peaks, "fma_f32_flops_per_s", 0);
    json_object_put(peaks);
    free(there);
}

// Three digits with a decimal prefix: "12.5 GB/s".
static const char *scaled(struct arena *arena, double value, const char *unit) {
    static const char prefixes[][2] = {"", "k", "M", "G", "T", "P"};
    size_t p = 0;
    for (; value >= 999.5 && p + 1 < sizeof prefixes / sizeof *prefixes; p++) value /= 1000;
    return arena_format(arena, "%.3g %s%s", value, prefixes[p], unit);
}

// Why a dispatch of `flops` and `bytes` is not tried: it is expected to take longer than `longest_s`. NULL: it may be;
// always while nothing was measured.
static const struct refusal *estimate_too_long(
    struct arena *arena, const struct estimate *estimate, double flops, double bytes, double longest_s) {
    double computing = estimate->flops_per_s > 0 ? flops / (estimate->flops_per_s * expected_share) : 0;
    double moving = estimate->bytes_per_s > 0 ? bytes / (estimate->bytes_per_s * expected_share) : 0;
    bool by_flops = computing >= moving;
    double seconds = by_flops ? computing : moving;
    if (!(seconds > longest_s)) return NULL;
    const char *peak =
        by_flops ? scaled(arena, estimate->flops_per_s, "FLOP/s") : scaled(arena, estimate->bytes_per_s, "B/s");
    return REFUSED(
        arena, .kind = REFUSAL_TOO_LONG, .words = {EXPECTED_SHARE_TEXT, peak}, .figures = {seconds, longest_s});
}

struct supervisor {
    struct session_loop loop;
    struct json_object **records; // by plan index; NULL: none yet
    struct estimate estimate;
    struct wall wall; // of what ran here, as far as the records tell
};

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

static bool keep(struct supervisor *s, size_t index, struct json_object *record, struct error *err) {
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

// Runs a point again, by itself, where its first record calls for that; *record becomes NULL where an interrupt stopped
// it. False: no worker can be had; what the first attempt gave is in *record then.
static bool try_again(struct supervisor *s, size_t index, struct json_object **record, struct error *err) {
    const struct point *point = &s->loop.session->plan.points[index];
    struct json_object *again = NULL;
    retry_expect(point, *record);
    if (!*record || !s->loop.session->retry || !retry_is_due(*record)) return true;
    if (!worker_ask(&s->loop.worker, MESSAGE_RUN, point, &again, err)) return false;
    retry_expect(point, again);
    if (again) {
        *record = retry_join(*record, again);
    } else { // stopped: to be run anew when the run is resumed
        json_object_put(*record);
        *record = NULL;
    }
    return true;
}

static bool skip_point(struct supervisor *s, size_t index, const struct refusal *why, struct error *err) {
    const struct point *point = &s->loop.session->plan.points[index];
    struct json_object *record = stand_in_refused(s->loop.session, point, why);
    retry_expect(point, record);
    if (!point->refused) s->loop.ran++;
    return keep(s, index, record, err);
}

// Those of several that nothing is known of are run alone, so that the culprit is found.
static bool run(struct supervisor *s, const size_t *points, size_t count, bool *stopped, struct error *err) {
    struct json_object *records[RUNNER_GROUP] = {0};
    s->loop.progress.current = s->loop.session->plan.points[points[0]].name;
    bool ok = worker_run(&s->loop.worker, points, count, records, stopped, err);
    for (size_t i = 0; i < count; i++) {
        if (ok && records[i]) ok = try_again(s, points[i], &records[i], err);
        if (!records[i]) continue;
        struct error lost;
        s->loop.ran++;
        ok = keep(s, points[i], records[i], ok ? err : &lost) && ok;
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
    const struct run_options *options = &s->loop.session->options;
    bool alone = !options->time || options->validate || plan->points[first].peak;
    *count = 0;
    for (size_t i = first; i < plan->count && *count < (alone ? 1 : RUNNER_GROUP); i++) {
        if (i > first &&
            (alone || plan->points[i].peak || !runner_same_problem(&plan->points[first], &plan->points[i])))
            break;
        if (s->records[i]) continue;
        struct arena scratch = {0};
        const struct refusal *skip = why_skip(s, i, &scratch);
        bool ok = !skip || skip_point(s, i, skip, err);
        if (!skip) points[(*count)++] = i;
        arena_free(&scratch);
        if (!ok) return false;
    }
    return true;
}

static bool run_points(struct supervisor *s, struct error *err) {
    const struct plan *plan = &s->loop.session->plan;
    for (size_t i = 0; i < plan->count; i++) s->loop.to_run += !s->records[i] && !plan->points[i].refused;
    for (size_t i = 0; i < plan->count && !s->loop.interrupted; i++) {
        size_t points[RUNNER_GROUP], count;
        if (s->records[i]) continue;
        if (!session_goes_on(&s->loop)) return true;
        if (!gather(s, i, points, &count, err)) return false;
        if (count && !run(s, points, count, &s->loop.interrupted, err)) return false;
    }
    return true;
}

// All that is accounted for by nobody is idle.
static struct wall split(const struct supervisor *s, double wall_s) {
    struct wall wall = s->wall;
    wall.ns[WALL_START] += s->loop.worker.start_ns;
    wall.ns[WALL_COMPILE] += s->loop.worker.prefill_ns;
    wall.ns[WALL_IDLE] = 0;
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
    struct supervisor s = {.records = arena_alloc(arena, session->plan.count + 1, sizeof(struct json_object *))};
    struct json_object **old;
    size_t count;
    *out = (struct outcome){0};
    bool open = session_open(&s.loop, session, arena, &old, &count, err);
    s.loop.progress.total = session->plan.count;
    if (open) place_old(&s, old, count);
    bool ok = open && run_points(&s, err);
    take_records(&s, out);
    session_close(&s.loop, out, ok ? NULL : err);
    struct json_object *run = json_get(out->context, "run");
    struct wall wall = split(&s, out->wall_s);
    if (run) json_put(run, "wall", wall_to_json(&wall));
    return ok;
}

// ---- pairs

static void drop(struct json_object *records[2]) {
    for (int i = 0; i < 2; i++) json_object_put(records[i]);
    records[0] = records[1] = NULL;
}

static bool run_pairs(
    struct session_loop *loop, const struct version_pair *pairs, size_t count, struct outcome *out, struct error *err) {
    for (size_t i = 0; i < count && session_goes_on(loop); i++) {
        struct json_object **records = &out->records[2 * i];
        loop->progress.current = (pairs[i].sides[1] ? pairs[i].sides[1] : pairs[i].sides[0])->name;
        session_tell(loop, NULL);
        bool ok = worker_run_pair(&loop->worker, &pairs[i], records, &loop->interrupted, err);
        if (!ok || loop->interrupted) {
            drop(records);
            return ok;
        }
        loop->ran++;
        loop->progress.done++;
        out->left--;
    }
    return true;
}

bool supervise_pairs(struct arena *arena, struct session *session, const struct version_pair *pairs, size_t count,
    struct outcome *out, struct error *err) {
    struct session_loop loop;
    struct json_object **old;
    size_t none;
    *out = (struct outcome){
        .records = arena_alloc(arena, 2 * count, sizeof *out->records), .count = 2 * count, .left = count};
    bool ok = session_open(&loop, session, arena, &old, &none, err);
    loop.progress.total = loop.to_run = count;
    ok = ok && run_pairs(&loop, pairs, count, out, err);
    session_close(&loop, out, ok ? NULL : err);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
// The supervisor of a search. Each case is a space of shapes: the strategy's requests go to the worker, and its
// answers become the records of the shapes.
#include "tune_session.h"

#include "../base/clock.h"
#include "../engine/supervise/expectations.h"
#include "../engine/supervise/session_loop.h"
#include "../engine/supervise/signals.h"
#include "tuned_records.h"
#include "../truth/stats/summary.h"
#include "../record/journal.h"
#include "../record/terms.h"

#include <math.h>
#include <string.h>

enum { FEW_SHAPES = 8, PREFILL_SHAPES = 72 }; // PREFILL_SHAPES: the largest space that a race starts whole

struct tuner {
    struct session_loop loop;
    const struct tuning *tuning;
    struct arena *arena;
    struct json_object *cases;    // the items of $.run.tuning
    size_t planned;               // cases
    struct json_object **records; // of all finished cases
    size_t count, capacity;
    struct model model;
};

// The current case.
struct case_search {
    struct tuner *tuner;
    const struct point *points; // of the plan
    size_t count;
    const struct point **legal;
    size_t legal_count;
    const char **names;           // of the legal shapes, "wg=64x1x1"
    struct json_object **records; // of each shape: its first record, then its final one
    const char *name, *family;
    int64_t start_ns, end_ns; // end: 0 without a budget
    bool asked, failed, done;
    struct error *err;
    struct arena arena;
};

// ---- asking

static double first_sample(struct json_object *record) {
    struct json_object *raw = json_get(json_get(json_get(record, "time"), "compute"), "raw_ns");
    return json_object_is_type(raw, json_type_array) && json_object_array_length(raw)
               ? json_object_get_double(json_object_array_get_idx(raw, 0))
               : NAN;
}

// Asks for one sample. *record is NULL after an interrupt.
static bool sample(struct case_search *c, size_t shape, struct json_object **record) {
    struct session_loop *loop = &c->tuner->loop;
    if (!worker_ask(&loop->worker, MESSAGE_SAMPLE, c->legal[shape], record, c->err)) return false;
    if (*record) session_judge(loop, *record);
    return true;
}

// Asks a shape again by itself if its first record calls for that. Returns false, with the record released, on
// failure.
static bool try_again(struct case_search *c, size_t shape, struct json_object **record) {
    struct json_object *again = NULL;
    if (!c->tuner->loop.session->retry || !retry_is_due(*record)) return true;
    c->failed = !sample(c, shape, &again);
    c->tuner->loop.interrupted |= !c->failed && !again;
    if (again)
        *record = retry_join(*record, again);
    else
        json_object_put(*record);
    return again;
}

// Counts a shape as tried. Progress is of shapes.
static void count_shape(struct case_search *c, size_t shape) {
    session_did(&c->tuner->loop, c->legal[shape]);
    c->tuner->loop.progress.done++;
}

static enum answer ask(void *user, size_t shape, double *ns) {
    struct case_search *c = user;
    struct json_object *record;
    c->tuner->loop.interrupted |= signals_interrupted();
    // The first shape is the default. It is asked even if its preparation used up the case's share of the budget.
    if (c->tuner->loop.interrupted || (c->asked && c->end_ns && clock_ns() >= c->end_ns)) return ANSWER_STOP;
    c->asked = true;
    c->tuner->loop.progress.current = c->legal[shape]->name;
    if (!sample(c, shape, &record)) {
        c->failed = true;
        return ANSWER_STOP;
    }
    if (!record) {
        c->tuner->loop.interrupted = true;
        return ANSWER_STOP;
    }
    if (!c->records[shape] && !try_again(c, shape, &record)) return ANSWER_STOP;
    bool right = record_json_is(record, RECORD_PASS);
    *ns = first_sample(record);
    if (c->records[shape] && right) {
        json_object_put(record);
    } else {
        if (!c->records[shape]) count_shape(c, shape);
        json_object_put(c->records[shape]);
        c->records[shape] = record;
        session_tell(&c->tuner->loop, right ? NULL : record);
    }
    return right ? ANSWER_TIME : ANSWER_WRONG;
}

// ---- neighbours

// Returns whether the choice is right at the neighbouring dims. If it is not, its record names the dims. An
// interrupted check (record NULL) counts as right, because nothing speaks against the choice.
static bool right_nearby(struct case_search *c, int best, size_t *checked) {
    struct tuner *t = c->tuner;
    size_t count;
    struct point *near = neighbours_of(
        &c->arena, c->legal[best], t->loop.session->device, t->loop.session->options.settings.memory_share, &count);
    *checked = 0;
    for (size_t i = 0; i < count && !t->loop.interrupted; i++) {
        struct json_object *record;
        c->failed = !worker_ask(&t->loop.worker, MESSAGE_CHECK, &near[i], &record, c->err);
        if (c->failed) return true;
        t->loop.interrupted |= !record;
        const char *status = json_get_string(record, "status", "pass");
        bool right = strcmp(status, "pass") == 0 || strcmp(status, "skip") == 0;
        if (!right) tuned_record_fail(c->records[best], record);
        json_object_put(record);
        if (!right) {
            session_tell(&t->loop, c->records[best]);
            return false;
        }
        ++*checked;
    }
    return true;
}

static void choose_right(struct case_search *c, struct search_finding *finding, struct tuned_case *tuned) {
    while (finding->best != NOT_FOUND && !c->failed && !right_nearby(c, finding->best, &tuned->neighbours)) {
        finding->wrong[finding->best] = true;
        finding->barred++;
        finding_choose(finding, c->legal_count, CASE_LEAST);
    }
}

// ---- a case

static void open_case(struct case_search *c) {
    struct arena *arena = &c->arena;
    const struct point *first = &c->points[0];
    const char *dims = strchr(strchr(first->name, '/') + 1, '/');
    c->legal = arena_alloc(arena, c->count, sizeof *c->legal);
    c->names = arena_alloc(arena, c->count, sizeof *c->names);
    c->records = arena_alloc(arena, c->count, sizeof *c->records);
    c->name = arena_copy_n(arena, first->name, first->case_length);
    c->family = arena_copy_n(arena, first->name, (size_t)(dims - first->name));
    for (size_t i = 0; i < c->count; i++) {
        if (c->points[i].refused) continue;
        c->names[c->legal_count] = c->points[i].name + c->points[i].case_length + 1;
        c->legal[c->legal_count++] = &c->points[i];
    }
}

static void tell_shapes(const struct case_search *c, const struct search_finding *f, struct tuned_case *tuned) {
    tuned->runner_up_loss = tuned->standard_loss = NAN;
    if (f->best == NOT_FOUND) return;
    const struct summary *best = &f->times[f->best];
    tuned->best = c->names[f->best];
    tuned->best_ns = best->median;
    tuned->lo_ns = best->lo;
    tuned->hi_ns = best->hi;
    tuned->ties = f->tie_count;
    if (f->runner_up != NOT_FOUND) {
        tuned->runner_up = c->names[f->runner_up];
        tuned->runner_up_loss = f->times[f->runner_up].median / best->median - 1;
    }
    for (size_t i = 0; i < c->legal_count; i++) {
        if (!c->legal[i]->is_default || f->wrong[i] || !f->times[i].samples) continue;
        tuned->standard = c->names[i];
        tuned->standard_loss = f->times[i].median / best->median - 1;
    }
}

// Takes `record` over.
static void add_record(struct tuner *t, struct json_object *record) {
    t->records = arena_grow(t->arena, t->records, t->count, &t->capacity, sizeof *t->records);
    t->records[t->count++] = record;
}

static bool keep(struct tuner *t, struct json_object *record, struct error *err) {
    add_record(t, record);
    if (!journal_append(t->loop.journal, record, err)) return false;
    journal_evict(t->loop.journal, record);
    return true;
}

// Writes the case's records to the journal; the last one marks the case as done.
static bool keep_case(struct case_search *c, const struct search_finding *finding, struct json_object *about) {
    struct tuner *t = c->tuner;
    struct json_object *last = NULL;
    bool ok = true;
    for (size_t i = 0; ok && i < c->legal_count; i++) {
        struct json_object *record = c->records[i];
        if (!record) continue;
        if (finding->times[i].samples)
            record = tuned_record(record, &finding->times[i], finding->raw[i], finding->wrong[i]);
        c->records[i] = NULL;
        if (last) ok = keep(t, last, c->err);
        last = record;
    }
    const struct point *first = &c->points[0];
    if (!last)
        last = stand_in(
            t->loop.session, first, RECORD_SKIP, "the search ended before any shape was asked", first->refused);
    if (!ok) {
        json_object_put(last);
        return false;
    }
    json_put(last, TUNED_CASE, json_object_get(about));
    return keep(t, last, c->err);
}

static bool finish_case(
    struct case_search *c, const struct space *space, struct search_finding *finding, struct tuned_case *tuned) {
    struct tuner *t = c->tuner;
    choose_right(c, finding, tuned);
    if (c->failed) return false;
    tuned->tried = finding->tried;
    tuned->wrong = finding->barred;
    tuned->samples = finding->samples;
    tuned->seconds = (double)(clock_ns() - c->start_ns) * 1e-9;
    tuned->stopped = finding->stopped;
    tell_shapes(c, finding, tuned);
    if (t->loop.interrupted) return true; // this case will be searched again
    c->done = !tuned->stopped || tuned->best;
    t->loop.out_of_budget |= !c->done;
    for (size_t i = 0; c->done && i < c->legal_count; i++)
        if (!c->records[i]) count_shape(c, i); // the search needs no time of it
    struct json_object *about = c->done ? tuned_about(tuned, c->points, c->count) : NULL;
    bool ok = !c->done || keep_case(c, finding, about);
    if (c->done) {
        model_learn(&t->model, c->family, c->names, space, finding);
        json_object_array_add(t->cases, about);
    }
    if (ok && t->tuning->report) t->tuning->report(t->tuning->user, tuned);
    return ok;
}

static bool search(struct case_search *c) {
    struct tuner *t = c->tuner;
    struct search_finding finding;
    const struct strategy *strategy = t->tuning->strategy;
    if (!strategy) strategy = strategy_named(c->legal_count <= FEW_SHAPES ? "exhaustive" : "race");
    struct space space = {.count = c->legal_count, .ask = ask, .user = c};
    struct tuned_case tuned = {.name = c->name,
        .strategy = strategy->name,
        .legal = c->legal_count,
        .product = shapes_in_all(c->points[0].kernel)};
    space.places = places_of_names(&c->arena, c->names, c->legal_count, &space.axes);
    for (size_t i = 0; i < c->legal_count; i++) {
        space.places[i].standard = c->legal[i]->is_default;
        space.places[i].start = c->legal[i]->is_default || *c->legal[i]->systems;
    }
    model_expect(&t->model, c->family, c->names, &space);
    const struct settings *settings = &t->loop.session->options.settings;
    struct search_options options = {.seed = t->loop.session->options.seed};
    if (settings->least_samples == settings->most_samples) options.least = (size_t)settings->least_samples;
    strategy_search(strategy, &space, &options, &c->arena, &finding);
    return !c->failed && finish_case(c, &space, &finding, &tuned);
}

static bool search_case(struct tuner *t, size_t first, size_t count, size_t cases_left, struct error *err) {
    struct case_search c = {.tuner = t, .points = &t->loop.session->plan.points[first], .count = count, .err = err};
    // The remaining cases share out the budget.
    const double budget_s = t->loop.session->budget_s, left_s = fmax(budget_s - session_elapsed_s(&t->loop), 0);
    c.start_ns = clock_ns();
    if (budget_s > 0) c.end_ns = c.start_ns + (int64_t)(left_s * 1e9 / (double)cases_left);
    bool ok = true;
    open_case(&c);
    if (c.legal_count <= PREFILL_SHAPES && c.legal_count > 1)
        ok = worker_prefill(&t->loop.worker, first, first + count, err);
    ok = ok && search(&c);
    // Faulty records of an unfinished case are added at the end of the run, because the case will be searched again.
    for (size_t i = 0; !c.done && i < c.legal_count; i++)
        if (c.records[i] && retry_is_due(c.records[i])) add_record(t, json_object_get(c.records[i]));
    for (size_t i = 0; i < c.legal_count; i++) json_object_put(c.records[i]);
    arena_free(&c.arena);
    return ok;
}

// ---- all cases

static size_t case_end(const struct plan *plan, size_t first) {
    size_t end = first + 1, length = plan->points[first].case_length;
    while (end < plan->count && plan->points[end].case_length == length &&
           memcmp(plan->points[end].name, plan->points[first].name, length) == 0)
        end++;
    return end;
}

static bool is_done(const struct tuner *t, const struct point *point) {
    for (size_t i = 0; i < json_object_array_length(t->cases); i++) {
        const char *name = json_get_string(json_object_array_get_idx(t->cases, i), "case", "");
        if (strlen(name) == point->case_length && memcmp(name, point->name, point->case_length) == 0) return true;
    }
    return false;
}

// Counts the cases and the shapes to try.
static void plan_progress(struct tuner *t) {
    const struct plan *plan = &t->loop.session->plan;
    for (size_t i = 0, end; i < plan->count; i = end) {
        const bool done = is_done(t, &plan->points[i]);
        end = case_end(plan, i);
        t->planned++;
        for (size_t p = i; p < end; p++) {
            if (plan->points[p].refused) continue;
            t->loop.progress.total++;
            t->loop.progress.done += done;
            if (!done) session_expect(&t->loop, &plan->points[p]);
        }
    }
}

static bool search_all(struct tuner *t, struct error *err) {
    const struct plan *plan = &t->loop.session->plan;
    plan_progress(t);
    for (size_t i = 0, end; i < plan->count && !t->loop.interrupted; i = end) {
        end = case_end(plan, i);
        if (is_done(t, &plan->points[i])) continue;
        if (!session_goes_on(&t->loop)) return true;
        const size_t left = t->planned - json_object_array_length(t->cases);
        if (!search_case(t, i, end - i, left, err)) return false;
        session_tell(&t->loop, NULL);
    }
    return true;
}

// ---- the journal

// Takes over records of finished cases and drops the others, because their cases are searched again.
static void take_old(struct tuner *t, struct json_object **old, size_t count) {
    struct json_object *last = NULL;
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        struct json_object *about = json_get(old[i], TUNED_CASE);
        if (!about) continue;
        last = old[i];
        const char *name = json_get_string(about, "case", "");
        for (; first <= i; first++)
            if (strncmp(json_get_string(old[first], "name", ""), name, strlen(name)) == 0)
                add_record(t, json_object_get(old[first]));
        json_object_array_add(t->cases, json_object_get(about));
    }
    journal_rewind(t->loop.journal, last); // the records after it will be made again
    for (size_t i = 0; i < count; i++) json_object_put(old[i]);
}

static void hand_over(struct tuner *t, struct outcome *out) {
    out->records = t->records;
    out->count = t->count;
    out->left = t->planned - json_object_array_length(t->cases);
    json_put(json_get(t->loop.context, "run"), "tuning", tuned_tuning(t->loop.session->budget_s, t->cases));
    json_object_put(t->cases);
}

bool supervise_tune(
    struct arena *arena, struct session *session, const struct tuning *tuning, struct outcome *out, struct error *err) {
    struct tuner t = {.tuning = tuning, .arena = arena, .model = {.arena = arena}};
    struct json_object **old;
    size_t count;
    *out = (struct outcome){0};
    bool open = session_open(&t.loop, session, arena, &old, &count, err);
    t.cases = json_object_new_array();
    if (open) take_old(&t, old, count);
    bool ok = open && search_all(&t, err);
    if (open)
        hand_over(&t, out);
    else
        json_object_put(t.cases);
    session_close(&t.loop, out, ok ? NULL : err);
    return ok;
}

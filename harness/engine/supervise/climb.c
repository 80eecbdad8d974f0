// SPDX-License-Identifier: Apache-2.0
// A timed plan that grows: its order, and its end at a wrong case or before one beyond the budget.
#include "supervisor.h"

#include "../../base/memory.h"
#include "../../record/terms.h"
#include "batches.h"

#include <math.h>
#include <stdlib.h>

// ---- the order

// A case of more work than the last one by less than this factor says little more. The first ones are kept, as they
// are odd.
static const double step = 8;
enum { FIRST_CASES = 3 };

struct climb_place {
    struct point point;
    double work;
    size_t at;
};

static int by_work(const void *a, const void *b) {
    const struct climb_place *x = a, *y = b;
    if (!x->point.peak != !y->point.peak) return x->point.peak ? -1 : 1;
    if (!x->point.peak && x->work != y->work) return x->work < y->work ? -1 : 1;
    if (!x->point.peak && x->point.is_default != y->point.is_default) return x->point.is_default ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

// Returns whether the point is of a case to keep, after `kept` others.
static bool is_step(const struct climb_place *place, const struct climb_place *last, size_t cases) {
    return !last || cases < FIRST_CASES || place->work >= step * last->work;
}

void supervise_climb(struct plan *plan, bool in_steps) {
    struct climb_place *places = memory_alloc(plan->count + 1, sizeof *places);
    const struct climb_place *last = NULL;
    size_t kept = 0, cases = 0;
    for (size_t i = 0; i < plan->count; i++)
        places[i] = (struct climb_place){plan->points[i], plan->points[i].peak ? 0 : point_work(&plan->points[i]), i};
    qsort(places, plan->count, sizeof *places, by_work);
    for (size_t i = 0; i < plan->count; i++) {
        const struct point *point = &places[i].point;
        const bool same = last && point_same_case(point, &last->point);
        if (!point->peak && !same && in_steps && !is_step(&places[i], last, cases)) continue;
        if (!point->peak && !same) last = &places[i], cases++;
        plan->points[kept++] = *point;
    }
    plan->count = kept;
    free(places);
}

// ---- the end

// Dispatches of a point that takes few samples: checks, warm-up, samples. A short one takes more of them.
static const double most_dispatches = 40;
// A point may take this share of its timeout: the estimate is from a case of another size.
static const double share_of_timeout = 0.25;

static double least(const struct climb *climb, double least_s, double seconds) {
    return climb->work > 0 && least_s < seconds ? least_s : seconds;
}

void climb_note(struct climb *climb, const struct session *session, size_t index, struct json_object *record) {
    static const char *const others[] = {"upload_ns", "download_ns", "reference_ns", "judge_ns"};
    const struct point *point = &session->plan.points[index];
    struct json_object *wall = json_get(record, "wall"), *compute = json_get(json_get(record, "time"), "compute");
    if (point->peak) return;
    climb->wrong |= session->climbs == CLIMB_RIGHT && outcome_is_bad(record_outcome_json(record));
    if (!record_json_is(record, RECORD_PASS)) return;
    climb->compute_s = json_get_double(wall, "compute_ns", 0) * 1e-9;
    climb->once_s = json_get_double(compute, "median_ns", 0) * 1e-9;
    climb->other_s = 0;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        climb->other_s += json_get_double(wall, others[i], 0) * 1e-9;
    climb->base_once_s = least(climb, climb->base_once_s, climb->once_s);
    climb->base_other_s = least(climb, climb->base_other_s, climb->other_s);
    climb->work = fmax(point_work(point), 1);
}

static double growing(double base_s, double seconds, double ratio) {
    return base_s + (seconds - base_s) * ratio;
}

// Transfers, references and judging may take this many times the estimate of the whole point. Small cases take
// milliseconds of them, which tell little of cases a thousand times larger.
static const double most_estimates = 10;

// Returns the expected time of a point. Its samples take at least as long as those of the case before it.
static double expected_s(const struct climb *climb, const struct session *session, const struct point *point) {
    const double ratio = point_work(point) / climb->work;
    const double dispatches = climb->once_s > 0 ? fmin(climb->compute_s / climb->once_s, most_dispatches) : 0;
    const double most_s = most_estimates * runner_cost(point, &session->options, session->device);
    return fmax(climb->compute_s, dispatches * growing(climb->base_once_s, climb->once_s, ratio)) +
           fmin(growing(climb->base_other_s, climb->other_s, ratio), fmax(most_s, climb->other_s));
}

bool climb_goes_on(struct climb *climb, struct session *session, size_t next, double elapsed_s) {
    struct plan *plan = &session->plan;
    const struct point *point = &plan->points[next];
    double seconds = 0;
    if (!session->climbs || point->peak || point->refused) return true;
    if (!climb->begun) climb->start_s = elapsed_s;
    climb->begun = true;
    if (!(climb->work > 0) && !climb->wrong) return true;
    for (size_t i = next; !climb->wrong && i < plan->count && point_same_case(&plan->points[i], point); i++)
        seconds += plan->points[i].refused ? 0 : expected_s(climb, session, point);
    const bool fits = !(session->budget_s > 0) || elapsed_s - climb->start_s + seconds <= session->budget_s;
    if (!climb->wrong && fits && seconds <= share_of_timeout * session->point_timeout_s) return true;
    climb->end = (struct climb_end){plan->count - next, point->name, seconds, climb->wrong};
    plan->count = next;
    return false;
}

// SPDX-License-Identifier: Apache-2.0
#include "history.h"

#include "../../truth/stats/change.h"
#include "../../truth/stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double median_of(const double *values, size_t count) {
    return summarize(values, count).median;
}

// Finds the runs where the medians change their level, and the factors.
static void find_changes(struct history *h, struct history_point *point) {
    double *medians = arena_alloc(h->arena, point->timed, sizeof *medians);
    size_t *runs = arena_alloc(h->arena, point->timed, sizeof *runs), at = 0, before = 0;
    const struct change_rules rules = {h->effect, true};
    struct change starts[HISTORY_CHANGES];
    for (size_t i = 0; i < h->run_count; i++)
        if (point->times[i].median > 0) {
            runs[at] = i;
            medians[at++] = point->times[i].median;
        }
    point->first = runs[0];
    point->last = runs[at - 1];
    point->noise = fmax(h->effect, change_noise(medians, at, at));
    point->change_count = change_points(medians, at, &rules, starts, HISTORY_CHANGES);
    for (size_t c = 0; c < point->change_count; c++) {
        const size_t start = starts[c].at, end = c + 1 < point->change_count ? starts[c + 1].at : at;
        point->changes[c] = runs[start];
        point->least[c] = starts[c].least;
        point->factors[c] = median_of(medians + start, end - start) / median_of(medians + before, start - before);
        before = start;
    }
}

// Keeps the point at the end of the list if it was timed in at least two runs.
static void keep_point(struct history *h, struct history_point *point) {
    if (point->timed < 2) return;
    find_changes(h, point);
    h->changed += point->change_count > 0;
    h->count++;
}

static size_t latest(const struct history_point *point) {
    return point->change_count ? point->changes[point->change_count - 1] + 1 : 0;
}

static int by_interest(const void *a, const void *b) {
    const struct history_point *x = a, *y = b;
    if (latest(x) != latest(y)) return latest(x) > latest(y) ? -1 : 1;
    return strcmp(x->name, y->name);
}

void history_begin(struct history *h, const char *const *names, size_t points) {
    h->points = arena_alloc(h->arena, points + 1, sizeof *h->points);
    for (size_t i = 0; i < points; i++) h->points[i] = (struct history_point){.of = h, .name = names[i]};
    h->count = points;
}

void history_add(struct history *h, size_t run, const struct history_outcome *outcomes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct history_outcome *outcome = &outcomes[i];
        struct history_point *point = &h->points[outcome->point];
        point->wrong += outcome->wrong;
        h->runs[run].wrong += outcome->bad;
        if (!(outcome->time.median > 0)) continue;
        if (!point->times) point->times = arena_alloc(h->arena, h->run_count, sizeof *point->times);
        if (point->times[run].median > 0) continue;
        point->times[run] = outcome->time;
        point->timed++;
    }
}

void history_end(struct history *h) {
    const size_t points = h->count;
    h->count = 0;
    for (size_t i = 0; i < points; i++) { // kept points move to the front
        h->points[h->count] = h->points[i];
        keep_point(h, &h->points[h->count]);
    }
    qsort(h->points, h->count, sizeof *h->points, by_interest);
}

size_t history_wrong_runs(const struct history *history) {
    size_t count = 0;
    for (size_t i = 0; i < history->run_count; i++) count += history->runs[i].wrong > 0;
    return count;
}

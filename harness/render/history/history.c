// SPDX-License-Identifier: Apache-2.0
#include "history.h"

#include "../../record/terms.h"

#include "../../record/cases.h"
#include "../../stats/change.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../../stats/summary.h"
#include "../../base/json.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Sorts by date; ISO dates sort as text. Runs of the same second keep their order.
static int by_date(const void *a, const void *b) {
    const struct history_run *x = a, *y = b;
    int order = strcmp(x->started, y->started);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static bool make_runs(struct history *h, const struct result *results, const char *const *paths, size_t count,
    enum device_projection projection, struct error *err) {
    h->runs = arena_alloc(&h->arena, count, sizeof *h->runs);
    for (size_t i = 0; i < count; i++) {
        const struct device_info *first = results[0].device, *device = results[i].device;
        const struct device_key a = device_key(first, results[0].context), b = device_key(device, results[i].context);
        if (device_key_difference(a, b, projection))
            return error_set(err, STATUS_BAD_INPUT,
                "%s: $.device: expected %s, %s, as in %s, found %s, %s: a history is of one device%s", paths[i],
                first->name, device_unit(&h->arena, a), paths[0], device->name, device_unit(&h->arena, b),
                device_key_difference(a, b, DEVICE_MODEL) ? "" : " (--alike takes all devices of a model)");
        struct json_object *run = json_get(results[i].context, "run"), *tool = json_get(results[i].context, "tool");
        h->runs[i] = (struct history_run){.result = &results[i],
            .path = paths[i],
            .started = json_get_string(run, "started", "unknown"),
            .suite = result_suite(&h->arena, &results[i], ""),
            .seed = json_get_string(run, "seed", ""),
            .driver = device->driver_info,
            .git = json_get_string(tool, "git", ""),
            .number = i};
    }
    h->run_count = count;
    qsort(h->runs, count, sizeof *h->runs, by_date);
    for (size_t i = 0; i < count; i++) h->runs[i].number = i + 1;
    return true;
}

struct entry {
    const struct record *record;
    size_t run;
};

static int by_name_and_run(const void *a, const void *b) {
    const struct entry *x = a, *y = b;
    int order = strcmp(x->record->name, y->record->name);
    return order ? order : (x->run > y->run) - (x->run < y->run);
}

static double median_of(const double *values, size_t count) {
    return summarize(values, count).median;
}

// Finds the runs where the medians change their level, and the factors.
static void find_changes(struct history *h, struct history_point *point) {
    double *medians = arena_alloc(&h->arena, point->timed, sizeof *medians);
    size_t *runs = arena_alloc(&h->arena, point->timed, sizeof *runs), at = 0, before = 0;
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

static void add_point(struct history *h, const struct entry *entries, size_t count) {
    struct history_point *point = &h->points[h->count];
    *point = (struct history_point){.of = h, .name = entries[0].record->name};
    point->times = arena_alloc(&h->arena, h->run_count, sizeof *point->times);
    for (size_t i = 0; i < count; i++) {
        const struct record *record = entries[i].record;
        if (record->status != RECORD_PASS && record->status != RECORD_SKIP) point->wrong++;
        h->runs[entries[i].run].wrong += standing_is_bad(record_standing(record));
        const struct summary *time = &record->time[FIGURE_COMPUTE];
        if (!record_is_timed(record) || point->times[entries[i].run].record) continue;
        point->times[entries[i].run] = (struct history_time){time->median, time->lo, time->hi, record};
        point->timed++;
    }
    keep_point(h, point);
}

static size_t latest(const struct history_point *point) {
    return point->change_count ? point->changes[point->change_count - 1] + 1 : 0;
}

static int by_interest(const void *a, const void *b) {
    const struct history_point *x = a, *y = b;
    if (latest(x) != latest(y)) return latest(x) > latest(y) ? -1 : 1;
    return strcmp(x->name, y->name);
}

static void make_points(struct history *h) {
    size_t total = 0, count = 0;
    for (size_t r = 0; r < h->run_count; r++) total += h->runs[r].result->count;
    struct entry *entries = arena_alloc(&h->arena, total + 1, sizeof *entries);
    h->points = arena_alloc(&h->arena, total + 1, sizeof *h->points);
    for (size_t r = 0; r < h->run_count; r++)
        for (size_t i = 0; i < h->runs[r].result->count; i++)
            entries[count++] = (struct entry){&h->runs[r].result->records[i], r};
    qsort(entries, count, sizeof *entries, by_name_and_run);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && strcmp(entries[first].record->name, entries[next].record->name) == 0;)
            next++;
        add_point(h, entries + first, next - first);
    }
    qsort(h->points, h->count, sizeof *h->points, by_interest);
}

bool history_make(const struct result *results, const char *const *paths, size_t count,
    enum device_projection projection, double effect, struct history *out, struct error *err) {
    *out = (struct history){.effect = effect, .device = results[0].device->name};
    if (!make_runs(out, results, paths, count, projection, err)) {
        history_free(out);
        return false;
    }
    make_points(out);
    return true;
}

// Fills in times and failures. Points are already numbered by name, so only runs need sorting.
static void take_times(struct history *h, const struct store_series *series, const size_t *places) {
    for (size_t i = 0; i < series->time_count; i++) {
        const struct store_time *time = &series->times[i];
        struct history_point *point = &h->points[time->point];
        if (places[time->run] == SIZE_MAX) continue; // of another unit
        struct history_time *at = &point->times[places[time->run]];
        point->wrong += time->median == 0;
        h->runs[places[time->run]].wrong += time->median == 0;
        if (time->median == 0 || at->median > 0) continue;
        *at = (struct history_time){time->median, time->lo, time->hi, NULL};
        point->timed++;
    }
}

bool history_of_series(const struct store_series *series, const char *unit, double effect, struct history *out) {
    *out = (struct history){.effect = effect, .device = series->device};
    out->runs = arena_alloc(&out->arena, series->run_count + 1, sizeof *out->runs);
    out->points = arena_alloc(&out->arena, series->point_count + 1, sizeof *out->points);
    size_t *places = arena_alloc(&out->arena, series->run_count + 1, sizeof *places);
    if (unit && series->unit_count > 1) out->device = arena_format(&out->arena, "%s, unit %s", series->device, unit);
    for (size_t i = 0; i < series->run_count; i++) {
        const struct store_run *run = &series->runs[i];
        places[i] = SIZE_MAX;
        if (unit && strcmp(run->unit, unit) != 0) continue;
        out->runs[out->run_count++] =
            (struct history_run){NULL, run->file, run->started, run->suite, run->seed, run->driver, run->git, i, 0};
    }
    qsort(out->runs, out->run_count, sizeof *out->runs, by_date);
    for (size_t i = 0; i < out->run_count; i++) {
        places[out->runs[i].number] = i;
        out->runs[i].number = i + 1;
    }
    for (size_t i = 0; i < series->point_count; i++) {
        out->points[i] = (struct history_point){.of = out, .name = series->points[i]};
        out->points[i].times = arena_alloc(&out->arena, series->run_count + 1, sizeof *out->points[i].times);
    }
    take_times(out, series, places);
    for (size_t i = 0; i < series->point_count; i++) { // kept points move to the front
        out->points[out->count] = out->points[i];
        keep_point(out, &out->points[out->count]);
    }
    qsort(out->points, out->count, sizeof *out->points, by_interest);
    return out->run_count > 0;
}

size_t history_wrong_runs(const struct history *history) {
    size_t count = 0;
    for (size_t i = 0; i < history->run_count; i++) count += history->runs[i].wrong > 0;
    return count;
}

void history_free(struct history *history) {
    arena_free(&history->arena);
    *history = (struct history){0};
}

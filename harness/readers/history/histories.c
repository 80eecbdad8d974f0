// SPDX-License-Identifier: Apache-2.0
// Reads results for histories, keeps their times, and groups them by device.
#include "history.h"

#include "../../base/json.h"
#include "../../base/names.h"
#include "../../device/device_info.h"
#include "../../record/cases.h"
#include "../../record/footnotes.h"
#include "../../record/record.h"

#include <stdlib.h>
#include <string.h>

// What is kept of a result.
struct kept_run {
    struct history_run run;
    const struct device_key *device; // NULL: it was skipped
    const struct history_outcome *outcomes;
    size_t count;
    bool found;
};

struct histories_gathering {
    struct arena *arena;
    const struct history_rules *rules;
    struct kept_run *runs; // as given
    size_t run_count;
    const char **points; // by number
    size_t point_count, point_capacity;
    struct names numbers;
    struct device_key **devices; // those that differ in anything
    size_t device_count, device_capacity;
};

// Returns the key of a result's device, kept once for equal ones.
static const struct device_key *keep_device(struct histories_gathering *g, const struct result *result) {
    const struct device_key key = device_key(result->device, result->context);
    for (size_t i = 0; i < g->device_count; i++) {
        const struct device_key *known = g->devices[i];
        if (memcmp(known->device, key.device, sizeof *key.device) == 0 && known->cores == key.cores &&
            strcmp(known->processor, key.processor) == 0)
            return known;
    }
    struct device_info *info = arena_alloc(g->arena, 1, sizeof *info);
    struct device_key *kept = arena_alloc(g->arena, 1, sizeof *kept);
    memcpy(info, key.device, sizeof *info);
    *kept = (struct device_key){info, arena_copy(g->arena, key.processor), key.cores};
    g->devices = arena_grow(g->arena, g->devices, g->device_count, &g->device_capacity, sizeof(struct device_key *));
    return g->devices[g->device_count++] = kept;
}

static uint32_t number_of(struct histories_gathering *g, const char *name) {
    size_t number = names_get(&g->numbers, name, strlen(name));
    if (number != NAMES_NONE) return (uint32_t)number;
    g->points = arena_grow(g->arena, g->points, g->point_count, &g->point_capacity, sizeof(char *));
    number = g->point_count++;
    g->points[number] = arena_copy(g->arena, name);
    names_put(&g->numbers, g->points[number], strlen(name), number);
    return (uint32_t)number;
}

static void keep_outcomes(struct histories_gathering *g, const struct result *result, struct kept_run *kept) {
    struct history_outcome *outcomes = arena_alloc(g->arena, result->count + 1, sizeof *outcomes);
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const struct summary *time = &record->time[FIGURE_COMPUTE];
        struct history_outcome outcome = {.wrong = record->status != RECORD_PASS && record->status != RECORD_SKIP,
            .bad = outcome_is_bad(record_outcome(record))};
        if (record_is_timed(record))
            outcome.time = (struct history_time){time->median, time->lo, time->hi,
                footnotes_bits(&(struct shown_figure){result, record, FOOTNOTE_OF_TIME, FIGURE_COMPUTE})};
        else if (!outcome.wrong && !outcome.bad)
            continue;
        outcome.point = number_of(g, record->name);
        outcomes[kept->count++] = outcome;
    }
    kept->outcomes = outcomes;
}

static void keep_result(struct histories_gathering *g, size_t place, struct result *result, struct result_file file) {
    struct json_object *run = json_get(result->context, "run"), *tool = json_get(result->context, "tool");
    struct kept_run *kept = &g->runs[place];
    result_clamp(result, g->rules->profile);
    kept->device = keep_device(g, result);
    kept->found = file.found;
    kept->run = (struct history_run){.path = file.path,
        .started = arena_copy(g->arena, json_get_string(run, "started", "unknown")),
        .suite = arena_copy(g->arena, result_suite(g->arena, result, "")),
        .seed = arena_copy(g->arena, json_get_string(run, "seed", "")),
        .driver = kept->device->device->driver_info,
        .git = arena_copy(g->arena, json_get_string(tool, "git", ""))};
    keep_outcomes(g, result, kept);
}

// ---- histories

// Sorts by date; ISO dates sort as text. Runs of the same second keep their order.
static int by_date(const void *a, const void *b) {
    const struct kept_run *x = *(struct kept_run *const *)a, *y = *(struct kept_run *const *)b;
    int order = strcmp(x->run.started, y->run.started);
    return order ? order : (x > y) - (x < y);
}

static bool same_texts(const struct history_run *a, const struct history_run *b) {
    return strcmp(a->started, b->started) == 0 && strcmp(a->suite, b->suite) == 0 && strcmp(a->seed, b->seed) == 0 &&
           strcmp(a->driver, b->driver) == 0 && strcmp(a->git, b->git) == 0;
}

// Returns whether both are copies of one run. Two devices may have begun in one second, so the times are compared too.
static bool same_run(const struct kept_run *a, const struct kept_run *b) {
    if (!a->found || !b->found || a->count != b->count || !same_texts(&a->run, &b->run)) return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->outcomes[i].point != b->outcomes[i].point || a->outcomes[i].time.median != b->outcomes[i].time.median)
            return false;
    return true;
}

// Removes copies from runs sorted by date; returns the number that is left.
static size_t drop_copies(struct kept_run **runs, size_t count) {
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        size_t k = left;
        while (k > 0 && strcmp(runs[k - 1]->run.started, runs[i]->run.started) == 0 && !same_run(runs[k - 1], runs[i]))
            k--;
        const bool copy = k > 0 && strcmp(runs[k - 1]->run.started, runs[i]->run.started) == 0;
        if (!copy) runs[left++] = runs[i];
    }
    return left;
}

// Makes a history of runs of one device, in the order they were given.
static void make_history(struct histories_gathering *g, struct kept_run **runs, size_t count, struct history *h) {
    *h = (struct history){.arena = g->arena, .effect = g->rules->effect, .device = runs[0]->device->device->name};
    h->unit = device_unit(g->arena, *runs[0]->device);
    qsort(runs, count, sizeof *runs, by_date);
    h->run_count = drop_copies(runs, count);
    h->runs = arena_alloc(g->arena, h->run_count, sizeof *h->runs);
    history_begin(h, g->points, g->point_count);
    for (size_t i = 0; i < h->run_count; i++) {
        h->runs[i] = runs[i]->run;
        h->runs[i].number = i + 1;
        history_add(h, i, runs[i]->outcomes, runs[i]->count);
    }
    history_end(h);
}

// Names a unit only beside others of its name.
static void name_units(struct histories *out) {
    const size_t count = out->count;
    bool *namesakes = arena_alloc(&out->arena, count + 1, sizeof *namesakes);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const bool same = strcmp(out->items[i].device, out->items[k].device) == 0;
            namesakes[i] |= same && k != i;
            out->many_names |= !same;
        }
    for (size_t i = 0; i < count; i++)
        if (!namesakes[i]) out->items[i].unit = NULL;
}

static void make_histories(struct histories_gathering *g, struct histories *out) {
    struct kept_run **runs = arena_alloc(g->arena, g->run_count + 1, sizeof *runs);
    struct device_key *keys = arena_alloc(g->arena, g->run_count + 1, sizeof *keys);
    size_t *of = arena_alloc(g->arena, g->run_count + 1, sizeof *of), kept = 0;
    for (size_t i = 0; i < g->run_count; i++)
        if (g->runs[i].device) keys[kept++] = *g->runs[i].device;
    out->count = device_group(keys, kept, g->rules->projection, of);
    out->items = arena_alloc(g->arena, out->count + 1, sizeof *out->items);
    for (size_t d = 0; d < out->count; d++) {
        size_t count = 0, at = 0;
        for (size_t i = 0; i < g->run_count; i++)
            if (g->runs[i].device && of[at++] == d) runs[count++] = &g->runs[i];
        make_history(g, runs, count, &out->items[d]);
    }
    name_units(out);
    names_free(&g->numbers);
}

struct taking {
    struct histories_gathering gathering;
    const struct result_files *files;
};

static void take(void *user, size_t place, struct result *result) {
    struct taking *t = user;
    keep_result(&t->gathering, place, result, t->files->items[place]);
    result_free(result);
}

bool histories_read(
    struct result_files *files, const struct history_rules *rules, struct histories *out, struct error *err) {
    *out = (struct histories){0};
    struct taking t = {.files = files,
        .gathering = {.arena = &out->arena,
            .rules = rules,
            .runs = arena_alloc(&out->arena, files->count + 1, sizeof(struct kept_run)),
            .run_count = files->count}};
    const bool ok = result_files_read(&out->arena, files, result_read, take, &t, err);
    make_histories(&t.gathering, out);
    return ok && (out->count || error_set(err, STATUS_BAD_INPUT, "found no result that can be read"));
}

void histories_free(struct histories *histories) {
    arena_free(&histories->arena);
    *histories = (struct histories){0};
}

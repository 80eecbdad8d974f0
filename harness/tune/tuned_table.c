// SPDX-License-Identifier: Apache-2.0
#include "tuned_table.h"

#include "../base/file.h"
#include "../base/text.h"
#include "../device/profile.h"
#include "../base/fields.h"
#include "../record/terms.h"
#include "../record/result.h"
#include "../device/device_info.h"
#include "../record/journal.h"
#include "../truth/stats/summary.h"
#include "../base/json.h"
#include "../record/figures.h"
#include "../record/record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double tuned_loss(const struct tuned_entry *entry, const struct record *record) {
    return record ? compute_ns(record) / compute_ns(entry->best) - 1 : NAN;
}

// ---- searches

void tuned_searches_open(const struct result *result, struct tuned_searches *out) {
    struct json_object *run = json_get(result->context, "run");
    *out = (struct tuned_searches){.cases = json_get(json_get(run, "tuning"), "cases"), .cut = !whole_is(run)};
    for (size_t i = 0; out->cases && i < json_object_array_length(out->cases); i++) {
        const char *name = json_get_string(json_object_array_get_idx(out->cases, i), "case", "");
        names_put(&out->names, name, strlen(name), i);
    }
}

struct tuned_search tuned_search_of(const struct tuned_searches *searches, const char *case_name) {
    const size_t at = names_get(&searches->names, case_name, strlen(case_name));
    if (at == NAMES_NONE) return (struct tuned_search){.unfinished = searches->cut};
    struct json_object *one = json_object_array_get_idx(searches->cases, at);
    const int64_t legal = json_get_int(one, "legal", 0), tried = json_get_int(one, "tried", 0);
    return (struct tuned_search){.legal = legal > 0 ? (size_t)legal : 0,
        .tried = tried > 0 ? (size_t)tried : 0,
        .unfinished = json_get_bool(one, "stopped", false),
        .chosen = json_get_string(one, "chosen", NULL),
        .undecided = json_get_bool(one, "undecided", false)};
}

void tuned_searches_free(struct tuned_searches *searches) {
    names_free(&searches->names);
}

void tuned_note_searches(const struct tuned *tuned, struct json_object *context) {
    struct json_object *tuning = json_object_new_object(), *cases = json_object_new_array();
    if (!json_get(context, "run")) json_put(context, "run", json_object_new_object());
    for (size_t i = 0; i < tuned->count; i++) {
        struct json_object *one = json_object_new_object();
        json_put_string(one, "case", tuned->items[i].case_name);
        json_put_int(one, "legal", (int64_t)tuned->items[i].search.legal);
        json_put_int(one, "tried", (int64_t)tuned->items[i].shapes);
        json_put_bool(one, "stopped", tuned->items[i].search.unfinished);
        json_put_string(one, "chosen", record_shape(tuned->items[i].best));
        json_put_bool(one, "undecided", tuned->items[i].undecided);
        json_object_array_add(cases, one);
    }
    json_put(tuning, "cases", cases);
    json_put(json_get(context, "run"), "tuning", tuning);
}

size_t tuned_unfinished(const struct tuned *tuned) {
    size_t count = 0;
    for (size_t i = 0; i < tuned->count; i++) count += tuned->items[i].search.unfinished;
    return count;
}

bool tuned_is_noise(const struct tuned_entry *entry) {
    return time_is_noise(&entry->best->time[FIGURE_COMPUTE]);
}

size_t tuned_noisy(const struct tuned *tuned) {
    size_t count = 0;
    for (size_t i = 0; i < tuned->count; i++) count += tuned_is_noise(&tuned->items[i]);
    return count;
}

// ---- one entry

static void add_other(struct tuned_entry *out, const struct record *fastest, const struct record *record) {
    if (record == fastest || case_ties(fastest, record)) {
        if (out->tie_count < FINDING_TIES) out->ties[out->tie_count++] = record;
    } else if (!out->runner_up || compute_ns(record) < compute_ns(out->runner_up)) {
        out->runner_up = record;
    }
}

static struct tuned_entry make_entry(struct arena *arena, const struct case_group *group) {
    const struct record *first = group->records[0];
    const struct case_choice choice = case_choose(group->records, group->count);
    struct tuned_entry out = {.best = choice.chosen,
        .undecided = choice.undecided,
        .shapes = group->count,
        .dims = record_dims(first),
        .bucket = record_bucket(first),
        .case_name = record_case(arena, first)};
    for (size_t i = 0; i < group->count; i++) {
        const struct record *record = group->records[i];
        out.wrong += record->status != RECORD_PASS;
        if (!record_is_timed(record)) continue;
        out.samples += record->time[FIGURE_COMPUTE].samples;
        if (record->is_default) out.standard = record;
        if (record != out.best) add_other(&out, choice.fastest, record);
    }
    return out;
}

static bool is_candidate(const struct record *record, const void *user) {
    (void)user;
    return !record->peak && record->status != RECORD_SKIP && *record_shape(record);
}

void tuned_cases(const struct result *result, struct arena *arena, struct cases *out) {
    cases_make(result->records, result->count, is_candidate, NULL, arena, out);
}

void tuned_make(const struct result *result, struct arena *arena, struct tuned *out) {
    struct cases cases;
    struct tuned_searches searches;
    tuned_cases(result, arena, &cases);
    tuned_searches_open(result, &searches);
    *out = (struct tuned){.result = result, .items = arena_alloc(arena, cases.count, sizeof *out->items)};
    for (size_t i = 0; i < cases.count; i++) {
        struct tuned_entry *entry = &out->items[out->count];
        *entry = make_entry(arena, &cases.items[i]);
        entry->search = tuned_search_of(&searches, entry->case_name);
        out->count += entry->best != NULL;
    }
    tuned_searches_free(&searches);
}

static void clamp_entry(struct tuned_entry *entry, const struct profile *profile) {
    int ties = 0;
    for (int i = 0; i < entry->tie_count; i++)
        if (record_keeps_to(entry->ties[i], profile)) entry->ties[ties++] = entry->ties[i];
    entry->tie_count = ties;
    if (entry->runner_up && !record_keeps_to(entry->runner_up, profile)) entry->runner_up = NULL;
    if (entry->standard && !record_keeps_to(entry->standard, profile)) entry->standard = NULL;
}

size_t tuned_clamp(struct tuned *tuned, const struct profile *profile) {
    size_t kept = 0, had = tuned->count;
    for (size_t i = 0; i < had; i++) {
        if (!record_keeps_to(tuned->items[i].best, profile)) continue;
        tuned->items[kept] = tuned->items[i];
        clamp_entry(&tuned->items[kept++], profile);
    }
    tuned->count = kept;
    return had - kept;
}

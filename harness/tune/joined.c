// SPDX-License-Identifier: Apache-2.0
#include "joined.h"

#include "tuned_table.h"
#include "../record/record.h"
#include "../record/device_key.h"
#include "../record/result.h"
#include "../truth/stats/summary.h"
#include "../record/terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *scope_name(enum joined_scope scope) {
    static const char *const names[JOINED_COUNT] = {"device", "family", "vendor", "portable"};
    return names[scope];
}

// ---- data kept of a result

static void copy_numbers(
    struct arena *arena, struct named_number **out, const struct named_number *numbers, int count) {
    *out = arena_alloc(arena, (size_t)count + 1, sizeof **out);
    for (int i = 0; i < count; i++)
        (*out)[i] = (struct named_number){arena_copy(arena, numbers[i].name), numbers[i].value};
}

static size_t case_number(struct joined *j, const struct record *record) {
    struct arena scratch = {0};
    const char *name = record_case(&scratch, record);
    size_t at = names_get(&j->case_names, name, strlen(name));
    if (at == NAMES_NONE) {
        struct joined_case *c;
        at = j->case_count;
        j->cases = arena_grow(&j->arena, j->cases, j->case_count, &j->case_capacity, sizeof *j->cases);
        c = &j->cases[j->case_count++];
        *c = (struct joined_case){.name = arena_copy(&j->arena, name),
            .kernel = arena_copy(&j->arena, record->kernel),
            .operator= arena_copy(&j->arena, record->operator),
            .dtype = arena_copy(&j->arena, record->dtype),
            .dim_count = record_dims(record),
            .bucket = record_bucket(record)};
        copy_numbers(&j->arena, &c->dims, record->dims, c->dim_count);
        names_put(&j->case_names, c->name, strlen(c->name), at);
    }
    arena_free(&scratch);
    return at;
}

static uint32_t shape_number(struct joined *j, struct joined_case *c, const struct record *record) {
    const char *text = record_shape(record);
    size_t i = 0;
    while (i < c->shape_count && strcmp(c->shapes[i].text, text) != 0) i++;
    if (i < c->shape_count) return (uint32_t)i;
    c->shapes = arena_grow(&j->arena, c->shapes, c->shape_count, &c->shape_capacity, sizeof *c->shapes);
    struct joined_shape *shape = &c->shapes[c->shape_count++];
    *shape = (struct joined_shape){.text = arena_copy(&j->arena, text), .tunable_count = record->tunable_count};
    memcpy(shape->wg, record->wg, sizeof shape->wg);
    copy_numbers(&j->arena, &shape->tunables, record->tunables, record->tunable_count);
    return (uint32_t)i;
}

static bool has_case(const struct joined *j, size_t device, size_t at, size_t before) {
    for (size_t i = 0; i < before; i++)
        if (j->times[i].device == device && j->times[i].at == at) return true;
    return false;
}

// Returns the choice of a case. For a tuned table it is the table's own, because its other shapes have no intervals.
static struct case_choice choose(const struct case_group *group, const struct tuned_search *search) {
    struct case_choice choice = case_choose(group->records, group->count);
    for (size_t i = 0; search->chosen && i < group->count; i++) {
        const struct record *record = group->records[i];
        if (!record_is_timed(record) || strcmp(record_shape(record), search->chosen) != 0) continue;
        return (struct case_choice){choice.fastest, record, search->undecided};
    }
    return choice;
}

static void add_group(struct joined *j, const struct case_group *group, const struct tuned_searches *searches,
    size_t device, bool again, size_t before) {
    struct arena scratch = {0};
    const struct tuned_search search = tuned_search_of(searches, record_case(&scratch, group->records[0]));
    const struct case_choice choice = choose(group, &search);
    const struct record *best = choice.chosen;
    uint32_t samples = 0;
    arena_free(&scratch);
    if (!best) return;
    size_t at = case_number(j, group->records[0]);
    if (again && has_case(j, device, at, before)) return;
    j->devices[device].cases++;
    // A tuned table has records of its best shapes only. Its default may be there twice.
    const size_t tried = search.tried ? search.tried : group->count;
    for (size_t i = 0; i < group->count; i++)
        if (record_is_timed(group->records[i])) samples += (uint32_t)group->records[i]->time[FIGURE_COMPUTE].samples;
    for (size_t i = 0; i < group->count; i++) {
        const struct record *record = group->records[i];
        const struct summary *compute = &record->time[FIGURE_COMPUTE];
        const bool right = record->status == RECORD_PASS;
        if (right && !record_is_timed(record)) continue;
        const double loss = compute->median / choice.fastest->time[FIGURE_COMPUTE].median - 1;
        j->times = arena_grow(&j->arena, j->times, j->time_count, &j->time_capacity, sizeof *j->times);
        j->times[j->time_count++] = (struct joined_time){.device = (uint32_t)device,
            .shape = shape_number(j, &j->cases[at], record),
            .at = (uint32_t)at,
            .right = right,
            .standard = record->is_default,
            .unfinished = record == best && search.unfinished,
            .undecided = record == best && choice.undecided,
            .samples = record == best ? samples : 0,
            .source = record->source_hash,
            .tried = record == best ? (uint32_t)tried : 0,
            .legal = record == best ? (uint32_t)search.legal : 0,
            .ns = right ? compute->median : NAN,
            .lo = compute->lo,
            .hi = compute->hi,
            .loss = right ? fmax(loss, 0) : NAN}; // a shape with few samples may beat the fastest
    }
}

// ---- devices

// Returns the first device that is the result's, as far as `projection` says; their number if there is none. A table is
// for compilers, too: another build of a CPU's driver has another name, and one GPU under two drivers has two.
static size_t find_device(const struct joined *j, const struct result *result, enum device_projection projection) {
    const struct device_key key = device_key(result->device, result->context);
    size_t i = 0;
    for (; i < j->device_count; i++) {
        const struct joined_device *known = &j->devices[i];
        const struct device_key other = {&known->info, known->processor, known->cores};
        if (!device_key_difference(other, key, projection) && !device_key_difference(other, key, DEVICE_MODEL)) break;
    }
    return i;
}

// Returns the text of the case's best shape on the device; NULL if the case is not known there.
static const char *best_text(const struct joined *j, size_t device, size_t at) {
    for (size_t i = 0; i < j->time_count; i++)
        if (j->times[i].device == device && j->times[i].at == at && j->times[i].samples)
            return j->cases[at].shapes[j->times[i].shape].text;
    return NULL;
}

static void add_conflict(
    struct joined *j, size_t device, const struct result *result, const struct cases *cases, const char *path) {
    const struct joined_device *kept = &j->devices[device];
    struct arena *arena = &j->arena;
    struct joined_conflict conflict = {.device = kept->info.name,
        .kept = arena_format(arena, "%s %s", kept->info.driver_name, kept->info.driver_info),
        .left = arena_format(arena, "%s %s", result->device->driver_name, result->device->driver_info),
        .kept_path = kept->path,
        .left_path = arena_copy(arena, path)};
    for (size_t i = 0; i < cases->count; i++) {
        const struct record *best = case_best(cases->items[i].records, cases->items[i].count);
        const char *name = best ? record_case(arena, best) : "";
        size_t at = names_get(&j->case_names, name, strlen(name));
        const char *other = at == NAMES_NONE ? NULL : best_text(j, device, at);
        if (!best || !other) continue;
        conflict.cases++;
        conflict.same += strcmp(other, record_shape(best)) == 0;
    }
    j->conflicts = arena_grow(arena, j->conflicts, j->conflict_count, &j->conflict_capacity, sizeof *j->conflicts);
    j->conflicts[j->conflict_count++] = conflict;
}

static size_t add_device(struct joined *j, const struct result *result, size_t model, const char *path) {
    const struct device_key key = device_key(result->device, result->context);
    j->devices = arena_grow(&j->arena, j->devices, j->device_count, &j->device_capacity, sizeof *j->devices);
    j->devices[j->device_count] = (struct joined_device){.info = *result->device,
        .historical = result_historical(result) ? arena_copy(&j->arena, result_historical(result)) : NULL,
        .processor = arena_copy(&j->arena, key.processor),
        .cores = key.cores,
        .model = model,
        .path = arena_copy(&j->arena, path),
        .started = arena_copy(&j->arena, json_get_string(json_get(result->context, "run"), "started", ""))};
    return j->device_count++;
}

void joined_add(struct joined *j, const struct result *result, const char *path) {
    struct arena scratch = {0};
    struct cases cases;
    const size_t before = j->time_count;
    const size_t model = find_device(j, result, DEVICE_MODEL);
    size_t device = find_device(j, result, DEVICE_UNIT);
    const bool known = device < j->device_count;
    tuned_cases(result, &scratch, &cases);
    if (!j->tool) j->tool = json_object_get(json_get(result->context, "tool"));
    if (model < j->device_count && find_device(j, result, DEVICE_MODEL_AND_DRIVER) == j->device_count) {
        add_conflict(j, model, result, &cases, path);
    } else {
        if (!known) device = add_device(j, result, model, path);
        j->twice += known;
        struct tuned_searches searches;
        tuned_searches_open(result, &searches);
        for (size_t i = 0; i < cases.count; i++) add_group(j, &cases.items[i], &searches, device, known, before);
        tuned_searches_free(&searches);
    }
    arena_free(&scratch);
}

static int by_case(const void *a, const void *b) {
    const struct joined_time *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    if (x->shape != y->shape) return x->shape < y->shape ? -1 : 1;
    return 0;
}

void joined_finish(struct joined *j) {
    if (j->time_count) qsort(j->times, j->time_count, sizeof *j->times, by_case);
    for (size_t i = 0; i < j->time_count; i++) {
        struct joined_case *c = &j->cases[j->times[i].at];
        if (!c->count++) c->times = &j->times[i];
    }
    joined_leave_out(j);
}

void joined_free(struct joined *j) {
    json_object_put(j->tool);
    names_free(&j->case_names);
    arena_free(&j->arena);
    *j = (struct joined){0};
}

// SPDX-License-Identifier: Apache-2.0
// The plan: candidates without repetition, peaks first, the points of a case together, then selection.
#include "../../base/names.h"
#include "cross.h"
#include "legal.h"

#include <stdlib.h>
#include <string.h>

// The place of a candidate in the plan.
struct plan_place {
    struct point *item;
    size_t at;      // index among the candidates
    size_t case_at; // the first candidate of its case
    bool peak;      // its case serves a peak
};

static int by_name(const void *a, const void *b) {
    const struct plan_place *x = a, *y = b;
    int order = strcmp(x->item->name, y->item->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b) {
    const struct plan_place *x = a, *y = b;
    if (x->peak != y->peak) return x->peak ? -1 : 1;
    if (x->case_at != y->case_at) return x->case_at < y->case_at ? -1 : 1;
    bool rx = x->item->refused != NULL, ry = y->item->refused != NULL;
    if (rx != ry) return rx ? 1 : -1;
    return (x->at > y->at) - (x->at < y->at);
}

// Keeps the first point of each name. It serves a peak if any of the repeated points does. `places` are sorted by
// name.
static size_t drop_repeated(struct plan_place *places, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        struct plan_place *last = kept ? &places[kept - 1] : NULL;
        if (!last || strcmp(last->item->name, places[i].item->name) != 0)
            places[kept++] = places[i];
        else if (!last->item->peak)
            last->item->peak = places[i].item->peak;
    }
    return kept;
}

// Finds the cases. Names of one case are equal up to the shape, so sorting by name has put them together.
static void find_cases(struct plan_place *places, size_t count) {
    for (size_t first = 0, end; first < count; first = end) {
        size_t case_at = places[first].at;
        bool peak = false;
        for (end = first; end < count && point_same_case(places[first].item, places[end].item); end++) {
            if (places[end].at < case_at) case_at = places[end].at;
            peak |= places[end].item->peak != NULL;
        }
        for (size_t i = first; i < end; i++) {
            places[i].case_at = case_at;
            places[i].peak = peak;
        }
    }
}

void cross_arrange(const struct crossing *x, struct plan *out) {
    struct plan_place *places = arena_alloc(x->arena, x->count + 1, sizeof *places);
    out->points = arena_alloc(x->arena, x->count + 1, sizeof *out->points);
    for (size_t i = 0; i < x->count; i++) places[i] = (struct plan_place){.item = &x->items[i], .at = i};
    qsort(places, x->count, sizeof *places, by_name);
    out->count = drop_repeated(places, x->count);
    find_cases(places, out->count);
    qsort(places, out->count, sizeof *places, by_place);
    for (size_t i = 0; i < out->count; i++) out->points[i] = *places[i].item;
}

bool plan_build(struct arena *arena, const struct suite *suite, const struct kernels *kernels,
    const struct device_info *device, const char *const *select, size_t select_count, struct plan *out,
    struct error *err) {
    struct crossing crossing = {.arena = arena, .suite = suite, .kernels = kernels, .device = device, .err = err};
    cross_select(&crossing, select, select_count);
    *out = (struct plan){0};
    for (size_t i = 0; i < suite->entry_count; i++)
        if (!cross_entry(&crossing, &suite->entries[i])) return false;
    cross_arrange(&crossing, out);
    if (select_points(arena, out, kernels, select, select_count, err)) return true;
    return crossing.refused ? error_set(err, STATUS_USAGE, "--dims %s: %s", suite->sizes, crossing.refused) : false;
}

static bool add_named(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const char *name, const struct settings *settings, struct names *names, struct plan *out, struct error *err) {
    struct point *point = &out->points[out->count];
    if (!point_parse(arena, kernels, name, point, err)) return false;
    point_of_device(point, device);
    if (names_put(names, point->name, strlen(point->name), out->count) != out->count) return true; // named before
    struct trial trial = trial_of(point, device, settings->memory_share, arena);
    point->refused = trial_both(&trial, &point->shape);
    out->count++;
    return true;
}

const struct point *plan_point(const struct plan *plan, const char *name) {
    for (size_t i = 0; i < plan->count; i++)
        if (strcmp(plan->points[i].name, name) == 0) return &plan->points[i];
    return NULL;
}

bool plan_from_names(struct arena *arena, const struct kernels *kernels, const struct device_info *device,
    const char *const *names, size_t count, const struct settings *settings, struct plan *out, struct error *err) {
    struct names seen = {0};
    bool ok = true;
    *out = (struct plan){.points = arena_alloc(arena, count + 1, sizeof *out->points)};
    for (size_t i = 0; ok && i < count; i++)
        ok = add_named(arena, kernels, device, names[i], settings, &seen, out, err);
    names_free(&seen);
    return ok;
}

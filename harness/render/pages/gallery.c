// SPDX-License-Identifier: Apache-2.0
#include "gallery.h"

#include "../../base/json.h"
#include "../../base/names.h"
#include "../../device/profile.h"
#include "../choice.h"
#include "../../record/record.h"
#include "../../record/device_key.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- the results of each device

static const char *started_of(const struct gallery_item *item) {
    return json_get_string(json_get(item->result->context, "run"), "started", "");
}

// Sorts by date, newest first; ISO dates sort as text.
static int newest_first(const void *a, const void *b) {
    const struct gallery_item *x = *(const struct gallery_item *const *)a, *y = *(const struct gallery_item *const *)b;
    int order = strcmp(started_of(y), started_of(x));
    return order ? order : strcmp(x->path, y->path);
}

static size_t group(
    const struct gallery_item *items, size_t count, struct arena *arena, struct gallery_device *devices) {
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t d = 0;
        while (d < found && !result_same_device(devices[d].items[0]->result, items[i].result)) d++;
        if (d == found)
            devices[found++] = (struct gallery_device){.items = arena_alloc(arena, count, sizeof *devices->items)};
        devices[d].items[devices[d].count++] = &items[i];
    }
    for (size_t d = 0; d < found; d++)
        qsort(devices[d].items, devices[d].count, sizeof *devices[d].items, newest_first);
    return found;
}

// Returns true if the older point adds something missing from the newer one: it ran, or was timed.
static bool says_more(const struct record *older, const struct record *newer) {
    if (newer->status == RECORD_SKIP) return older->status != RECORD_SKIP;
    return newer->status == RECORD_PASS && !record_is_timed(newer) && record_is_timed(older);
}

// Joins results so that each point occurs once, usually from the newest result. Device and peaks are of the newest
// result with a measured roof.
static void join(const struct gallery_device *device, struct arena *arena, struct result *out) {
    struct names names = {0};
    const struct result *from = NULL;
    size_t room = 0;
    for (size_t i = 0; i < device->count; i++) room += device->items[i]->result->count;
    struct record *records = arena_alloc(arena, room, sizeof *records);
    size_t count = 0;
    for (size_t i = 0; i < device->count; i++) {
        const struct result *result = device->items[i]->result;
        if (!from && result_peak(result, "copy_bytes_per_s") > 0) from = result;
        for (size_t r = 0; r < result->count; r++) {
            const struct record *record = &result->records[r];
            size_t at = names_put(&names, record->name, strlen(record->name), count);
            if (at == count || says_more(record, &records[at])) records[at] = *record;
            count += at == count;
        }
    }
    names_free(&names);
    if (!from) from = device->items[0]->result;
    *out = (struct result){.context = from->context, .device = from->device, .records = records, .count = count};
}

// ---- best shapes elsewhere

// Returns the cost shown by measurement: 1 for a tie, infinity for a failure, NaN if unknown.
static double cost_of(const struct carried *item) {
    const bool wrong = item->record && item->record->status != RECORD_PASS && item->record->status != RECORD_SKIP;
    if (wrong) return INFINITY;
    return isnan(item->loss) ? NAN : carried_ties(item) ? 1 : item->loss;
}

// Inserts the item, keeping the list sorted by cost, highest first.
static void add_cost(struct gallery_shape *shape, const struct carried **on, size_t *devices, size_t device,
    const struct carried *item) {
    const double cost = cost_of(item);
    size_t at = shape->count;
    if (isnan(cost)) return;
    for (; at > 0 && cost_of(on[at - 1]) < cost; at--) {
        on[at] = on[at - 1];
        devices[at] = devices[at - 1];
    }
    on[at] = item;
    devices[at] = device;
    shape->count++;
    shape->cost = cost_of(on[0]);
}

int gallery_by_cost(const void *a, const void *b) {
    const struct gallery_shape *x = a, *y = b;
    if (isnan(x->cost) || isnan(y->cost)) return isnan(x->cost) - isnan(y->cost);
    if (x->cost != y->cost) return x->cost < y->cost ? 1 : -1;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    const size_t first = x->c->kernel->number, second = y->c->kernel->number; // then the order of the view
    return first != second ? (first > second) - (first < second) : (x->c > y->c) - (x->c < y->c);
}

static void add_shapes(struct gallery *g, size_t device, struct arena *arena) {
    const struct devices *p = &g->devices;
    const struct view *view = &p->views[device];
    struct gallery_device *of = &g->each[device];
    struct gallery_shape *first = &g->shapes[g->shape_count];
    size_t *at = arena_alloc(arena, p->count, sizeof *at);
    for (size_t i = 0; i < view->case_count; i++) {
        const struct view_case *c = view->cases[i];
        if (!has_choice(c)) continue;
        const struct carried **on = arena_alloc(arena, p->count, sizeof *on);
        size_t *devices = arena_alloc(arena, p->count, sizeof *devices);
        struct gallery_shape shape = {p, device, c, on, devices, 0, NAN};
        for (size_t d = 0; d < p->count; d++) {
            if (d == device) continue;
            const struct shapes_crossing *crossing = crossing_of(p, device, d); // its items are in the view's order
            if (at[d] < crossing->count && crossing->items[at[d]].from == c)
                add_cost(&shape, on, devices, d, &crossing->items[at[d]++]);
        }
        first[of->shape_count++] = shape;
    }
    qsort(first, of->shape_count, sizeof *first, gallery_by_cost);
    of->shapes = first;
    g->shape_count += of->shape_count;
}

void gallery_make(const struct gallery_item *items, size_t count, struct arena *arena, struct gallery *out) {
    *out = (struct gallery){.each = arena_alloc(arena, count, sizeof *out->each)};
    const size_t devices = group(items, count, arena, out->each);
    struct result *results = arena_alloc(arena, devices, sizeof *results);
    size_t cases = 0;
    for (size_t d = 0; d < devices; d++) {
        join(&out->each[d], arena, &results[d]);
        failures_make(&results[d], arena, &out->each[d].failures);
    }
    devices_make(&out->devices, results, devices, arena);
    for (size_t d = 0; d < devices; d++) cases += out->devices.views[d].case_count;
    out->shapes = arena_alloc(arena, cases, sizeof *out->shapes);
    for (size_t d = 0; d < devices; d++) add_shapes(out, d, arena);
}

void gallery_free(struct gallery *gallery) {
    devices_free(&gallery->devices);
}

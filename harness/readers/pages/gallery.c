// SPDX-License-Identifier: Apache-2.0
#include "gallery.h"

#include "../render/choice.h"
#include "../../device/device_info.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- best shapes elsewhere

// Returns the cost shown by measurement: 1 for a tie, infinity for a failure, NaN if unknown.
static double cost_of(const struct transfer *item) {
    const bool wrong = item->record && item->record->status != RECORD_PASS && item->record->status != RECORD_SKIP;
    if (wrong) return INFINITY;
    return isnan(item->loss) ? NAN : transfer_ties(item) ? 1 : item->loss;
}

// Inserts the item, keeping the list sorted by cost, highest first.
static void add_cost(struct gallery_shape *shape, const struct transfer **on, size_t *devices, size_t device,
    const struct transfer *item) {
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
        const struct transfer **on = arena_alloc(arena, p->count, sizeof *on);
        size_t *devices = arena_alloc(arena, p->count, sizeof *devices);
        struct gallery_shape shape = {p, device, c, on, devices, 0, NAN};
        for (size_t d = 0; d < p->count; d++) {
            if (d == device) continue;
            const struct shape_transfers *transfers = transfers_of(p, device, d); // its items are in the view's order
            if (at[d] < transfers->count && transfers->items[at[d]].from == c)
                add_cost(&shape, on, devices, d, &transfers->items[at[d]++]);
        }
        first[of->shape_count++] = shape;
    }
    qsort(first, of->shape_count, sizeof *first, gallery_by_cost);
    of->shapes = first;
    g->shape_count += of->shape_count;
}

// A device's results and their joined form.
struct joined {
    struct result_group group;
    struct result result;
};

// For qsort: GPUs first, then the most points, then the order of the first results.
static int by_kind(const void *a, const void *b) {
    const struct joined *x = a, *y = b;
    const bool cpu_x = x->result.device->kind == DEVICE_CPU, cpu_y = y->result.device->kind == DEVICE_CPU;
    if (cpu_x != cpu_y) return cpu_x - cpu_y;
    if (x->result.count != y->result.count) return x->result.count < y->result.count ? 1 : -1;
    return x->group.places[0] < y->group.places[0] ? -1 : 1;
}

// Joins the results of each device, in the order of the page. Returns the number of devices.
static size_t join_devices(
    const struct result_set *set, enum device_projection projection, struct arena *arena, struct joined **out) {
    struct result_group *groups;
    const size_t count = result_groups(set->results, set->count, projection, arena, &groups);
    struct joined *joined = arena_alloc(arena, count, sizeof *joined);
    for (size_t d = 0; d < count; d++) {
        joined[d].group = groups[d];
        result_join(set->results, &groups[d], arena, &joined[d].result);
    }
    qsort(joined, count, sizeof *joined, by_kind);
    *out = joined;
    return count;
}

void gallery_make(const struct result_set *set, const struct gallery_item *items, enum device_projection projection,
    struct arena *arena, struct gallery *out) {
    struct joined *joined;
    const size_t devices = join_devices(set, projection, arena, &joined);
    struct result *results = arena_alloc(arena, devices, sizeof *results);
    size_t cases = 0;
    *out = (struct gallery){.set = set, .items = items, .each = arena_alloc(arena, devices, sizeof *out->each)};
    for (size_t d = 0; d < devices; d++) {
        out->each[d].group = &joined[d].group;
        results[d] = joined[d].result;
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

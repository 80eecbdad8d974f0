// SPDX-License-Identifier: Apache-2.0
// Chooses one shape for several devices, and estimates its cost on a device outside the group.
#include "joined.h"

#include "../base/memory.h"
#include "../record/device_key.h"
#include "../truth/stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEFT_OUT = 48 }; // devices to leave out

// Returns the times of the case on a device; NULL: none.
static const struct joined_time *times_on(const struct joined_case *c, size_t device, size_t *count) {
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->times[middle].device < device)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < c->count && c->times[low + *count].device == device) ++*count;
    return *count ? &c->times[low] : NULL;
}

const struct joined_time *joined_best(const struct joined_case *c, size_t device) {
    size_t count;
    const struct joined_time *times = times_on(c, device, &count);
    for (size_t i = 0; i < count; i++)
        if (times[i].samples) return &times[i];
    return NULL;
}

static const struct joined_time *time_of(const struct joined_case *c, size_t device, size_t shape) {
    size_t count;
    const struct joined_time *times = times_on(c, device, &count);
    for (size_t i = 0; i < count; i++)
        if (times[i].shape == shape) return &times[i];
    return NULL;
}

double joined_loss(const struct joined_case *c, size_t device, size_t shape) {
    const struct joined_time *time = time_of(c, device, shape);
    return !time ? NAN : time->right ? time->loss : INFINITY;
}

bool joined_other_source(const struct joined_case *c, size_t device, size_t shape, uint64_t source) {
    const struct joined_time *time = time_of(c, device, shape);
    return time && time->source != source;
}

// ---- choice

// A shape's results over several devices.
struct ranked_shape {
    size_t known, wrong;
    double worst, sum;
};

static bool is_better(const struct ranked_shape *a, const struct ranked_shape *b) {
    if (!a->known != !b->known) return a->known;
    if (a->wrong != b->wrong) return a->wrong < b->wrong;
    if (a->known != b->known) return a->known > b->known;
    if (a->worst != b->worst) return a->worst < b->worst;
    return a->sum < b->sum;
}

// Sets the row's time and its source, which is that of the first device with a measurement of its shape. Counts the
// devices with another source.
static void take_shape(const struct joined_case *c, const bool *in, struct joined_row *row) {
    bool found = false;
    for (size_t i = 0; i < c->count; i++) {
        const struct joined_time *time = &c->times[i];
        if (!in[time->device] || time->shape != row->shape) continue;
        if (!row->time && time->right) row->time = time;
        if (!found) row->source = time->source;
        found = true;
        row->other += time->source != row->source;
    }
}

// Chooses the shape for the devices in `in`, of those right on any: wrong on the fewest, then known on the most. After
// that the greatest loss and then the sum of losses decide; less is better. With members 0, no device knows the case.
static struct joined_row choose(const struct joined *j, const struct joined_case *c, const bool *in) {
    struct joined_row row = {0};
    bool *met = memory_alloc(j->device_count + 1, sizeof *met); // models
    struct ranked_shape *shapes = memory_alloc(c->shape_count + 1, sizeof *shapes);
    for (size_t i = 0; i < c->count; i++) {
        const struct joined_time *time = &c->times[i];
        struct ranked_shape *shape = &shapes[time->shape];
        if (!in[time->device]) continue;
        bool *model = &met[j->devices[time->device].model];
        if (time->samples && !row.members++) row.device = time->device;
        row.models += time->samples && !*model;
        *model |= time->samples > 0;
        row.unfinished |= time->unfinished;
        shape->known += time->right;
        shape->wrong += !time->right;
        if (time->right) shape->worst = fmax(shape->worst, time->loss);
        if (time->right) shape->sum += time->loss;
    }
    for (size_t i = 1; i < c->shape_count; i++)
        if (is_better(&shapes[i], &shapes[row.shape])) row.shape = i;
    row.worst = shapes[row.shape].worst;
    row.unknown = row.members - (shapes[row.shape].known < row.members ? shapes[row.shape].known : row.members);
    free(shapes);
    free(met);
    take_shape(c, in, &row);
    return row;
}

static bool is_member(enum joined_scope scope, const struct joined_device *x, const struct joined_device *y) {
    const struct device_info *a = &x->info, *b = &y->info;
    if (scope == JOINED_DEVICE) return x->model == y->model;
    return scope == JOINED_PORTABLE ||
           (a->vendor_id == b->vendor_id && (scope == JOINED_VENDOR || a->device_id >> 8 == b->device_id >> 8));
}

// Marks in `in` the devices for a row of `scope` for `device`.
static void mark_members(const struct joined *j, enum joined_scope scope, size_t device, bool *in) {
    for (size_t i = 0; i < j->device_count; i++) in[i] = is_member(scope, &j->devices[i], &j->devices[device]);
}

size_t joined_rows(const struct joined *j, const struct joined_case *c, struct arena *arena, struct joined_row **out) {
    bool *in = memory_alloc(j->device_count, sizeof *in);
    struct joined_row *rows = arena_alloc(arena, 3 * j->device_count + 1, sizeof *rows);
    size_t count = 0;
    for (int scope = JOINED_DEVICE; scope < JOINED_COUNT; scope++)
        for (size_t device = 0; device < j->device_count; device++) {
            const struct joined_time *best = joined_best(c, device);
            bool stood_for = false; // an earlier device of the case already represents this one's model, family, vendor
            for (size_t i = 0; i < device; i++)
                stood_for |=
                    is_member((enum joined_scope)scope, &j->devices[i], &j->devices[device]) && joined_best(c, i);
            if (!best || stood_for) continue;
            mark_members(j, (enum joined_scope)scope, device, in);
            struct joined_row row = choose(j, c, in);
            if (row.members == 1) { // several shapes may count as no loss
                row.shape = best->shape;
                row.source = best->source;
                row.time = best;
            }
            row.scope = (enum joined_scope)scope;
            row.device = device;
            if (scope == JOINED_DEVICE || row.models > 1) rows[count++] = row;
        }
    free(in);
    *out = rows;
    return count;
}

// ---- leave one out

static void take_loss(struct joined_fallback *out, double *losses, double loss, const char *name) {
    out->cases++;
    out->wrong += isinf(loss) != 0;
    out->unknown += isnan(loss) != 0;
    if (!isfinite(loss)) return;
    losses[out->cases - 1 - out->wrong - out->unknown] = loss;
    if (out->worst_case && loss <= out->worst) return;
    out->worst = loss;
    out->worst_case = name;
}

static struct joined_fallback leave_out(const struct joined *j, size_t device, enum joined_scope scope) {
    struct joined_fallback out = {.device = device, .name = j->devices[device].info.name, .scope = scope, .worst = NAN};
    bool *in = memory_alloc(j->device_count, sizeof *in);
    double *losses = memory_alloc(j->case_count + 1, sizeof *losses);
    mark_members(j, scope, device, in);
    for (size_t i = 0; i < j->device_count; i++) in[i] &= j->devices[i].model != j->devices[device].model;
    for (size_t i = 0; i < j->case_count; i++) {
        const struct joined_case *c = &j->cases[i];
        if (!joined_best(c, device)) continue;
        struct joined_row row = choose(j, c, in);
        if (!row.members) continue;
        take_loss(&out, losses, joined_loss(c, device, row.shape), c->name);
        out.other += joined_other_source(c, device, row.shape, row.source);
    }
    out.median = summarize(losses, out.cases - out.wrong - out.unknown).median;
    free(losses);
    free(in);
    return out;
}

void joined_leave_out(struct joined *j) {
    const size_t step = (j->device_count + MOST_LEFT_OUT - 1) / MOST_LEFT_OUT;
    j->fallbacks = arena_alloc(&j->arena, (JOINED_COUNT - JOINED_FAMILY) * MOST_LEFT_OUT, sizeof *j->fallbacks);
    for (size_t device = 0; device < j->device_count; device += step)
        for (int scope = JOINED_FAMILY; scope < JOINED_COUNT; scope++) {
            j->fallbacks[j->fallback_count] = leave_out(j, device, (enum joined_scope)scope);
            j->fallback_count += j->fallbacks[j->fallback_count].cases > 0;
        }
}

struct joined_shared joined_shared(const struct joined *j, double most) {
    struct joined_shared out = {0};
    bool *in = memory_alloc(j->device_count + 1, sizeof *in);
    memset(in, true, j->device_count * sizeof *in);
    for (size_t i = 0; i < j->case_count; i++) {
        struct joined_row row = choose(j, &j->cases[i], in);
        if (row.models < 2) continue;
        out.cases++;
        out.served += !row.unknown && row.worst <= most;
        out.mixed += row.other > 0;
    }
    free(in);
    return out;
}

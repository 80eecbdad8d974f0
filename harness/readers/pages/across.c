// SPDX-License-Identifier: Apache-2.0
#include "across.h"

#include "../render/choice.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/device_key.h"
#include "../../device/device_info.h"

#include <math.h>
#include <string.h>

static const struct view_kernel *same_kernel(const struct view *view, const struct view_kernel *kernel) {
    for (size_t k = 0; k < view->kernel_count; k++) {
        const struct view_kernel *other = view->kernels[k];
        if (strcmp(other->op->name, kernel->op->name) == 0 && strcmp(other->name, kernel->name) == 0 &&
            strcmp(other->dtype, kernel->dtype) == 0)
            return other;
    }
    return NULL;
}

static void add_case(struct shape_transfers *out, const struct view_case *from, const struct view_case *on) {
    const struct record *record = with_shape(on, from->best);
    double loss = loss_of(on, record);
    const bool other = record && record->source_hash != from->best->source_hash;
    out->items[out->count++] = (struct transfer){from, on, record, loss, other};
    bool ran = record && record->status != RECORD_SKIP, right = ran && record->status == RECORD_PASS;
    if (ran && !right) {
        out->wrong++;
    } else if (!right || isnan(loss)) {
        out->missing++;
    } else {
        out->mean = (out->timed ? out->mean : 0) + log(loss);
        out->worst = out->timed ? fmax(out->worst, loss) : loss;
        out->ties += record == on->best || case_ties(on->best, record);
        out->timed++;
        out->other += other;
    }
}

void transfers_make(const struct view *from, const struct view *on, struct arena *arena, struct shape_transfers *out) {
    *out = (struct shape_transfers){
        .items = arena_alloc(arena, from->case_count, sizeof *out->items), .mean = NAN, .worst = NAN};
    for (size_t k = 0; k < from->kernel_count; k++) {
        const struct view_kernel *kernel = from->kernels[k], *there = same_kernel(on, kernel);
        for (size_t i = 0; there && i < kernel->count; i++) {
            const struct view_case *here = &kernel->cases[i], *c = there->cases, *end = c + there->count;
            while (c < end && !same_dims(c->records[0], here->records[0])) c++;
            if (c < end && has_choice(c) && has_choice(here)) add_case(out, here, c);
        }
    }
    if (out->timed) out->mean = exp(out->mean / (double)out->timed);
}

// ---- several devices together

void devices_make(struct devices *out, const struct result *results, size_t count, struct arena *arena) {
    *out = (struct devices){.results = results,
        .count = count,
        .views = arena_alloc(arena, count, sizeof *out->views),
        .labels = arena_alloc(arena, count, sizeof *out->labels),
        .transfers = arena_alloc(arena, count, count * sizeof *out->transfers)};
    const struct device_info **infos = arena_alloc(arena, count, sizeof *infos);
    for (size_t i = 0; i < count; i++) {
        view_make(&results[i], &out->views[i]);
        infos[i] = results[i].device;
    }
    for (size_t i = 0; i < count; i++) out->labels[i] = device_label(arena, infos, count, i);
    for (size_t i = 0; i < count * count; i++)
        transfers_make(&out->views[i / count], &out->views[i % count], arena, &out->transfers[i]);
    families_make(out->views, count, arena, &out->families);
}

void devices_free(struct devices *devices) {
    for (size_t i = 0; i < devices->count; i++) view_free(&devices->views[i]);
}

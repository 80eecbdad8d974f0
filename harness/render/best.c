// SPDX-License-Identifier: Apache-2.0
// Which record of a case is best, which tie with it, and what others lose.
#include "format.h"
#include "view.h"

#include <math.h>
#include <string.h>

double figure_ns(const struct record *record, enum figure figure) {
    const struct summary *summary = &record->time[figure];
    return summary->samples && measured(summary->median) ? summary->median : NAN;
}

double compute_ns(const struct record *record) {
    return record->status == RECORD_PASS ? figure_ns(record, FIGURE_COMPUTE) : NAN;
}

double loss_of(const struct view_case *c, const struct record *record) {
    return c->best && record ? compute_ns(record) / compute_ns(c->best) : NAN;
}

static bool is_seed(const struct record *record) {
    return record->systems && *record->systems;
}

// Failures first, then times (the slower the worse), then skips.
static double badness(const struct record *record) {
    if (record->status == RECORD_SKIP) return -1;
    return record->status == RECORD_PASS ? fmax(0, compute_ns(record)) : INFINITY;
}

const struct record *worst_of_systems(const struct view_case *c) {
    const struct record *worst = NULL;
    for (size_t i = 0; i < c->count; i++)
        if (is_seed(c->records[i]) && (!worst || badness(c->records[i]) > badness(worst))) worst = c->records[i];
    return worst;
}

bool same_shape(const struct record *a, const struct record *b) {
    if (memcmp(a->wg, b->wg, sizeof a->wg) != 0 || a->tunable_count != b->tunable_count) return false;
    for (int i = 0; i < a->tunable_count; i++)
        if (a->tunables[i].value != b->tunables[i].value || strcmp(a->tunables[i].name, b->tunables[i].name) != 0)
            return false;
    return true;
}

const struct record *with_shape(const struct view_case *c, const struct record *shape) {
    for (size_t i = 0; i < c->count; i++)
        if (same_shape(c->records[i], shape)) return c->records[i];
    return NULL;
}

const struct record *best_of_invocations(const struct view_case *c, uint64_t invocations) {
    const struct record *best = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        if (record_invocations(r) != invocations || isnan(compute_ns(r))) continue;
        if (!best || compute_ns(r) < compute_ns(best)) best = r;
    }
    return best;
}

const struct view_case *largest_case(const struct view_kernel *kernel) {
    for (size_t i = kernel->count; i-- > 0;)
        if (kernel->cases[i].best) return &kernel->cases[i];
    return NULL;
}

size_t timed_shapes(const struct view_case *c) {
    size_t timed = 0;
    for (size_t i = 0; i < c->count; i++) timed += isnan(compute_ns(c->records[i])) ? 0 : 1;
    return timed;
}

double reference_ns(const struct view_case *c) {
    for (size_t i = 0; i < c->count; i++)
        if (measured(c->records[i]->reference.ns)) return c->records[i]->reference.ns;
    return NAN;
}

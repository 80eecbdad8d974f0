// SPDX-License-Identifier: Apache-2.0
#include "highlights.h"

#include "../../../reference/table.h"
#include "../../record/footnotes.h"
#include "../../truth/stats/summary.h"
#include "choice.h"
#include "../../record/figures.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Inserts the item into a list of at most HIGHLIGHTS, sorted by sign * figure, greatest first.
static void keep(struct highlight *list, size_t *count, struct highlight item, double sign) {
    size_t at = *count;
    while (at > 0 && sign * item.figure > sign * list[at - 1].figure) at--;
    if (at == HIGHLIGHTS) return;
    size_t moved = (*count < HIGHLIGHTS ? *count : HIGHLIGHTS - 1) - at;
    memmove(&list[at + 1], &list[at], moved * sizeof *list);
    list[at] = item;
    *count += *count < HIGHLIGHTS;
}

// ---- far and near

// Finds the operator's fastest kernel at the largest size, in the type of kernel `first`, the first kernel of that
// type. Returns false if that kernel is not rated, for example because its dispatch is too short.
static bool rate_type(const struct view *view, const struct view_operator *op, size_t first, struct highlight *out) {
    struct highlight found = {0};
    for (size_t k = first; k < op->count; k++) {
        const struct view_case *c = largest_case(&op->kernels[k]);
        if (!c || strcmp(op->kernels[k].dtype, op->kernels[first].dtype) != 0) continue;
        const int larger = found.c ? record_bucket(c->best) - record_bucket(found.record) : 1;
        if (larger > 0 || (larger == 0 && compute_ns(c->best) < compute_ns(found.record)))
            found = (struct highlight){&op->kernels[k], c, c->best, 0};
    }
    if (!found.c) return false;
    const struct shown_figure time = {view->result, found.record, FOOTNOTE_OF_TIME, FIGURE_COMPUTE};
    if (found.record->peak || strcmp(operator_family(found.record->operator), "peak") == 0) return false;
    found.figure = rate_of(view->result, found.record).share;
    if (footnote_table[FOOTNOTE_SHORT].depth(&time) > 0 || isnan(found.figure)) return false;
    *out = found;
    return true;
}

size_t rated_problems(const struct view *view, struct highlight *out) {
    size_t count = 0;
    for (size_t i = 0; i < view->count; i++) {
        const struct view_operator *op = &view->operators[i];
        for (size_t k = 0; k < op->count; k++) {
            size_t first = 0; // of its type
            while (strcmp(op->kernels[first].dtype, op->kernels[k].dtype) != 0) first++;
            if (first == k) count += rate_type(view, op, k, &out[count]);
        }
    }
    return count;
}

// ---- gains

static void gain_of(const struct view_kernel *kernel, struct highlights *out) {
    struct highlight most = {.figure = 1};
    for (size_t i = 0; i < kernel->count; i++) {
        const struct view_case *c = &kernel->cases[i];
        if (!has_choice(c)) continue;
        const struct record *used[] = {heuristic_record(c, HEURISTIC_DEFAULT), heuristic_record(c, HEURISTIC_SYSTEMS)};
        for (size_t u = 0; u < sizeof used / sizeof *used; u++) {
            double loss = loss_of(c, used[u]);
            if (loss > most.figure && !case_ties(c->best, used[u])) most = (struct highlight){kernel, c, used[u], loss};
        }
    }
    if (most.c) keep(out->gains, &out->gain_count, most, 1);
}

static int by_figure(const void *a, const void *b) {
    const struct highlight *x = a, *y = b;
    return (x->figure > y->figure) - (x->figure < y->figure);
}

static void find_half(const struct view *view, struct highlight *rated, struct highlights *out) {
    out->half = NAN;
    for (size_t i = 0; i < out->rated; i++)
        if (strcmp(rate_of(view->result, rated[i].record).unit, "B/s") != 0 &&
            (!out->most.c || rated[i].record->flops > out->most.record->flops))
            out->most = rated[i];
    if (!out->rated) return;
    qsort(rated, out->rated, sizeof *rated, by_figure);
    out->half = rated[out->rated / 2].figure;
}

void highlights_make(const struct view *view, struct highlights *out) {
    struct arena arena = {0};
    struct highlight *rated = arena_alloc(&arena, view->kernel_count, sizeof *rated);
    *out = (struct highlights){.rated = rated_problems(view, rated)};
    for (size_t i = 0; i < out->rated; i++) {
        keep(out->far, &out->far_count, rated[i], -1);
        keep(out->near, &out->near_count, rated[i], 1);
    }
    find_half(view, rated, out);
    for (size_t k = 0; k < view->kernel_count; k++) gain_of(view->kernels[k], out);
    arena_free(&arena);
}

static const double busy_load = 0.1;

struct wide wide_of(const struct result *result) {
    struct wide wide = {.half = NAN, .load = NAN};
    struct arena arena = {0};
    double *halves = arena_alloc(&arena, result->count, sizeof *halves);
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (!record_is_timed(record)) continue;
        halves[wide.timed] = summary_precision(&record->time[FIGURE_COMPUTE]);
        wide.points += halves[wide.timed++] * 100 > WIDE_PERCENT;
        wide.load = fmax(wide.load, record->host_load);
    }
    qsort(halves, wide.timed, sizeof *halves, summary_by_value);
    if (wide.timed) wide.half = halves[wide.timed / 2];
    wide.busy = wide.load >= busy_load;
    arena_free(&arena);
    return wide;
}

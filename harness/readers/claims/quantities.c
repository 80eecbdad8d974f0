// SPDX-License-Identifier: Apache-2.0
// Figures of records, for deciding claims.
#include "claims.h"

#include "../../shader/select_name.h"
#include "../../record/figures.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../record/cases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char fact_prefix[] = "fact:";

static int figure_index(const char *name) {
    for (int i = 0; i < FIGURES; i++)
        if (strcmp(figure_table[i].name, name) == 0) return i;
    return -1;
}

static const char *fact_name(const char *figure) {
    size_t length = strlen(fact_prefix);
    return strncmp(figure, fact_prefix, length) == 0 && figure[length] ? figure + length : NULL;
}

bool figure_known(const char *figure) {
    return figure_index(figure) >= 0 || fact_name(figure);
}

const char *figure_unit(const char *figure) {
    int index = figure_index(figure);
    const char *fact = fact_name(figure);
    if (index >= 0) return figure_table[index].unit;
    if (strstr(fact, "bytes_per_s")) return "B/s";
    if (strstr(fact, "_bytes")) return "B";
    if (strstr(fact, "_rate")) return "share";
    return strstr(fact, "_ns") ? "ns" : "";
}

double figure_of(const struct result *result, const struct record *record, const char *figure) {
    int index = figure_index(figure);
    if (index >= 0) return figure_value(result, record, index);
    for (int i = 0; i < record->metric_count; i++)
        if (strcmp(record->metrics[i].name, fact_name(figure)) == 0) return record->metrics[i].value;
    return NAN;
}

bool record_serves(const struct record *record, const char *glob) {
    return record->status == RECORD_PASS && select_matches(glob, record->name);
}

static bool better(const char *figure, double a, double b) {
    int index = figure_index(figure);
    return isnan(b) || (index >= 0 && figure_table[index].high ? a > b : a < b);
}

// Returns why no record serves: the first reason of a matching record that did not pass.
static const char *why_not(const struct result *result, struct arena *arena, const char *glob, const char *figure) {
    bool any = false;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *r = &result->records[i];
        if (!select_matches(glob, r->name)) continue;
        any = true;
        if (r->status != RECORD_PASS) return arena_format(arena, "%s: %s", record_status_name(r->status), r->reason);
    }
    return any ? arena_format(arena, "%s has no figure %s", glob, figure)
               : arena_format(arena, "%s was not run here", glob);
}

static double best_of(const struct result *result, const char *glob, const char *figure) {
    double best = NAN;
    for (size_t i = 0; i < result->count; i++) {
        if (!record_serves(&result->records[i], glob)) continue;
        double value = figure_of(result, &result->records[i], figure);
        if (isfinite(value) && better(figure, value, best)) best = value;
    }
    return best;
}

bool quantity_number(const char *glob, double *out) {
    const bool number = glob[strspn(glob, "0123456789.")] == '\0';
    if (number) *out = strtod(glob, NULL);
    return number;
}

double quantity_value(
    const struct quantity *quantity, const struct result *result, struct arena *arena, const char **why) {
    double sum = 0;
    for (int i = 0; i < quantity->count; i++) {
        double value;
        if (!quantity_number(quantity->points[i], &value))
            value = best_of(result, quantity->points[i], quantity->figure);
        if (isnan(value) && why) *why = why_not(result, arena, quantity->points[i], quantity->figure);
        sum += value;
    }
    return sum;
}

static bool serves_any(const struct quantity *quantity, const struct record *record) {
    for (int i = 0; i < quantity->count; i++)
        if (record_serves(record, quantity->points[i])) return true;
    return false;
}

void quantity_footnotes(
    const struct quantity *quantity, const struct result *result, enum quantity_of of, struct footnotes_seen *seen) {
    int index = quantity->count ? figure_index(quantity->figure) : -1;
    const unsigned times =
        of == QUANTITY_ITSELF && index >= 0 ? figure_table[index].times | figure_table[index].over : 0;
    const bool reference = of == QUANTITY_REFERENCE || (of == QUANTITY_ITSELF && index == FIGURE_REFERENCE);
    for (size_t r = 0; r < result->count; r++) {
        struct shown_figure figure = {result, &result->records[r], FOOTNOTE_OF_TIME, 0};
        if (!serves_any(quantity, figure.record)) continue;
        for (; figure.figure < FIGURE_COUNT; figure.figure++)
            if (times >> figure.figure & 1) footnotes_note(&figure, seen);
        figure.what = reference ? FOOTNOTE_OF_REFERENCE : FOOTNOTE_OF_ERROR;
        if (reference || of == QUANTITY_ERRORS) footnotes_note(&figure, seen);
    }
}

// Returns a dim of the record; NaN if it has none of that name. "workgroup" is the number of its invocations.
static double dim_of(const struct record *record, const char *dim) {
    if (strcmp(dim, "workgroup") == 0) return (double)record_invocations(record);
    for (int i = 0; i < record->dim_count; i++)
        if (strcmp(record->dims[i].name, dim) == 0) return record->dims[i].value;
    return NAN;
}

// ---- curves

int curve_point_by_x(const void *a, const void *b) {
    const struct curve_point *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

// Keeps the best of adjacent points with one x; returns the number left.
static size_t join_equal(const char *figure, struct curve_point *points, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (!kept || points[kept - 1].x != points[i].x) {
            points[kept++] = points[i];
            continue;
        }
        struct curve_point *one = &points[kept - 1];
        if (better(figure, points[i].y, one->y)) one->y = points[i].y;
        if (points[i].scalar < one->scalar || isnan(one->scalar)) one->scalar = points[i].scalar;
    }
    return kept;
}

size_t curve_of(const struct quantity *quantity, const char *dim, const struct result *result, struct arena *arena,
    struct curve_point **out) {
    struct curve_point *points = arena_alloc(arena, result->count + 1, sizeof *points);
    size_t count = 0;
    *out = points;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        if (!serves_any(quantity, record)) continue;
        double x = dim_of(record, dim), y = figure_of(result, record, quantity->figure);
        if (!isfinite(x) || !isfinite(y)) continue;
        points[count++] = (struct curve_point){x, y, isfinite(record->reference.ns) ? record->reference.ns : NAN};
    }
    qsort(points, count, sizeof *points, curve_point_by_x);
    return join_equal(quantity->figure, points, count);
}

// SPDX-License-Identifier: Apache-2.0
// The loss of each shape at one size: a map of workgroup x by y, or by another tunable. If a map does not suit, it is a
// bar chart.
#include "../render/format.h"
#include "chart.h"

#include "../../base/memory.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AXIS_VALUES = 64, MOST_BARS = 40 };
static const double longest_bar = 8; // longer bars are cut; the label has the figure

// Axes are numbered: the workgroup's from 0 on, the other tunables from TUNABLES on.
enum { TUNABLES = 3 };

static double value_on(const struct record *r, int axis) {
    if (axis < TUNABLES) return r->wg[axis];
    return axis - TUNABLES < r->tunable_count ? r->tunables[axis - TUNABLES].value : 0;
}

// The distinct values of one axis, ascending.
struct shape_scale {
    int axis;
    double values[AXIS_VALUES];
    int count;
};

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct shape_scale scale_of(const struct view_case *c, int axis) {
    struct shape_scale scale = {.axis = axis};
    for (size_t i = 0; i < c->count; i++) {
        bool known = false;
        for (int k = 0; k < scale.count; k++) known = known || scale.values[k] == value_on(c->records[i], axis);
        if (!known && scale.count < AXIS_VALUES) scale.values[scale.count++] = value_on(c->records[i], axis);
    }
    qsort(scale.values, (size_t)scale.count, sizeof *scale.values, by_value);
    return scale;
}

static int place_on(const struct shape_scale *scale, const struct record *r) {
    double value = value_on(r, scale->axis);
    const double *found = bsearch(&value, scale->values, (size_t)scale->count, sizeof value, by_value);
    return found ? (int)(found - scale->values) : -1;
}

// The record of each field: the fastest of its records, over all other tunables; else one without a time; or NULL.
struct fields {
    const struct record *at[AXIS_VALUES][AXIS_VALUES]; // column, row
};

static void fill_fields(
    struct fields *fields, const struct view_case *c, const struct shape_scale *x, const struct shape_scale *y) {
    *fields = (struct fields){0};
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        int column = place_on(x, r), row = place_on(y, r);
        if (column < 0 || row < 0) continue;
        const struct record **found = &fields->at[column][row];
        if (!*found || isnan(compute_ns(*found)) || compute_ns(r) < compute_ns(*found)) *found = r;
    }
}

static void put_ticks(struct plot *plot, const char *axis, const struct shape_scale *scale) {
    text_format(&plot->settings, "set %stics (", axis);
    for (int i = 0; i < scale->count; i++)
        text_format(&plot->settings, "%s'%.9g' %d", i ? ", " : "", scale->values[i], i);
    text_append(&plot->settings, ")\n");
}

// Writes the label of a field or bar: "1.21x", "fail", "skip".
static void put_outcome(struct plot *plot, const struct view_case *c, const struct record *r) {
    struct text label = {0};
    struct footnotes_seen footnotes = {0};
    if (isnan(compute_ns(r)) && r->status != RECORD_PASS)
        text_append(&label, record_status_name(r->status));
    else
        put_factor(&label, loss_of(c, r));
    note_time(plot, r, &footnotes);
    put_symbols_seen(&label, &footnotes);
    put_cell(&plot->data, text_str(&label));
    text_free(&label);
}

// Writes rows: x, y, slowdown (NaN: none), label, 1 for the best.
static void put_map(
    struct plot *plot, const struct view_case *c, const struct shape_scale *x, const struct shape_scale *y) {
    double worst = 1;
    struct fields fields;
    fill_fields(&fields, c, x, y);
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++) {
            const struct record *r = fields.at[i][k];
            if (!r) continue;
            double loss = loss_of(c, r);
            text_format(&plot->data, "%d %d ", i, k);
            if (isnan(loss))
                text_append(&plot->data, "NaN");
            else
                text_format(&plot->data, "%.4g", loss);
            put_outcome(plot, c, r);
            text_format(&plot->data, " %d\n", r == c->best);
            worst = fmax(worst, loss);
        }
    put_ticks(plot, "x", x);
    put_ticks(plot, "y", y);
    if (y->axis < TUNABLES)
        set_text(plot, "y_title", "workgroup y (invocations)");
    else
        set_text(plot, "y_title", "%s", c->records[0]->tunables[y->axis - TUNABLES].name);
    set_number(plot, "columns", x->count);
    set_number(plot, "rows", y->count);
    set_number(plot, "worst", fmin(fmax(worst, 1.2), longest_bar));
}

// Appends only the values of the tunables, if their names make labels too long; the caption has the names.
static void put_short_shape(struct text *label, const struct record *r) {
    text_format(label, "%ux%u", r->wg[0], r->wg[1]);
    for (int i = 0; i < r->tunable_count; i++) {
        text_append(label, " ");
        text_number(label, r->tunables[i].value);
    }
}

// Appends the label of a bar: the shape, and its systems.
static void put_bar_label(struct text *label, const struct plot *plot, const struct record *r) {
    if (plot->terse)
        put_short_shape(label, r);
    else
        put_shape(label, r);
    if (r->systems && *r->systems) text_format(label, " (%s)", r->systems);
}

static int longest_label(const struct plot *plot, const struct view_case *c) {
    size_t longest = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct text label = {0};
        put_bar_label(&label, plot, c->records[i]);
        longest = label.length > longest ? label.length : longest;
        text_free(&label);
    }
    return (int)longest;
}

// Writes a row: position from the top, slowdown, label of the bar, label of the axis, colour (0 other, 1 best, 2 tie,
// 3 system).
static void put_bar(
    struct plot *plot, const struct view_case *c, const struct record *r, int position, double *longest) {
    struct text label = {0};
    double loss = loss_of(c, r), drawn = isnan(loss) ? 0 : fmin(loss, longest_bar);
    int colour = r == c->best ? 1 : case_ties(c->best, r) ? 2 : r->systems && *r->systems ? 3 : 0;
    put_bar_label(&label, plot, r);
    text_format(&plot->data, "%d %.4g", position, drawn);
    put_outcome(plot, c, r);
    put_name(&plot->data, text_str(&label), ROW_LETTERS);
    text_format(&plot->data, " %d\n", colour);
    *longest = fmax(*longest, drawn);
    text_free(&label);
}

// A record and its place in the case.
struct bar {
    const struct record *record;
    size_t at;
};

// Sorts by time, fastest first, records without a time last; equal ones keep their order.
static int by_time(const void *a, const void *b) {
    const struct bar *x = a, *y = b;
    double p = compute_ns(x->record), q = compute_ns(y->record);
    if (isnan(p) != isnan(q)) return isnan(p) ? 1 : -1;
    if (p != q && !isnan(p)) return p < q ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

static int by_place(const void *a, const void *b) {
    const struct bar *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

// Draws bars in the order of the case. If there are too many, the slowest are omitted.
static void put_bars(struct plot *plot, const struct view_case *c) {
    double longest = 1;
    plot->terse = longest_label(plot, c) > ROW_LETTERS;
    size_t count = c->count < MOST_BARS ? c->count : MOST_BARS;
    struct bar *bars = memory_alloc(c->count, sizeof *bars);
    for (size_t i = 0; i < c->count; i++) bars[i] = (struct bar){c->records[i], i};
    qsort(bars, c->count, sizeof *bars, by_time);
    qsort(bars, count, sizeof *bars, by_place);
    for (size_t i = 0; i < count; i++) put_bar(plot, c, bars[i].record, (int)i, &longest);
    free(bars);
    set_number(plot, "rows", (double)count);
    set_number(plot, "longest", longest);
    plot->template = "bars.gp";
}

const char *plot_shapes(struct plot *plot) {
    const struct view_case *c = plot->c ? plot->c : largest_case(plot->kernel);
    if (!c) return "nothing was timed";
    if (timed_shapes(c) < LEAST_TO_DRAW) return "fewer than three shapes were timed";
    const struct record *first = c->records[0];
    struct text dims = {0};
    struct shape_scale x = scale_of(c, 0), y = scale_of(c, 1);
    // If workgroup y is constant, the second scale is of the first varying tunable.
    for (int t = 0; y.count < 2 && t < first->tunable_count; t++) y = scale_of(c, TUNABLES + t);
    for (int i = 0; i < first->dim_count; i++) {
        if (i) text_append(&dims, "x");
        text_number(&dims, first->dims[i].value);
    }
    set_title(plot, "%s %s %s: slowdown by shape", plot->kernel->name, plot->kernel->dtype, text_str(&dims));
    text_free(&dims);
    bool full = 2 * c->count > (size_t)x.count * (size_t)y.count; // else bars show more than a map with holes
    bool map = x.count > 1 && y.count > 1 && (full || y.axis < TUNABLES);
    if (map)
        put_map(plot, c, &x, &y);
    else
        put_bars(plot, c);
    put_dims_named(&plot->caption, first);
    text_format(&plot->caption, "%s. Compute alone.%s", plot->c ? "" : ", the largest size",
        map ? " A field is the fastest shape of these values; grey ones are not right or were not timed."
        : c->count > MOST_BARS ? " The fastest shapes only."
                               : "");
    if (!plot->terse) return NULL;
    text_append(&plot->caption, " After the workgroup:");
    for (int i = 0; i < first->tunable_count; i++)
        text_format(&plot->caption, "%s %s", i ? "," : "", first->tunables[i].name);
    text_append(&plot->caption, ".");
    return NULL;
}

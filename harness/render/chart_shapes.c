// SPDX-License-Identifier: Apache-2.0
// What each shape loses at one size: a map of workgroup x by y, or by another tunable, or
// bars where there is nothing to map.
#include "format.h"
#include "chart.h"

#include <math.h>
#include <stdlib.h>

enum { AXIS_VALUES = 64, MOST_BARS = 40 };
static const double longest_bar = 8; // a slowdown beyond it is written, not drawn

// An axis is a number of the workgroup, from 0 on, or of the other tunables, from TUNABLES on.
enum { TUNABLES = 3 };

static double value_on(const struct record *r, int axis) {
    if (axis < TUNABLES) return r->wg[axis];
    return axis - TUNABLES < r->tunable_count ? r->tunables[axis - TUNABLES].value : 0;
}

// The distinct values of one axis, rising.
struct scale {
    int axis;
    double values[AXIS_VALUES];
    int count;
};

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct scale scale_of(const struct view_case *c, int axis) {
    struct scale scale = {.axis = axis};
    for (size_t i = 0; i < c->count; i++) {
        bool known = false;
        for (int k = 0; k < scale.count; k++)
            known = known || scale.values[k] == value_on(c->records[i], axis);
        if (!known && scale.count < AXIS_VALUES)
            scale.values[scale.count++] = value_on(c->records[i], axis);
    }
    qsort(scale.values, (size_t)scale.count, sizeof *scale.values, by_value);
    return scale;
}

// Workgroup y; where that is always the same, the first other tunable that is not.
static struct scale second_scale(const struct view_case *c) {
    struct scale y = scale_of(c, 1);
    for (int t = 0; y.count < 2 && t < c->records[0]->tunable_count; t++) y = scale_of(c, TUNABLES + t);
    return y;
}

// The fastest of the records with these values, whatever their other tunables; else one that has
// no time; or NULL.
static const struct record *at_field(const struct view_case *c, const struct scale *x, int column, const struct scale *y, int row) {
    const struct record *found = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        if (value_on(r, x->axis) != x->values[column] || value_on(r, y->axis) != y->values[row]) continue;
        if (!found || isnan(compute_ns(found)) || compute_ns(r) < compute_ns(found)) found = r;
    }
    return found;
}

static void put_ticks(struct plot *plot, const char *axis, const struct scale *scale) {
    text_format(&plot->settings, "set %stics (", axis);
    for (int i = 0; i < scale->count; i++)
        text_format(&plot->settings, "%s'%.9g' %d", i ? ", " : "", scale->values[i], i);
    text_append(&plot->settings, ")\n");
}

// What stands in a field or beside a bar: "1.21x", "fail", "skip".
static void put_outcome(struct text *data, const struct view_case *c, const struct record *r) {
    struct text label = {0};
    if (isnan(compute_ns(r)) && r->status != RECORD_PASS)
        text_append(&label, record_status_name(r->status));
    else
        put_factor(&label, loss_of(c, r));
    put_cell(data, text_str(&label));
    text_free(&label);
}

// Rows: x, y, slowdown (NaN: none), label, whether it is the best.
static void put_map(
    struct plot *plot, const struct view_case *c, const struct scale *x, const struct scale *y) {
    double worst = 1;
    for (int i = 0; i < x->count; i++)
        for (int k = 0; k < y->count; k++) {
            const struct record *r = at_field(c, x, i, y, k);
            if (!r) continue;
            double loss = loss_of(c, r);
            text_format(&plot->data, "%d %d ", i, k);
            if (isnan(loss))
                text_append(&plot->data, "NaN");
            else
                text_format(&plot->data, "%.4g", loss);
            put_outcome(&plot->data, c, r);
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

// Rows: position from the top, slowdown, label of the bar, label of the axis, colour (0 other, 1
// best, 2 tie, 3 seed).
static void put_bar(struct plot *plot, const struct view_case *c, const struct record *r,
    int position, double *longest) {
    struct text label = {0};
    double loss = loss_of(c, r), drawn = isnan(loss) ? 0 : fmin(loss, longest_bar);
    int colour = r == c->best ? 1 : is_tie(c->best, r) ? 2 : r->seeds && *r->seeds ? 3 : 0;
    put_shape(&label, r);
    if (r->seeds && *r->seeds) text_format(&label, " (%s)", r->seeds);
    text_format(&plot->data, "%d %.4g", position, drawn);
    put_outcome(&plot->data, c, r);
    put_cell(&plot->data, text_str(&label));
    text_format(&plot->data, " %d\n", colour);
    *longest = fmax(*longest, drawn);
    text_free(&label);
}

// Of more shapes than there is room for, the slowest are left out: whether this one is among the first.
static bool is_among_fastest(const struct view_case *c, size_t index) {
    size_t before = 0;
    if (c->count <= MOST_BARS) return true;
    double ns = compute_ns(c->records[index]);
    for (size_t i = 0; i < c->count; i++) {
        double other = compute_ns(c->records[i]);
        before += other < ns || (isnan(ns) && !isnan(other)) || (i < index && (other == ns || (isnan(ns) && isnan(other))));
    }
    return before < MOST_BARS;
}

static void put_bars(struct plot *plot, const struct view_case *c) {
    double longest = 1;
    int count = 0;
    for (size_t i = 0; i < c->count; i++)
        if (is_among_fastest(c, i)) put_bar(plot, c, c->records[i], count++, &longest);
    set_number(plot, "rows", count);
    set_number(plot, "longest", longest);
    plot->template = "bars.gp";
}

const char *plot_shapes(struct plot *plot) {
    const struct view_case *c = plot->c ? plot->c : largest_case(plot->kernel);
    if (!c) return "nothing was timed";
    if (c->count < 2) return "one shape only";
    struct scale x = scale_of(c, 0), y = second_scale(c);
    struct text dims = {0};
    put_dims_named(&dims, c->records[0]);
    set_text(plot, "title", "%s %s: slowdown against the best shape", plot->kernel->name,
        plot->kernel->dtype);
    set_text(plot, "subtitle", "%s", text_str(&dims));
    text_free(&dims);
    bool full = 2 * c->count > (size_t)x.count * (size_t)y.count; // else bars tell more than a map of holes
    bool map = x.count > 1 && y.count > 1 && (full || y.axis < TUNABLES);
    if (map)
        put_map(plot, c, &x, &y);
    else
        put_bars(plot, c);
    text_format(&plot->caption, "Compute alone%s.%s", plot->c ? "" : ", at the largest size",
        map                    ? " A field is the fastest shape of these values; grey ones are not right or were not timed."
        : c->count > MOST_BARS ? " The fastest shapes only."
                               : "");
    return NULL;
}

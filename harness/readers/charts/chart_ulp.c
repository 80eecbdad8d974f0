// SPDX-License-Identifier: Apache-2.0
// A histogram of the errors of the record nearest to its bound, by powers of two, with the bound.
#include "../render/format.h"
#include "chart.h"
#include "../../record/record.h"

#include <math.h>

// Returns the position of an error on the x axis. Bucket i is drawn around x = i and ends at i + 0.5, where the value
// is judge_edges[i]. Between two edges the scale is logarithmic.
static double position_of(double ulp) {
    if (!(ulp > 0)) return 0.5;
    double first = log2(judge_edges[1]), position = log2(ulp) - first + 1.5;
    return fmin(fmax(position, 0.5), JUDGE_HISTOGRAM - 0.5);
}

static const struct view_case *worst_case(const struct view_operator *op, const struct view_kernel **kernel) {
    const struct view_case *worst = NULL;
    for (size_t k = 0; k < op->count; k++)
        for (size_t i = 0; i < op->kernels[k].count; i++) {
            const struct view_case *c = &op->kernels[k].cases[i];
            if (!c->worst || (worst && !(c->worst->check.worst_ratio > worst->worst->check.worst_ratio))) continue;
            worst = c;
            *kernel = &op->kernels[k];
        }
    return worst;
}

// Sets ticks "0", "0.062", "0.25", "1" ... "256" at every second edge of the buckets, which are closed on the right.
static void set_ticks(struct plot *plot) {
    text_append(&plot->settings, "set xtics ('0' 0");
    for (int i = 2; i < JUDGE_HISTOGRAM - 1; i += 2)
        text_format(&plot->settings, ", '%.*g' %d.5", judge_edges[i] < 0.1 ? 2 : 3, judge_edges[i], i);
    text_append(&plot->settings, ")\n");
}

const char *plot_ulp(struct plot *plot) {
    const struct view_kernel *kernel = NULL;
    const struct view_case *c = worst_case(plot->op, &kernel);
    if (!c) return "nothing was checked";
    const struct record *r = c->worst;
    struct text error = {0}, shape = {0}, dims = {0};
    int64_t most = 1;
    int bars = 0;
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) bars += r->check.histogram[i] > 0;
    if (bars < 2) return "all errors are in one bar";
    for (int i = 0; i < JUDGE_HISTOGRAM; i++) {
        if (r->check.histogram[i] > most) most = r->check.histogram[i];
        text_format(&plot->data, "%d %lld\n", i, (long long)r->check.histogram[i]);
    }
    put_error_of_bound(&error, r);
    put_shape(&shape, r);
    put_dims_named(&dims, r);
    set_title(plot, "%s %s: errors and their bound", kernel->name, kernel->dtype);
    note_figure(plot, r, FOOTNOTE_OF_ERROR, FIGURE_COUNT, NULL);
    if (r->check.bound_ulp > 0)
        set_text(plot, "bound_title", "nearest to its bound: %s ULP", text_str(&error));
    else
        set_text(plot, "bound_title", "bound: exact");
    set_number(plot, "bound", position_of(r->check.bound_ulp));
    set_number(plot, "most", (double)most);
    set_ticks(plot);
    text_format(&plot->caption, "%s, shape %s: %lld of %lld elements checked%s.", text_str(&dims), text_str(&shape),
        (long long)r->check.checked, (long long)r->check.elements,
        r->check.excluded ? "; elements without a defined value are omitted" : "");
    text_free(&error);
    text_free(&shape);
    text_free(&dims);
    return NULL;
}

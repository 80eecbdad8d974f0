// SPDX-License-Identifier: Apache-2.0
// The GPU against the scalar reference over size, with the crossover.
#include "chart.h"
#include "../format.h"

#include "../../stats/ratio.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

enum { MOST_SIZES = 64 };
enum reference_line { LINE_SCALAR, LINE_COMPUTE, LINE_WHOLE, LINE_COUNT };

struct sizes {
    double size[MOST_SIZES], ns[LINE_COUNT][MOST_SIZES];
    const struct record *of[MOST_SIZES];
    size_t count;
    struct marks_seen signs[LINE_COUNT];
};

// Adds a case. If several kernels have the same size, the fastest GPU time counts.
static void add_case(struct plot *plot, struct sizes *sizes, double size, const struct view_case *c) {
    double reference = reference_ns(c);
    size_t at = 0;
    if (!c->best || isnan(size) || isnan(reference)) return;
    while (at < sizes->count && sizes->size[at] < size) at++;
    bool known = at < sizes->count && sizes->size[at] == size;
    if (!known) {
        if (sizes->count == MOST_SIZES) return;
        for (size_t i = sizes->count++; i > at; i--) {
            sizes->size[i] = sizes->size[i - 1];
            sizes->of[i] = sizes->of[i - 1];
            for (int line = 0; line < LINE_COUNT; line++) sizes->ns[line][i] = sizes->ns[line][i - 1];
        }
        sizes->size[at] = size;
        sizes->of[at] = c->records[0];
        for (int line = 0; line < LINE_COUNT; line++) sizes->ns[line][at] = NAN;
    }
    note_figure(plot, reference_of(c), MARK_OF_REFERENCE, FIGURE_COUNT, &sizes->signs[LINE_SCALAR]);
    note_time(plot, c->best, &sizes->signs[LINE_COMPUTE]);
    note_figure(plot, c->best, MARK_OF_TIME, FIGURE_END_TO_END, &sizes->signs[LINE_WHOLE]);
    sizes->ns[LINE_SCALAR][at] = reference;
    sizes->ns[LINE_COMPUTE][at] = fmin(sizes->ns[LINE_COMPUTE][at], compute_ns(c->best));
    sizes->ns[LINE_WHOLE][at] = fmin(sizes->ns[LINE_WHOLE][at], figure_ns(c->best, FIGURE_END_TO_END));
}

// Returns the dtype of the operator's first kernel with a reference; kernels of other dtypes are not compared.
static const char *choose_dtype(const struct view_operator *op) {
    for (size_t k = 0; k < op->count; k++)
        for (size_t i = 0; i < op->kernels[k].count; i++)
            if (op->kernels[k].cases[i].best && !isnan(reference_ns(&op->kernels[k].cases[i])))
                return op->kernels[k].dtype;
    return NULL;
}

static bool put_line(struct plot *plot, const struct size_axis *axis, const struct sizes *sizes,
    enum reference_line line, const char *title, double *low, double *high) {
    bool any = false, open = false, begins[MOST_SIZES]; // open: the line has a previous point
    size_t order[MOST_SIZES];
    struct text named = {0};
    text_append(&named, title);
    put_signs_seen(&named, &sizes->signs[line]);
    put_cell(&plot->data, text_str(&named));
    text_free(&named);
    text_append(&plot->data, "\n");
    join_sizes(axis, sizes->of, sizes->count, order, begins);
    for (size_t i = 0; i < sizes->count; i++) {
        const double ns = sizes->ns[line][order[i]];
        if (open && begins[i]) text_append(&plot->data, "\n");
        open = !isnan(ns) || (open && !begins[i]);
        if (isnan(ns)) continue;
        text_format(&plot->data, "%.9g %.6g\n", sizes->size[order[i]], ns);
        *low = fmin(*low, ns);
        *high = fmax(*high, ns);
        any = true;
    }
    if (!any) text_append(&plot->data, "NaN NaN\n");
    text_append(&plot->data, "\n\n");
    return any;
}

// Appends "n = 12300", to three digits, or "169 KiB moved".
static void put_size(struct text *out, double size, const char *dim) {
    if (dim) {
        double unit = pow(10, fmax(0, floor(log10(size)) - 2));
        text_format(out, "%s = %.0f", dim, round(size / unit) * unit);
    } else {
        put_bytes(out, size);
        text_append(out, " moved");
    }
}

// Sets NAME, the crossover's size or NaN if there is nothing to mark, and NAME_text. The caption states it in words.
static void set_crossover(struct plot *plot, const struct sizes *sizes, enum reference_line line, const char *dim) {
    static const struct {
        const char *name, *text, *what;
    } lines[LINE_COUNT] = {[LINE_COMPUTE] = {"cross_compute", "cross_compute_text", "Compute alone"},
        [LINE_WHOLE] = {"cross_whole", "cross_whole_text", "end to end"}};
    static const char *const words[] = {[CROSSOVER_ALWAYS] = "GPU faster at every size measured",
        [CROSSOVER_NEVER] = "scalar reference faster at the largest size measured",
        [CROSSOVER_AT] = "GPU faster from about ",
        [CROSSOVER_NONE] = "not measured"};
    double size = NAN;
    struct text at = {0};
    enum crossover found = crossover_find(sizes->size, sizes->ns[line], sizes->ns[LINE_SCALAR], sizes->count, &size);
    if (found == CROSSOVER_AT) put_size(&at, size, dim);
    set_number(plot, lines[line].name, size);
    set_text(plot, lines[line].text, "%s", text_str(&at));
    text_format(&plot->caption, "%s%s: %s%s%s", plot->caption.length ? "; " : "", lines[line].what, words[found],
        text_str(&at), found == CROSSOVER_AT ? " on" : "");
    text_free(&at);
}

const char *plot_reference(struct plot *plot) {
    const char *dtype = choose_dtype(plot->op);
    const struct view_kernel *first = NULL;
    struct size_axis axis = axis_of(plot->op->kernels, plot->op->count);
    struct sizes sizes = {0};
    if (!dtype) return "the scalar reference was not timed";
    for (size_t k = 0; k < plot->op->count; k++) {
        const struct view_kernel *kernel = &plot->op->kernels[k];
        if (strcmp(kernel->dtype, dtype) != 0) continue;
        if (!first || kernel->count > first->count) first = kernel;
        for (size_t i = 0; i < kernel->count; i++)
            add_case(plot, &sizes, axis_value(&axis, &kernel->cases[i]), &kernel->cases[i]);
    }
    if (sizes.count < SIZES_TO_DRAW) return "fewer than three sizes have a scalar reference";
    double low = INFINITY, high = 0;
    put_line(plot, &axis, &sizes, LINE_SCALAR, "scalar reference, one core", &low, &high);
    put_line(plot, &axis, &sizes, LINE_COMPUTE, "GPU, compute only", &low, &high);
    bool whole = put_line(plot, &axis, &sizes, LINE_WHOLE, "GPU, end to end", &low, &high);
    set_title(plot, "%s %s: GPU against the scalar reference", plot->op->name, dtype);
    set_number(plot, "lines", whole ? LINE_COUNT : LINE_WHOLE);
    const char *dim = axis.by_bytes ? NULL : first->cases[0].records[0]->dims[axis.first].name;
    set_crossover(plot, &sizes, LINE_COMPUTE, dim);
    set_crossover(plot, &sizes, LINE_WHOLE, dim);
    set_size_axis(plot, &axis, first);
    set_log_axis(plot, "y", low, high, "ns");
    return NULL;
}

// SPDX-License-Identifier: Apache-2.0
// The table of charts, their file names, and the drawing of all of them.
#include "chart.h"

#include "../../../reference/table.h"
#include "../../record/result.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

// ---- the table

enum scope { EACH_CASE, EACH_KERNEL, EACH_OPERATOR, EACH_FAMILY, ONCE };
enum { MOST_OF_KIND = 8 }; // on a page: with the kinds below, about 35 charts

static const struct chart {
    const char *name, *title, *template; // in reports/gnuplot/
    enum scope scope;
    const char *(*plot)(struct plot *plot);
} charts[] = {
    {"roofline", "Roofline", "roofline.gp", ONCE, plot_roofline},
    {"peers", "Against others", "peers.gp", EACH_FAMILY, plot_peers},
    {"ulp", "Errors against the bound", "ulp.gp", EACH_OPERATOR, plot_ulp},
    {"time", "Time against size", "time.gp", EACH_KERNEL, plot_time},
    {"regret", "Regret over size", "regret.gp", EACH_KERNEL, plot_regret},
    {"shapes", "Shapes", "map.gp", EACH_CASE, plot_shapes},
};

// Returns "time-softmax.online", "time-softmax.online-f16" or "shapes-softmax.online-size1".
static const char *chart_file(struct chart_batch *batch, const struct chart *chart, const struct plot *plot) {
    bool again = false; // the name has no dtype for the kernel's first dtype
    for (size_t k = 0; plot->kernel && &plot->op->kernels[k] != plot->kernel; k++)
        again = again || strcmp(plot->op->kernels[k].name, plot->kernel->name) == 0;
    const char *subject = plot->kernel ? plot->kernel->name : plot->op ? plot->op->name : plot->family;
    const char *name = !subject ? arena_copy(batch->arena, chart->name)
                       : again
                           ? arena_format(batch->arena, "%s-%.120s-%.16s", chart->name, subject, plot->kernel->dtype)
                           : arena_format(batch->arena, "%s-%.120s", chart->name, subject);
    if (plot->c) name = arena_format(batch->arena, "%s-size%td", name, plot->c - plot->kernel->cases + 1);
    return name;
}

// A possible subject of a chart. Candidates are in the order of the page.
struct chart_subject {
    const struct view_operator *op;
    const struct view_kernel *kernel;
    const struct view_case *c;
    bool named; // on the page's first screen
};
struct subjects {
    struct chart_subject *items;
    size_t count, capacity;
};

static bool add_chart(
    struct chart_batch *batch, const struct chart *chart, const struct chart_subject *of, size_t place) {
    struct plot plot = {
        .view = batch->view, .op = of->op, .kernel = of->kernel, .c = of->c, .template = chart->template};
    struct drawing drawing = {
        .op = of->op, .kernel = of->kernel, .kind = chart->name, .title = chart->title, .caption = "", .place = place};
    drawing.file = chart_file(batch, chart, &plot);
    drawing.missing = chart->plot(&plot);
    if (!drawing.missing) batch->of_kind++;
    return batch_add(batch, &plot, &drawing);
}

// Removes the picture of an earlier report. Adds one note per operator about undrawn charts of this kind; drawings of
// this kind begin at `first` in the batch.
static void leave_out(
    struct chart_batch *batch, const struct chart *chart, const struct chart_subject *of, size_t place, size_t first) {
    const struct plot plot = {.op = of->op, .kernel = of->kernel, .c = of->c};
    batch_forget(batch, chart_file(batch, chart, &plot));
    batch->out->left_out++;
    for (size_t i = first; i < batch->out->count; i++)
        if (batch->out->items[i].left_out && batch->out->items[i].op == of->op) return;
    const struct drawing drawing = {.op = of->op,
        .kind = chart->name,
        .title = chart->title,
        .file = chart->name,
        .caption = "",
        .missing = "vkassay report --chart all draws the rest",
        .left_out = true,
        .place = place};
    batch_note(batch, &drawing);
}

static int by_place(const void *a, const void *b) {
    const struct drawing *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

// Draws candidates up to the limit of the kind: first the ones named on the first screen, then others in the order of
// the page.
static bool add_candidates(struct chart_batch *batch, const struct chart *chart, const struct subjects *of) {
    const size_t first = batch->out->count;
    bool ok = true;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; ok && i < of->count; i++) {
            if (of->items[i].named != (pass == 0)) continue;
            if (batch->of_kind < batch->most)
                ok = add_chart(batch, chart, &of->items[i], i);
            else
                leave_out(batch, chart, &of->items[i], i, first);
        }
    if (batch->out->count > first)
        qsort(batch->out->items + first, batch->out->count - first, sizeof *batch->out->items, by_place);
    return ok;
}

static bool is_named(const struct highlight *list, size_t count, const struct chart_subject *of) {
    for (size_t i = 0; i < count; i++)
        if (of->kernel ? list[i].kernel == of->kernel : list[i].kernel->op == of->op) return true;
    return false;
}

static void add_candidate(struct chart_batch *batch, struct subjects *out, struct chart_subject of) {
    const struct highlights *s = &batch->highlights;
    of.named = is_named(s->far, s->far_count, &of) || is_named(s->near, s->near_count, &of) ||
               is_named(s->gains, s->gain_count, &of);
    out->items = arena_grow(batch->arena, out->items, out->count, &out->capacity, sizeof *out->items);
    out->items[out->count++] = of;
}

// Adds smaller sizes only if they have shapes to map. The largest size is always added, if only for the reason why
// there is no chart.
static void add_cases(struct chart_batch *batch, struct subjects *out, const struct view_kernel *kernel) {
    const struct view_case *largest = largest_case(kernel);
    for (size_t i = 0; i < kernel->count; i++)
        if (&kernel->cases[i] != largest && timed_shapes(&kernel->cases[i]) >= LEAST_TO_DRAW)
            add_candidate(batch, out, (struct chart_subject){kernel->op, kernel, &kernel->cases[i], false});
    add_candidate(batch, out, (struct chart_subject){kernel->op, kernel, NULL, false});
}

// Adds charts only for families with peers, because most results have no other program.
static bool add_families(struct chart_batch *batch, const struct chart *chart) {
    bool ok = true;
    for (size_t i = 0; ok && batch->view->result->peers && operator_families[i]; i++) {
        struct plot plot = {.view = batch->view, .family = operator_families[i], .template = chart->template};
        struct drawing drawing = {.kind = chart->name, .title = chart->title, .caption = ""};
        drawing.file = chart_file(batch, chart, &plot);
        if (!chart->plot(&plot)) ok = batch_add(batch, &plot, &drawing);
    }
    return ok;
}

static bool add_charts(struct chart_batch *batch, const struct chart *chart) {
    struct subjects candidates = {0};
    batch->of_kind = 0;
    if (chart->scope == EACH_FAMILY) return add_families(batch, chart);
    if (chart->scope == ONCE) return add_chart(batch, chart, &(struct chart_subject){0}, 0);
    for (size_t o = 0; o < batch->view->count; o++) {
        const struct view_operator *op = &batch->view->operators[o];
        if (chart->scope == EACH_OPERATOR) add_candidate(batch, &candidates, (struct chart_subject){.op = op});
        for (size_t k = 0; k < op->count && chart->scope <= EACH_KERNEL; k++)
            if (chart->scope == EACH_CASE)
                add_cases(batch, &candidates, &op->kernels[k]);
            else
                add_candidate(batch, &candidates, (struct chart_subject){op, &op->kernels[k], NULL, false});
    }
    return add_candidates(batch, chart, &candidates);
}

bool charts_draw(const struct view *view, enum charts which, const struct card *card, struct arena *arena,
    const char *folder, const char *template_folder, struct drawings *out, struct error *err) {
    struct chart_batch batch = {.view = view, .arena = arena, .folder = folder, .out = out, .err = err};
    batch.most = which == CHARTS_ALL ? SIZE_MAX : MOST_OF_KIND;
    highlights_make(view, &batch.highlights);
    bool ok = batch_open(&batch);
    for (size_t i = 0; ok && i < sizeof charts / sizeof *charts; i++) ok = add_charts(&batch, &charts[i]);
    ok = ok && batch_add_card(&batch, card, "card-report");
    return batch_draw(&batch, template_folder, ok);
}

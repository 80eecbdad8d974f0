// SPDX-License-Identifier: Apache-2.0
// The table of charts, and what each is called.
#include "batch.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum scope { EACH_CASE, EACH_KERNEL, EACH_OPERATOR, ONCE };
enum { SHAPES_TO_MAP = 3 }; // of two the table says all

static const struct chart {
    const char *name, *title, *template; // in reports/gnuplot/
    enum scope scope;
    const char *(*plot)(struct plot *plot);
} charts[] = {
    {"roofline", "Roofline", "roofline.gp", ONCE, plot_roofline},
    {"reference", "Against the scalar reference", "reference.gp", EACH_OPERATOR, plot_reference},
    {"uses", "Uses of one upload", "uses.gp", EACH_OPERATOR, plot_uses},
    {"transfer", "Transfer and compute", "transfer.gp", EACH_OPERATOR, plot_transfer},
    {"ulp", "Errors against the bound", "ulp.gp", EACH_OPERATOR, plot_ulp},
    {"time", "Time against size", "time.gp", EACH_KERNEL, plot_time},
    {"regret", "Regret over size", "regret.gp", EACH_KERNEL, plot_regret},
    {"shapes", "Shapes", "map.gp", EACH_CASE, plot_shapes},
};

// "time-softmax.online", "time-softmax.online-f16", "shapes-softmax.online-size1".
static const char *file_name(struct batch *batch, const struct chart *chart, const struct plot *plot) {
    bool again = false; // the kernel's first dtype goes without saying
    for (size_t k = 0; plot->kernel && &plot->op->kernels[k] != plot->kernel; k++)
        again = again || strcmp(plot->op->kernels[k].name, plot->kernel->name) == 0;
    const char *subject = plot->kernel ? plot->kernel->name : plot->op ? plot->op->name : NULL;
    const char *name = !subject ? arena_copy(batch->arena, chart->name)
                       : again
                           ? arena_format(batch->arena, "%s-%.120s-%.16s", chart->name, subject, plot->kernel->dtype)
                           : arena_format(batch->arena, "%s-%.120s", chart->name, subject);
    if (plot->c) name = arena_format(batch->arena, "%s-size%td", name, plot->c - plot->kernel->cases + 1);
    return name;
}

static bool add_chart(struct batch *batch, const struct chart *chart, const struct view_operator *op,
    const struct view_kernel *kernel, const struct view_case *c) {
    if (batch->of_kind == shown_most(batch->view, SHOWN_CHARTS)) {
        batch->out->left_out++;
        return true;
    }
    struct plot plot = {.view = batch->view, .op = op, .kernel = kernel, .c = c, .template = chart->template};
    struct drawing drawing = {.op = op, .kernel = kernel, .kind = chart->name, .title = chart->title, .caption = ""};
    drawing.file = file_name(batch, chart, &plot);
    drawing.missing = chart->plot(&plot);
    if (!drawing.missing) batch->of_kind++;
    return batch_add(batch, &plot, &drawing);
}

// Of the smaller sizes those with shapes to map; of the largest always, if only to say why there is nothing to draw.
static bool add_cases(
    struct batch *batch, const struct chart *chart, const struct view_operator *op, const struct view_kernel *kernel) {
    const struct view_case *largest = largest_case(kernel);
    bool ok = true;
    for (size_t i = 0; ok && i < kernel->count; i++)
        if (&kernel->cases[i] != largest && timed_shapes(&kernel->cases[i]) >= SHAPES_TO_MAP)
            ok = add_chart(batch, chart, op, kernel, &kernel->cases[i]);
    return ok && add_chart(batch, chart, op, kernel, NULL);
}

static bool add_charts(struct batch *batch, const struct chart *chart) {
    batch->of_kind = 0;
    bool ok = chart->scope != ONCE || add_chart(batch, chart, NULL, NULL, NULL);
    for (size_t o = 0; ok && chart->scope != ONCE && o < batch->view->count; o++) {
        const struct view_operator *op = &batch->view->operators[o];
        if (chart->scope == EACH_OPERATOR) ok = add_chart(batch, chart, op, NULL, NULL);
        for (size_t k = 0; ok && chart->scope <= EACH_KERNEL && k < op->count; k++)
            ok = chart->scope == EACH_CASE ? add_cases(batch, chart, op, &op->kernels[k])
                                           : add_chart(batch, chart, op, &op->kernels[k], NULL);
    }
    return ok;
}

bool charts_draw(const struct view *view, struct arena *arena, const char *folder, const char *template_folder,
    struct drawings *out, struct error *err) {
    struct batch batch = {.view = view, .arena = arena, .folder = folder, .out = out, .err = err};
    bool ok = batch_open(&batch);
    for (size_t i = 0; ok && i < sizeof charts / sizeof *charts; i++) ok = add_charts(&batch, &charts[i]);
    return batch_draw(&batch, template_folder, ok);
}

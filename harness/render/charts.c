// SPDX-License-Identifier: Apache-2.0
// The table of charts, and what each is called.
#include "batch.h"

#include <ctype.h>
#include <string.h>

enum scope { EACH_KERNEL, EACH_OPERATOR, ONCE };

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
    {"shapes", "Shapes", "map.gp", EACH_KERNEL, plot_shapes},
};

// "time-softmax.online", "time-softmax.online-f16": what may not stand in a file's name becomes
// '_'.
static const char *file_name(
    struct batch *batch, const struct chart *chart, const struct plot *plot) {
    bool again = false; // the kernel's first dtype goes without saying
    for (size_t k = 0; plot->kernel && &plot->op->kernels[k] != plot->kernel; k++)
        again = again || strcmp(plot->op->kernels[k].name, plot->kernel->name) == 0;
    const char *subject = plot->kernel ? plot->kernel->name : plot->op ? plot->op->name : NULL;
    char *name = !subject ? arena_copy(batch->arena, chart->name)
                 : again  ? arena_format(batch->arena, "%s-%.120s-%.16s", chart->name, subject,
                                plot->kernel->dtype)
                          : arena_format(batch->arena, "%s-%.120s", chart->name, subject);
    for (char *c = name; c && *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '_';
    return name;
}

static bool add_chart(struct batch *batch, const struct chart *chart,
    const struct view_operator *op, const struct view_kernel *kernel) {
    struct plot plot = {
        .view = batch->view, .op = op, .kernel = kernel, .template = chart->template};
    struct drawing drawing = {
        .op = op, .kernel = kernel, .kind = chart->name, .title = chart->title, .caption = ""};
    drawing.file = file_name(batch, chart, &plot);
    if (drawing.file) drawing.missing = chart->plot(&plot);
    bool ok = batch_add(batch, &plot, &drawing);
    text_free(&plot.data);
    text_free(&plot.settings);
    text_free(&plot.caption);
    return ok;
}

static bool add_charts(struct batch *batch, const struct chart *chart) {
    bool ok = chart->scope != ONCE || add_chart(batch, chart, NULL, NULL);
    for (size_t o = 0; ok && chart->scope != ONCE && o < batch->view->count; o++) {
        const struct view_operator *op = &batch->view->operators[o];
        if (chart->scope == EACH_OPERATOR) ok = add_chart(batch, chart, op, NULL);
        for (size_t k = 0; ok && chart->scope == EACH_KERNEL && k < op->count; k++)
            ok = add_chart(batch, chart, op, &op->kernels[k]);
    }
    return ok;
}

bool charts_draw(const struct view *view, struct arena *arena, const char *folder,
    const char *template_folder, struct drawings *out, struct error *err) {
    struct batch batch = {.view = view, .arena = arena, .folder = folder, .out = out, .err = err};
    bool ok = batch_open(&batch);
    for (size_t i = 0; ok && i < sizeof charts / sizeof *charts; i++)
        ok = add_charts(&batch, &charts[i]);
    return batch_draw(&batch, template_folder, ok);
}

// SPDX-License-Identifier: Apache-2.0
// The table of charts, and how all of them are drawn: one data file each, one script, one gnuplot.
#include "chart.h"

#include "../base/file.h"
#include "gnuplot.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum scope { EACH_KERNEL, EACH_OPERATOR, ONCE };

static const struct chart {
    const char *name, *title, *template; // in reports/gnuplot/
    enum scope scope;
    const char *(*plot)(struct plot *plot);
} charts[] = {
    {"roofline", "Roofline", "roofline.gp", ONCE, plot_roofline},
    {"reference", "Against the scalar reference", "reference.gp", EACH_OPERATOR, plot_reference},
    {"transfer", "Transfer and compute", "transfer.gp", EACH_OPERATOR, plot_transfer},
    {"ulp", "Errors against the bound", "ulp.gp", EACH_OPERATOR, plot_ulp},
    {"time", "Time against size", "time.gp", EACH_KERNEL, plot_time},
    {"shapes", "Shapes", "map.gp", EACH_KERNEL, plot_shapes},
};

static const char script_name[] = "charts.gp", data_folder[] = "data";

// All charts of one report while they are written.
struct batch {
    const struct view *view;
    struct arena *arena;
    const char *folder;
    struct text script;
    struct drawings *out;
    struct error *err;
};

static bool out_of_memory(struct batch *batch) {
    return error_set(batch->err, STATUS_FAULT, "out of memory for the charts");
}

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

// The data file, and the lines of the script that load the template once for each format.
static bool write_plot(struct batch *batch, struct plot *plot, struct drawing *drawing) {
    const char *data =
        arena_format(batch->arena, "%s/%s/%s.dat", batch->folder, data_folder, drawing->file);
    drawing->caption = arena_copy(batch->arena, text_str(&plot->caption));
    if (!data || !drawing->caption || plot->data.failed || plot->settings.failed ||
        plot->caption.failed)
        return out_of_memory(batch);
    if (!file_write(data, text_str(&plot->data), plot->data.length, batch->err)) return false;
    text_format(&batch->script,
        "\nreset\nload templates.'common.gp'\ndata='%s/%s.dat'\nname='%s'\n%sload templates.'%s'\n",
        data_folder, drawing->file, drawing->file, text_str(&plot->settings), plot->template);
    text_append(&batch->script, "load templates.'output.gp'\n");
    return true;
}

// A picture of an earlier report must not stand in for one that is not drawn now.
static bool remove_old(struct batch *batch, const char *file) {
    static const char *const endings[] = {"svg", "png"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const char *path = arena_format(batch->arena, "%s/%s.%s", batch->folder, file, endings[i]);
        if (!path) return out_of_memory(batch);
        unlink(path);
    }
    return true;
}

static bool add_chart(struct batch *batch, const struct chart *chart,
    const struct view_operator *op, const struct view_kernel *kernel) {
    struct plot plot = {
        .view = batch->view, .op = op, .kernel = kernel, .template = chart->template};
    struct drawings *out = batch->out;
    out->items =
        arena_grow(batch->arena, out->items, out->count, &out->capacity, sizeof *out->items);
    if (!out->items) return out_of_memory(batch);
    struct drawing *drawing = &out->items[out->count++];
    *drawing = (struct drawing){
        .op = op, .kernel = kernel, .kind = chart->name, .title = chart->title, .caption = ""};
    drawing->file = file_name(batch, chart, &plot);
    bool ok = drawing->file ? remove_old(batch, drawing->file) : out_of_memory(batch);
    if (ok) drawing->missing = chart->plot(&plot);
    if (ok && !drawing->missing) ok = write_plot(batch, &plot, drawing);
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

// What gnuplot left out is told with its own words.
static bool find_drawn(struct batch *batch, const char *trouble) {
    for (size_t i = 0; i < batch->out->count; i++) {
        struct drawing *drawing = &batch->out->items[i];
        if (drawing->missing) continue;
        struct stat file;
        const char *path = arena_format(batch->arena, "%s/%s.svg", batch->folder, drawing->file);
        if (!path) return out_of_memory(batch);
        if (stat(path, &file) == 0 && file.st_size > 0)
            batch->out->drawn++;
        else
            drawing->missing = trouble ? trouble : "gnuplot left it out";
    }
    return true;
}

static bool write_script(struct batch *batch) {
    const char *path = arena_format(batch->arena, "%s/%s", batch->folder, script_name);
    if (!path || batch->script.failed) return out_of_memory(batch);
    return file_write(path, text_str(&batch->script), batch->script.length, batch->err);
}

bool charts_draw(const struct view *view, struct arena *arena, const char *folder,
    const char *template_folder, struct drawings *out, struct error *err) {
    struct batch batch = {.view = view, .arena = arena, .folder = folder, .out = out, .err = err};
    const char *data = arena_format(arena, "%s/%s", folder, data_folder);
    *out = (struct drawings){0};
    if (!data) return out_of_memory(&batch);
    text_append(&batch.script, "# Draws the charts of this folder again: gnuplot -e "
                               "\"templates='reports/gnuplot/'\" charts.gp\n");
    bool ok = file_make_folder(data, err);
    for (size_t i = 0; ok && i < sizeof charts / sizeof *charts; i++)
        ok = add_charts(&batch, &charts[i]);
    ok = ok && write_script(&batch);
    const char *trouble = ok ? gnuplot_run(arena, folder, script_name, template_folder) : NULL;
    ok = ok && find_drawn(&batch, trouble);
    text_free(&batch.script);
    return ok;
}

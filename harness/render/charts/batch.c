// SPDX-License-Identifier: Apache-2.0
#include "batch.h"

#include "../../base/file.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char script_name[] = "charts.gp", data_folder[] = "data";

bool batch_open(struct batch *batch) {
    const char *data = arena_format(batch->arena, "%s/%s", batch->folder, data_folder);
    *batch->out = (struct drawings){0};
    text_append(&batch->script, "# Draws the charts of this folder again: gnuplot -e "
                                "\"templates='reports/gnuplot/'\" charts.gp\n");
    unlink(data); // a link that leads elsewhere; a folder stays
    return file_make_folder(data, batch->err);
}

// The data file, and the lines of the script that load the template once for each format.
static bool write_plot(struct batch *batch, struct plot *plot, struct drawing *drawing) {
    const char *data = arena_format(batch->arena, "%s/%s/%s.dat", batch->folder, data_folder, drawing->file);
    drawing->caption = arena_copy(batch->arena, text_str(&plot->caption));
    if (!file_write(data, text_str(&plot->data), plot->data.length, batch->err)) return false;
    text_format(&batch->script,
        "\nreset\nload templates.'common.gp'\ndata='%s/%s.dat'\nname='%s'\n%sload templates.'%s'\n", data_folder,
        drawing->file, drawing->file, text_str(&plot->settings), plot->template);
    text_append(&batch->script, "load templates.'output.gp'\n");
    return true;
}

// A picture of an earlier report must not stand in for one that is not drawn now.
static void remove_old(struct batch *batch, const char *file) {
    static const char *const endings[] = {"svg", "png"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        unlink(arena_format(batch->arena, "%s/%s.%s", batch->folder, file, endings[i]));
}

static const char *file_name(struct batch *batch, const char *name) {
    char *file = arena_copy(batch->arena, name);
    for (char *c = file; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '_';
    return file;
}

bool batch_add(struct batch *batch, struct plot *plot, const struct drawing *drawing) {
    struct drawings *out = batch->out;
    out->items = arena_grow(batch->arena, out->items, out->count, &out->capacity, sizeof *out->items);
    struct drawing *added = &out->items[out->count++];
    *added = *drawing;
    added->file = file_name(batch, drawing->file);
    remove_old(batch, added->file);
    bool ok = added->missing || write_plot(batch, plot, added);
    text_free(&plot->data);
    text_free(&plot->settings);
    text_free(&plot->caption);
    return ok;
}

// What gnuplot left out is told with its own words.
static void find_drawn(struct batch *batch, const char *trouble) {
    for (size_t i = 0; i < batch->out->count; i++) {
        struct drawing *drawing = &batch->out->items[i];
        if (drawing->missing) continue;
        struct stat file;
        const char *path = arena_format(batch->arena, "%s/%s.svg", batch->folder, drawing->file);
        if (stat(path, &file) == 0 && file.st_size > 0)
            batch->out->drawn++;
        else
            drawing->missing = trouble ? trouble : "gnuplot left it out";
    }
}

static bool write_script(struct batch *batch) {
    const char *path = arena_format(batch->arena, "%s/%s", batch->folder, script_name);
    return file_write(path, text_str(&batch->script), batch->script.length, batch->err);
}

bool batch_draw(struct batch *batch, const char *template_folder, bool ok) {
    ok = ok && write_script(batch);
    const char *trouble = ok ? gnuplot_run(batch->arena, batch->folder, script_name, template_folder) : NULL;
    if (ok) find_drawn(batch, trouble);
    text_free(&batch->script);
    return ok;
}

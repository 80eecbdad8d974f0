// SPDX-License-Identifier: Apache-2.0
// Charts that are drawn together: one data file each, one script, one gnuplot. Private to harness/render.
#ifndef VKASSAY_RENDER_BATCH_H
#define VKASSAY_RENDER_BATCH_H

#include "chart.h"

// All charts of one page while they are written.
struct batch {
    const struct view *view; // NULL for a page of several results
    struct arena *arena;
    const char *folder;
    struct text script;
    struct drawings *out; // zeroed by batch_open
    size_t of_kind;       // charts of the kind at hand that there is something to draw for
    struct error *err;
};

bool batch_open(struct batch *batch);

// Adds a drawing under its `file`, in which what may not stand in a file's name becomes '_', and unless it is missing
// what the plot holds. The plot is released.
bool batch_add(struct batch *batch, struct plot *plot, const struct drawing *drawing);

// Draws them, if all was well so far (`ok`), and releases the batch. Without gnuplot nothing is drawn, which is no
// error.
bool batch_draw(struct batch *batch, const char *template_folder, bool ok);

#endif

// SPDX-License-Identifier: Apache-2.0
// The parts of a run's time: upload, compute and download of each kernel's best shape at its largest size.
#include "../format.h"
#include "chart.h"

#include <math.h>

static double or_zero(double value) {
    return isnan(value) ? 0 : value;
}

// Writes a row: position, ends of upload, of compute and of download, label of the axis, share of transfer.
static bool put_kernel(struct plot *plot, const struct view_kernel *kernel, int position, double *longest) {
    const struct view_case *c = largest_case(kernel);
    if (!c || is_probe(c->best)) return false;
    double up = figure_ns(c->best, FIGURE_UPLOAD), down = figure_ns(c->best, FIGURE_DOWNLOAD);
    if (isnan(up) && isnan(down)) return false;
    double first = or_zero(up), second = first + compute_ns(c->best), third = second + or_zero(down);
    struct text label = {0}, share = {0};
    text_format(&label, "%s %s", kernel->variant, kernel->dtype);
    struct marks_seen line = {0};
    note_time(plot, c->best, &line);
    note_figure(plot, c->best, MARK_OF_TIME, FIGURE_UPLOAD, &line);
    note_figure(plot, c->best, MARK_OF_TIME, FIGURE_DOWNLOAD, &line);
    put_share(&share, (first + or_zero(down)) / third);
    text_append(&share, " moving");
    put_signs_seen(&share, &line);
    text_format(&plot->data, "%d %.6g %.6g %.6g", position, first, second, third);
    put_cell(&plot->data, text_str(&label));
    put_cell(&plot->data, text_str(&share));
    text_append(&plot->data, "\n");
    *longest = fmax(*longest, third);
    text_free(&label);
    text_free(&share);
    return true;
}

const char *plot_transfer(struct plot *plot) {
    double longest = 0;
    int count = 0;
    for (size_t k = 0; k < plot->op->count; k++) count += put_kernel(plot, &plot->op->kernels[k], count, &longest);
    if (!count) return "no transfer was timed";
    set_title(plot, "%s: upload, compute and download", plot->op->name);
    set_number(plot, "rows", count);
    const struct time_unit unit = time_unit_of(longest);
    set_number(plot, "unit", unit.ns);
    set_text(plot, "x_title", "time (%s)", unit.name);
    set_number(plot, "longest", longest / unit.ns);
    text_format(&plot->caption, "Best shape at each kernel's largest size; copies to and from the device's buffers, "
                                "without the host's own writes and reads.");
    return NULL;
}

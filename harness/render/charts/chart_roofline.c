// SPDX-License-Identifier: Apache-2.0
// The best of every case under the roof that the device's own measured peaks make.
#include "../../../reference/table.h"
#include "chart.h"
#include "../format.h"
#include "../rate.h"

#include <math.h>
#include <string.h>

struct bounds {
    double x_low, x_high, y_low, y_high;
    int points;
    size_t met, stride; // every stride-th of the cases that are met is drawn
};

static void put_point(struct plot *plot, const struct record *best, struct bounds *bounds) {
    double intensity = best->flops / best->bytes, rate = best->flops / (compute_ns(best) * 1e-9);
    if (!isfinite(intensity) || !isfinite(rate) || !(intensity > 0)) return;
    text_format(&plot->data, "%.6g %.6g\n", intensity, rate);
    note_time(plot, best, NULL);
    bounds->x_low = fmin(bounds->x_low, intensity);
    bounds->x_high = fmax(bounds->x_high, intensity);
    bounds->y_low = fmin(bounds->y_low, rate);
    bounds->y_high = fmax(bounds->y_high, rate);
    bounds->points++;
}

// A block of the data file: the points of one family.
static int put_family(struct plot *plot, const char *family, struct bounds *bounds) {
    int before = bounds->points;
    size_t start = plot->data.length;
    put_cell(&plot->data, family);
    text_append(&plot->data, "\n");
    for (size_t k = 0; k < plot->view->kernel_count; k++) {
        const struct view_kernel *kernel = plot->view->kernels[k];
        if (strcmp(operator_family(kernel->op->name), family) != 0) continue;
        for (size_t i = 0; i < kernel->count; i++)
            if (kernel->cases[i].best && bounds->met++ % bounds->stride == 0)
                put_point(plot, kernel->cases[i].best, bounds);
    }
    if (bounds->points > before) {
        text_append(&plot->data, "\n\n");
        return 1;
    }
    plot->data.length = start; // no point: no block
    if (plot->data.data) plot->data.data[start] = '\0';
    return 0;
}

static size_t case_count(const struct view *view) {
    size_t cases = 0;
    for (size_t k = 0; k < view->kernel_count; k++) cases += view->kernels[k]->count;
    return cases;
}

const char *plot_roofline(struct plot *plot) {
    const struct result *result = plot->view->result;
    double bytes = peak_bytes(result), flops = peak_flops(result, "f32");
    if (!(bytes > 0) || !(flops > 0)) return "the copy and multiply-add peaks were not measured";
    double ridge = flops / bytes;
    size_t cases = case_count(plot->view), most = shown_most(plot->view, SHOWN_POINTS);
    struct bounds bounds = {ridge / 4, ridge * 4, INFINITY, flops, 0, 0, cases > most ? cases / most + 1 : 1};
    int families = 0;
    for (size_t i = 0; operator_families[i]; i++) families += put_family(plot, operator_families[i], &bounds);
    families += put_family(plot, "other", &bounds);
    if (!bounds.points) return "no point has both work and traffic";
    struct text roof = {0};
    text_append(&roof, "measured peaks: copy ");
    put_rate(&roof, bytes, "B/s");
    text_append(&roof, ", f32 multiply-add ");
    put_rate(&roof, flops, "FLOP/s");
    set_title(plot, "Roofline: the best shape of every case");
    text_append(&plot->subtitle, text_str(&roof));
    set_number(plot, "peak_bytes", bytes);
    set_number(plot, "peak_flops", flops);
    set_number(plot, "families", families);
    set_log_axis(plot, "x", bounds.x_low, bounds.x_high, "");
    set_log_axis(plot, "y", fmin(bounds.y_low, bounds.x_low * bytes), bounds.y_high, "FLOP/s");
    text_format(&plot->caption, "Work and traffic are the operator's useful operations and least "
                                "bytes; small sizes may live in "
                                "a cache and pass the roof, which is that of memory.");
    if (bounds.stride > 1) text_format(&plot->caption, " One case of %zu is drawn.", bounds.stride);
    text_free(&roof);
    return NULL;
}

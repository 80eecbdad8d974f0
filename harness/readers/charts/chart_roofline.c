// SPDX-License-Identifier: Apache-2.0
// The best point of every case under the roofs from the device's own measured peaks, one for each type and unit.
#include "../../../reference/table.h"
#include "chart.h"
#include "../render/format.h"
#include "../render/outcomes.h"
#include "../../record/figures.h"
#include "../render/highlights.h"
#include "../../record/result.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

struct bounds {
    double x_low, x_high, y_low, y_high;
    int points;
    size_t met, stride; // number of cases seen; every stride-th is drawn
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

// Writes a block of the data file: the points of one family.
static int put_family(struct plot *plot, const char *family, struct bounds *bounds) {
    int before = bounds->points;
    size_t start = plot->data.length;
    put_cell(&plot->data, family);
    text_append(&plot->data, "\n");
    for (size_t i = 0; i < plot->view->case_count; i++) {
        const struct view_case *c = plot->view->cases[i];
        if (c->best && strcmp(operator_family(c->kernel->op->name), family) == 0 && bounds->met++ % bounds->stride == 0)
            put_point(plot, c->best, bounds);
    }
    if (bounds->points > before) {
        text_append(&plot->data, "\n\n");
        return 1;
    }
    plot->data.length = start; // without points, no block
    if (plot->data.data) plot->data.data[start] = '\0';
    return 0;
}

// ---- roofs

// Returns true if the roof bounds the arithmetic of some case.
static bool bounds_a_case(const struct view *view, const char *key) {
    for (size_t i = 0; i < view->case_count; i++) {
        const struct record *best = view->cases[i]->best;
        const char *roof = best ? arithmetic_roof(view->result, best) : NULL;
        if (roof && strcmp(roof, key) == 0) return true;
    }
    return false;
}

// Writes blocks of the data file: the memory slope up to the highest roof, then each roof from the slope on. The
// caption gets "f32 multiply-add 57.5 TFLOP/s". Lines extend beyond the axes and are clipped there. Roofs without a
// case are omitted. Returns the number of roofs; *highest receives the highest.
static int put_roofs(struct plot *plot, struct arena *arena, double bytes, double *highest) {
    static const double beyond = 1e6;
    struct peak_words *peaks;
    struct text roofs = {0}, words = {0};
    int count = 0;
    size_t all = peaks_list(plot->view->result, arena, &peaks);
    *highest = 0;
    for (size_t i = 0; i < all; i++) {
        double most = result_peak(plot->view->result, peaks[i].key);
        if (!(most > 0) || !bounds_a_case(plot->view, peaks[i].key)) continue;
        put_cell(&roofs, roof_words(peaks[i].key));
        text_format(&words, ", %s %s", roof_words(peaks[i].key), peaks[i].figure);
        text_format(&roofs, "\n%.6g %.6g\n%.6g %.6g\n\n\n", most / bytes, most, most / bytes * beyond, most);
        *highest = fmax(*highest, most);
        count++;
    }
    if (!count) return 0;
    struct text slope = {0};
    put_rate(&slope, bytes, "B/s");
    put_cell(&plot->data, "memory");
    text_format(&plot->data, "\n%.6g %.6g\n%.6g %.6g\n\n\n", *highest / bytes / beyond, *highest / beyond,
        *highest / bytes, *highest);
    text_append(&plot->data, text_str(&roofs));
    text_format(&plot->caption, "Peaks: memory %s%s. ", text_str(&slope), text_str(&words));
    text_free(&slope);
    text_free(&roofs);
    text_free(&words);
    return count;
}

// ---- points furthest below the roof

// A place on the axes, as a share of each.
struct spot {
    double x, y;
};

// Returns the first place beside the point that keeps clear of earlier labels.
static struct spot label_place(struct spot point, const struct spot *labels, size_t count) {
    static const struct spot apart = {0.03, 0.06},
                             steps[] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {2, 0},
                                 {-2, 0}, {0, 2}, {0, -2}, {2, 2}, {-2, -2}, {2, -2}, {-2, 2}};
    struct spot at = point;
    for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
        bool clear = true;
        at = (struct spot){point.x + steps[s].x * apart.x, point.y + steps[s].y * apart.y};
        for (size_t i = 0; i < count; i++)
            clear &= fabs(at.x - labels[i].x) >= apart.x || fabs(at.y - labels[i].y) >= apart.y;
        if (clear) break;
    }
    return at;
}

// Writes a block for each outlier, "1 topk.radix f32": the point, and the place of its number. Returns their number.
static int put_outliers(struct plot *plot, const struct bounds *bounds) {
    struct spot labels[HIGHLIGHTS];
    struct highlights highlights;
    size_t count = 0;
    highlights_make(plot->view, &highlights);
    for (size_t i = 0; i < highlights.far_count; i++) {
        const struct record *r = highlights.far[i].record;
        const double intensity = r->flops / r->bytes, rate = r->flops / (compute_ns(r) * 1e-9);
        struct text name = {0};
        if (!(r->flops > 0) || !isfinite(intensity)) continue;
        const struct spot point = {log(intensity / bounds->x_low) / log(bounds->x_high / bounds->x_low),
            log(rate / bounds->y_low) / log(bounds->y_high / bounds->y_low)};
        const struct spot at = labels[count] = label_place(point, labels, count);
        count++;
        text_format(&name, "%zu %s %s", count, r->kernel, r->dtype);
        put_name(&plot->data, text_str(&name), HALF_KEY_LETTERS);
        text_format(&plot->data, "\n%.6g %.6g %.6g %.6g %zu\n\n\n", intensity, rate,
            bounds->x_low * pow(bounds->x_high / bounds->x_low, at.x),
            bounds->y_low * pow(bounds->y_high / bounds->y_low, at.y), count);
        text_free(&name);
    }
    return (int)count;
}

const char *plot_roofline(struct plot *plot) {
    const struct result *result = plot->view->result;
    double bytes = peak_bytes(result), highest = 0;
    if (!(bytes > 0)) return "the peak of memory was not measured";
    struct arena arena = {0};
    int families = 0, roofs = put_roofs(plot, &arena, bytes, &highest);
    if (!roofs) {
        arena_free(&arena);
        return "no peak of the arithmetic of these points was measured";
    }
    size_t cases = plot->view->case_count, most = shown_most(plot->view, SHOWN_POINTS);
    struct bounds bounds = {
        highest / bytes / 64, highest / bytes * 4, INFINITY, highest, 0, 0, cases > most ? cases / most + 1 : 1};
    arena_free(&arena);
    for (size_t i = 0; operator_families[i]; i++) families += put_family(plot, operator_families[i], &bounds);
    families += put_family(plot, "other", &bounds);
    if (!bounds.points) return "no point has both work and traffic";
    set_title(plot, "Roofline: the best shape of every case");
    set_number(plot, "roofs", roofs);
    set_number(plot, "families", families);
    bounds.y_low = fmin(bounds.y_low, bounds.x_low * bytes);
    set_number(plot, "outliers", put_outliers(plot, &bounds));
    set_log_axis(plot, "x", bounds.x_low, bounds.x_high, "");
    set_log_axis(plot, "y", bounds.y_low, bounds.y_high, "OP/s");
    text_format(&plot->caption,
        "Work and traffic are the operator's useful operations and least bytes. Small sizes may fit a "
        "cache and exceed the slope of memory. Numbers mark the cases furthest below their roof.");
    if (bounds.stride > 1) text_format(&plot->caption, " The chart shows one case in %zu.", bounds.stride);
    return NULL;
}

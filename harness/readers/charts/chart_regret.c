// SPDX-License-Identifier: Apache-2.0
// The loss of the portable pick and of the heuristics against the best shape, over size.
#include "chart.h"
#include "../render/choice.h"
#include "../render/format.h"

#include <math.h>
#include <string.h>

enum { MOST_SIZES = 64, SERIES = 1 + HEURISTIC_COUNT };

// The lines of the chart: the choice of each at every size with a choice.
struct regret_lines {
    const struct view_case *cases[MOST_SIZES];
    double size[MOST_SIZES];
    bool begins[MOST_SIZES]; // of a line of related sizes (join_sizes)
    size_t count;
    const struct record *records[SERIES][MOST_SIZES]; // of the pick, then of the rules
};

static void add_case(
    struct regret_lines *lines, const struct view_case *c, double size, bool begins, const struct choice *choice) {
    if (lines->count == MOST_SIZES) return;
    size_t at = lines->count++;
    lines->cases[at] = c;
    lines->size[at] = size;
    lines->begins[at] = begins;
    lines->records[0][at] = choice->shape ? with_shape(c, choice->shape) : NULL;
    for (enum heuristic heuristic = 0; heuristic < HEURISTIC_COUNT; heuristic++)
        lines->records[1 + heuristic][at] = choice_heuristic(choice, c, heuristic);
}

static void add_cases(struct regret_lines *lines, const struct view_kernel *kernel, const struct size_axis *axis,
    const struct choice *choice) {
    struct arena arena = {0};
    const struct record **records = arena_alloc(&arena, kernel->count, sizeof(*records));
    const struct view_case **cases = arena_alloc(&arena, kernel->count, sizeof(*cases));
    size_t *order = arena_alloc(&arena, kernel->count, sizeof *order), count = 0;
    bool *begins = arena_alloc(&arena, kernel->count, sizeof *begins);
    for (size_t i = 0; i < kernel->count; i++) {
        if (!has_choice(&kernel->cases[i]) || isnan(axis_value(axis, &kernel->cases[i]))) continue;
        cases[count] = &kernel->cases[i];
        records[count++] = kernel->cases[i].records[0];
    }
    join_sizes(axis, records, count, order, begins);
    for (size_t i = 0; i < count; i++)
        add_case(lines, cases[order[i]], axis_value(axis, cases[order[i]]), begins[i], choice);
    arena_free(&arena);
}

static bool same_line(const struct regret_lines *lines, int a, int b) {
    return memcmp(lines->records[a], lines->records[b], lines->count * sizeof **lines->records) == 0;
}

// Writes "pick 256 = default": the names of all series equal to this one.
static void put_title(struct text *data, const struct regret_lines *lines, int series, const struct record *pick) {
    struct text title = {0};
    for (int s = series; s < SERIES; s++) {
        if (!same_line(lines, series, s)) continue;
        if (title.length) text_append(&title, " = ");
        if (s == 0) {
            text_append(&title, "pick ");
            put_shape(&title, pick);
        } else
            text_append(&title, heuristic_name((enum heuristic)(s - 1)));
    }
    put_name(data, text_str(&title), KEY_LETTERS);
    text_append(data, "\n");
    text_free(&title);
}

// Writes a line. It breaks at a size where the shape failed or was not timed.
static void put_line(struct plot *plot, const struct regret_lines *lines, int series, double *worst) {
    bool open = false; // the line has a previous point
    for (size_t i = 0; i < lines->count; i++) {
        double loss = loss_of(lines->cases[i], lines->records[series][i]);
        if (open && (isnan(loss) || lines->begins[i])) text_append(&plot->data, "\n");
        open = !isnan(loss);
        if (!open) continue;
        note_time(plot, lines->records[series][i], NULL);
        text_format(&plot->data, "%.9g %.5g\n", lines->size[i], loss);
        if (loss > *worst) *worst = loss;
    }
    text_append(&plot->data, "\n\n");
}

static void set_factor_axis(struct plot *plot, double worst) {
    static const double marks[] = {1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 7, 10, 20, 50, 100, 1000, 10000};
    double top = fmax(worst, 1.1) * 1.04, last = -1;
    set_number(plot, "y_hi", top);
    set_number(plot, "y_lo", pow(top, -0.04));
    text_append(&plot->settings, "set ytics (");
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        double at = log(marks[i]) / log(top);
        if (at > 1 || at - last < 0.08) continue;
        text_format(&plot->settings, "%s'%gx' %g", last < 0 ? "" : ", ", marks[i], marks[i]);
        last = at;
    }
    text_append(&plot->settings, ")\n");
}

// Returns whether a series has a loss to draw, unless an earlier one is equal: the title of that one names both.
static bool is_drawn(const struct regret_lines *lines, int series) {
    for (int before = 0; before < series; before++)
        if (same_line(lines, before, series)) return false;
    for (size_t i = 0; i < lines->count; i++)
        if (!isnan(loss_of(lines->cases[i], lines->records[series][i]))) return true;
    return false;
}

const char *plot_regret(struct plot *plot) {
    const struct view_kernel *kernel = plot->kernel;
    struct size_axis axis = axis_of(kernel, 1);
    struct choice choice = choice_of(kernel);
    struct regret_lines lines = {.count = 0};
    struct text styles = {0};
    double worst = 1;
    int count = 0;
    add_cases(&lines, kernel, &axis, &choice);
    if (lines.count < LEAST_TO_DRAW) return "fewer than three sizes were timed in two shapes";
    if (!joins_any(lines.begins, lines.count)) return "no two sizes differ in one dim only";
    for (int series = 0; series < SERIES; series++) {
        if (!is_drawn(&lines, series)) continue;
        put_title(&plot->data, &lines, series, choice.shape);
        put_line(plot, &lines, series, &worst);
        text_format(&styles, "%d ", series);
        count++;
    }
    set_title(plot, "%s %s: loss of one shape", kernel->name, kernel->dtype);
    set_text(plot, "styles", "%s", text_str(&styles));
    set_number(plot, "lines", count);
    set_size_axis(plot, &axis, kernel);
    set_factor_axis(plot, worst);
    text_append(&plot->caption,
        "Time / time of the best shape at each size. A line breaks where its shape was not timed or is wrong.");
    text_free(&styles);
    return NULL;
}

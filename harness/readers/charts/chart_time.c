// SPDX-License-Identifier: Apache-2.0
// Time against size for every shape of a kernel. The best shape at the largest size, the systems' shapes and the
// default are highlighted.
#include "chart.h"
#include "../render/format.h"
#include "../../record/record.h"

#include <math.h>
#include <string.h>

// Roles of a shape. The first that fits gives the line's style (common.gp); other shapes are thin and grey.
enum { SYSTEM_STYLES = 5, MOST_LINES = 100 };
enum line_role { ROLE_BEST = 1, ROLE_SYSTEM, ROLE_STANDARD, ROLE_OTHER };

// Writes "256: best, default, torchless, candle".
static void put_series_title(
    struct text *data, const struct record *shape, enum line_role role, const struct footnotes_seen *footnotes) {
    struct text title = {0};
    const char *before = ": ";
    put_shape(&title, shape);
    if (role == ROLE_BEST) {
        text_format(&title, "%sbest", before);
        before = ", ";
    }
    if (shape->is_default) {
        text_format(&title, "%sdefault", before);
        before = ", ";
    }
    for (const char *name = shape->systems ? shape->systems : ""; *name;) {
        int length = (int)strcspn(name, ",");
        text_format(&title, "%s%.*s", before, length, name);
        name += length + (name[length] == ',');
        before = ", ";
    }
    put_symbols_seen(&title, footnotes);
    put_name(data, text_str(&title), KEY_LETTERS);
    text_free(&title);
}

// Returns whether a larger size of the line takes less time by a tenth and more, beyond both intervals. `begins` marks
// the first size of each line.
static bool is_cliff(
    const struct record *const *records, const size_t *order, const bool *begins, size_t count, size_t i) {
    const struct summary *time = &records[order[i]]->time[FIGURE_COMPUTE];
    for (size_t k = i + 1; k < count && !begins[k]; k++) {
        const struct summary *larger = &records[order[k]]->time[FIGURE_COMPUTE];
        if (time->median > 1.1 * larger->median && time->lo > larger->hi) return true;
    }
    return false;
}

// Writes a block of the data file: a title, then size, median and interval. Cliffs are appended to `cliffs`.
static void put_series(struct plot *plot, const struct size_axis *axis, const struct record *shape, enum line_role role,
    struct text *cliffs) {
    struct arena arena = {0};
    const struct view_kernel *kernel = plot->kernel;
    const struct record **records = arena_alloc(&arena, kernel->count, sizeof(*records));
    double *sizes = arena_alloc(&arena, kernel->count, sizeof *sizes);
    size_t *order = arena_alloc(&arena, kernel->count, sizeof *order), count = 0;
    bool *begins = arena_alloc(&arena, kernel->count, sizeof *begins);
    struct footnotes_seen footnotes = {0};
    struct text rows = {0};
    for (size_t i = 0; i < kernel->count; i++) {
        const struct record *r = with_shape(&kernel->cases[i], shape);
        if (!r || isnan(compute_ns(r))) continue;
        sizes[count] = axis_value(axis, &kernel->cases[i]);
        records[count++] = r;
    }
    join_sizes(axis, records, count, order, begins);
    for (size_t i = 0; i < count; i++) {
        const struct summary *time = &records[order[i]]->time[FIGURE_COMPUTE];
        note_time(plot, records[order[i]], &footnotes);
        if (i && begins[i]) text_append(&rows, "\n");
        text_format(&rows, "%.9g %.6g %.6g %.6g\n", sizes[order[i]], time->median, time->lo, time->hi);
        if (role == ROLE_BEST && is_cliff(records, order, begins, count, i))
            text_format(cliffs, "%.9g %.6g\n", sizes[order[i]], time->median);
    }
    arena_free(&arena);
    put_series_title(&plot->data, shape, role, &footnotes);
    text_format(&plot->data, "\n%s\n\n", text_str(&rows));
    text_free(&rows);
}

// Writes the lines of one role. The shapes are taken from the largest case.
static int put_role(struct plot *plot, const struct size_axis *axis, const struct view_case *largest,
    enum line_role role, struct text *styles, struct text *cliffs) {
    int count = 0;
    for (size_t i = 0; i < largest->count && count < MOST_LINES; i++) {
        const struct record *shape = largest->records[i];
        const enum line_role own = same_shape(shape, largest->best)    ? ROLE_BEST
                                   : shape->systems && *shape->systems ? ROLE_SYSTEM
                                   : shape->is_default                 ? ROLE_STANDARD
                                                                       : ROLE_OTHER;
        if (isnan(compute_ns(shape)) || own != role) continue;
        put_series(plot, axis, shape, role, cliffs);
        text_format(styles, "%d ", (int)role + (role == ROLE_SYSTEM ? 10 + count % SYSTEM_STYLES : 0));
        count++;
    }
    return count;
}

// Returns whether a line joins sizes.
static bool has_line(const struct view_kernel *kernel, const struct size_axis *axis) {
    struct arena arena = {0};
    const struct record **records = arena_alloc(&arena, kernel->count, sizeof(*records));
    size_t *order = arena_alloc(&arena, kernel->count, sizeof *order), count = 0;
    bool *begins = arena_alloc(&arena, kernel->count, sizeof *begins);
    for (size_t i = 0; i < kernel->count; i++)
        if (kernel->cases[i].best && !isnan(axis_value(axis, &kernel->cases[i])))
            records[count++] = kernel->cases[i].best;
    join_sizes(axis, records, count, order, begins);
    const bool joined = joins_any(begins, count);
    arena_free(&arena);
    return joined;
}

static size_t timed_sizes(const struct view_kernel *kernel, const struct size_axis *axis, double *low, double *high) {
    size_t sizes = 0;
    double last = NAN;
    for (size_t i = 0; i < kernel->count; i++) {
        const struct view_case *c = &kernel->cases[i];
        double here = axis_value(axis, c);
        if (!c->best || isnan(here)) continue;
        if (here != last) sizes++;
        last = here;
        for (size_t k = 0; k < c->count; k++) {
            *low = fmin(*low, compute_ns(c->records[k]));
            *high = fmax(*high, compute_ns(c->records[k]));
        }
    }
    return sizes;
}

const char *plot_time(struct plot *plot) {
    const struct view_kernel *kernel = plot->kernel;
    const struct view_case *largest = largest_case(kernel);
    struct size_axis axis = axis_of(kernel, 1);
    double low = INFINITY, high = 0;
    if (!largest || timed_sizes(kernel, &axis, &low, &high) < LEAST_TO_DRAW) return "fewer than three sizes were timed";
    if (!has_line(kernel, &axis)) return "no two sizes differ in one dim only";
    struct text styles = {0}, cliffs = {0};
    int others = put_role(plot, &axis, largest, ROLE_OTHER, &styles, &cliffs);
    text_free(&styles);
    int marked = 0;
    for (enum line_role role = ROLE_STANDARD; role >= ROLE_BEST; role--)
        marked += put_role(plot, &axis, largest, role, &styles, &cliffs);
    if (cliffs.length) text_format(&plot->data, "cliff\n%s\n\n", text_str(&cliffs));
    set_title(plot, "%s %s: time against size", kernel->name, kernel->dtype);
    set_text(plot, "styles", "%s", text_str(&styles));
    set_number(plot, "others", others);
    set_number(plot, "marked", marked);
    set_number(plot, "cliffs", cliffs.length > 0);
    set_size_axis(plot, &axis, kernel);
    set_log_axis(plot, "y", low, high, "ns");
    if (others == MOST_LINES)
        text_format(&plot->caption, "Only the first %d other shapes are drawn.  ", (int)MOST_LINES);
    if (axis.by_bytes) text_append(&plot->caption, "Lines join sizes that differ only in one dim, or in equal dims. ");
    if (cliffs.length)
        text_append(
            &plot->caption, "A circle marks a size of the best shape that takes a tenth more than a larger one. ");
    text_format(&plot->caption, "Compute only; bars are 95 %% intervals of the median.");
    text_free(&styles);
    text_free(&cliffs);
    return NULL;
}

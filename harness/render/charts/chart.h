// SPDX-License-Identifier: Apache-2.0
// Charts: what each kind of chart says to gnuplot, and the drawing of all of them by one child
// process. Private to harness/render.
#ifndef VKASSAY_RENDER_CHART_H
#define VKASSAY_RENDER_CHART_H

#include "../../record/marks.h"
#include "../render.h"
#include "../standouts.h"
#include "../view.h"
#include "../../base/text.h"

// One chart while it is written: a data file, and gnuplot variables for the template that plots it.
struct plot {
    const struct view *view;
    const char *family;               // NULL but for a chart of a family
    const struct view_operator *op;   // NULL for a chart of the whole result
    const struct view_kernel *kernel; // NULL for a chart of an operator
    const struct view_case *c;        // the case, where it is not the kernel's largest; else NULL
    const char *template;             // file in reports/gnuplot/; preset from the table, a writer may choose another
    bool terse;                       // labels of shapes are values alone, and the caption names them
    int label_letters;                // of the longest label left of the axis, where these are long
    struct text title, subtitle;      // as long as they are: they go on in the next line
    struct marks_seen seen;           // of the figures that are drawn; what they mean stands below the subtitle
    struct text data, settings;
    struct text caption; // one sentence for the page
};

// Each fills a plot; NULL, or why there is nothing to draw (static text).
const char *plot_time(struct plot *plot);      // kernel: time against size, a line a shape
const char *plot_shapes(struct plot *plot);    // case: slowdown of each shape
const char *plot_regret(struct plot *plot);    // kernel: what one choice for all sizes loses, over size
const char *plot_uses(struct plot *plot);      // operator: time of one use over how many share an upload
const char *plot_transfer(struct plot *plot);  // operator: upload, compute, download at the largest size
const char *plot_reference(struct plot *plot); // operator: GPU against the scalar reference over size
const char *plot_ulp(struct plot *plot);       // operator: histogram of errors against the bound
const char *plot_roofline(struct plot *plot);  // result: best points under the measured peaks
const char *plot_peers(struct plot *plot);     // family: other programs against the best kernels; there are some

// Settings: NAME='text' (quoted so that nothing in it is evaluated), NAME=number.
void set_text(struct plot *plot, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void set_number(struct plot *plot, const char *name, double value);
void set_title(struct plot *plot, const char *format, ...) __attribute__((format(printf, 2, 3)));
void set_heading(struct plot *plot); // title, subtitle and marks: the last setting
// Notes the marks of a compute time, or of another figure, for the chart and for one line of it (that may be NULL).
void note_time(struct plot *plot, const struct record *record, struct marks_seen *line);
void note_figure(
    struct plot *plot, const struct record *record, enum mark_of what, enum figure figure, struct marks_seen *line);
// A text as a cell of the data file.
void put_cell(struct text *data, const char *string);

// A logarithmic axis: NAME_lo, NAME_hi and `set NAMEtics` at round values, labelled as a time or a
// rate.
void set_log_axis(struct plot *plot, const char *name, double low, double high, const char *unit);

// The unit that leaves the longest time a figure of at least 1.
struct time_unit {
    const char *name;
    double ns;
};
struct time_unit time_unit_of(double longest_ns);

// A drawing for the page.
struct drawing {
    const struct view_operator *op;
    const struct view_kernel *kernel;
    const char *kind; // "time"
    const char *title;
    const char *file; // "time-relu.vec4": with .svg and .png beside the page
    const char *caption;
    const char *missing; // why there is no picture; NULL: there is one
    bool apart;          // it is not on the page: what a link to the page shows
    bool left_out;       // it stands for the charts of this kind that its operator has beside those drawn
    size_t place;        // among those of its kind, in the order of the page
};
struct drawings {
    struct drawing *items;
    size_t count, capacity, drawn;
    size_t left_out; // charts that were not begun, as there are enough of their kind
};

// ---- what a link to a page shows where it is shared

// A title, a line below it, and a bar for each of a few figures.
enum { CARD_BARS = 12 };
struct card {
    const char *title, *subtitle;
    struct card_bar {
        const char *label, *figure; // "matmul", "62 % of the roof"
        double part;                // of the full length, up to 1
        bool bad;
    } bars[CARD_BARS];
    size_t count;
};
// More bars than there is room for are left out.
void card_bar(struct card *card, const char *label, const char *figure, double part, bool bad);

// The picture of the card alone in `folder`, as `file`; without gnuplot none.
bool card_draw(const struct card *card, const char *file, struct arena *arena, const char *folder,
    const char *template_folder, struct error *err);

// Draws charts of the view into `folder`, and its card. Without gnuplot nothing is drawn, which is no error.
bool charts_draw(const struct view *view, enum charts which, const struct card *card, struct arena *arena,
    const char *folder, const char *template_folder, struct drawings *out, struct error *err);

// ---- charts that are drawn together: one data file each, one script, one gnuplot

// All charts of one page while they are written.
struct batch {
    const struct view *view; // NULL for a page of several results
    struct arena *arena;
    const char *folder;
    struct text script;
    struct drawings *out; // zeroed by batch_open
    size_t of_kind, most; // charts of the kind at hand that there is something to draw for, and how many there may be
    struct standouts standouts;
    struct error *err;
};

bool batch_open(struct batch *batch);

// Adds a drawing under its `file`, in which what may not stand in a file's name becomes '_', and unless it is missing
// what the plot holds. The plot is released.
bool batch_add(struct batch *batch, struct plot *plot, const struct drawing *drawing);

bool batch_add_card(struct batch *batch, const struct card *card, const char *file);

// Draws them, if all was well so far (`ok`), and releases the batch. Without gnuplot nothing is drawn, which is no
// error.
bool batch_draw(struct batch *batch, const char *template_folder, bool ok);

// ---- the size axis: what grows from case to case

// One dim that varies, several that are always equal, or else the bytes that must move.
struct size_axis {
    bool varies[RECORD_NAMES];
    int varying, first; // how many dims vary, and the first that does (0 when none)
    bool by_bytes;
};

struct size_axis axis_of(const struct view_kernel *kernels, size_t count);
double axis_value(const struct size_axis *axis, const struct view_case *c); // NaN when the case has none

// Sizes that one line may join: on an axis of one dim all of them; on one of bytes those that differ in the same dim,
// or in the same dims that are equal, as m = n = k, with all others alike. `order` receives the records line by line,
// each from small to large, `begins` where a line begins; records are `count` in ascending order.
void join_sizes(
    const struct size_axis *axis, const struct record *const *records, size_t count, size_t *order, bool *begins);

// The x axis of a plot: its title, its range and a labelled tick at each size that has room for its
// label.
void set_size_axis(struct plot *plot, const struct size_axis *axis, const struct view_kernel *kernel);

#endif

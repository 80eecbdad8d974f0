// SPDX-License-Identifier: Apache-2.0
// Charts: the input of each kind of chart for gnuplot, and the drawing of all of them by one child process. Private
// to harness/readers/render.
#ifndef VKASSAY_RENDER_CHART_H
#define VKASSAY_RENDER_CHART_H

#include "../../record/footnotes.h"
#include "../render/render.h"
#include "../render/highlights.h"
#include "../render/view.h"
#include "../../base/text.h"

// The least number of sizes on a line, runs in a history, or shapes of a case; for two, the table suffices.
enum { LEAST_TO_DRAW = 3 };

// A chart under construction: a data file, and gnuplot variables for its template.
struct plot {
    const struct view *view;
    const char *family;               // only for a chart of a family, else NULL
    const struct view_operator *op;   // NULL for a chart of the whole result
    const struct view_kernel *kernel; // NULL for a chart of an operator
    const struct view_case *c;        // the case, if it is not the kernel's largest; else NULL
    const char *template;             // file in reports/gnuplot/; preset from the table, may be changed by the writer
    bool terse;                       // labels of shapes have only values, and the caption has the names
    struct text title;                // one line; a longer one is cut
    struct footnotes_seen seen;       // footnotes of the drawn figures; explained at the end of the caption
    struct text data, settings;
    struct text caption; // sentences for the page
};

// Each fills a plot. It returns NULL, or the reason why there is nothing to draw (static text).
const char *plot_time(struct plot *plot);     // kernel: time against size, one line per shape
const char *plot_shapes(struct plot *plot);   // case: slowdown of each shape
const char *plot_regret(struct plot *plot);   // kernel: loss of one choice for all sizes, over size
const char *plot_ulp(struct plot *plot);      // operator: histogram of errors against the bound
const char *plot_roofline(struct plot *plot); // result: best points under the measured peaks
const char *plot_peers(struct plot *plot);    // family: other programs against the best kernels; needs peers

// Append settings: NAME='text', quoted so nothing in it is evaluated; NAME=number.
void set_text(struct plot *plot, const char *name, const char *format, ...) __attribute__((format(printf, 3, 4)));
void set_number(struct plot *plot, const char *name, double value);
void set_title(struct plot *plot, const char *format, ...) __attribute__((format(printf, 2, 3)));
void set_heading(struct plot *plot); // title, and the footnotes in the caption; call it last
// Appends a text. If it has more than `most` letters, "…" replaces its middle.
void put_cut(struct text *out, const char *string, int most);
// Appends the name of a line or a row as a cell of the data file, cut to the letters that fit: in a key with one column
// or two, or beside the axis.
enum { KEY_LETTERS = 62, HALF_KEY_LETTERS = 28, ROW_LETTERS = 56 };
void put_name(struct text *data, const char *string, int most);
// Note the footnotes of a compute time or another figure, for the chart and for one of its lines (may be NULL).
void note_time(struct plot *plot, const struct record *record, struct footnotes_seen *line);
void note_figure(struct plot *plot, const struct record *record, enum footnote_of what, enum figure figure,
    struct footnotes_seen *line);
// Appends a text as a cell of the data file.
void put_cell(struct text *data, const char *string);

// Sets a logarithmic axis: NAME_lo, NAME_hi and `set NAMEtics` at two round values or more, labelled as a time or a
// rate.
void set_log_axis(struct plot *plot, const char *name, double low, double high, const char *unit);

// Returns the largest unit in which the longest time is at least 1.
struct time_unit {
    const char *name;
    double ns;
};
struct time_unit time_unit_of(double longest_ns);

// A chart for the page.
struct drawing {
    const struct view_operator *op;
    const struct view_kernel *kernel;
    const char *kind; // "time"
    const char *title;
    const char *file; // "time-relu.vec4": with .svg and .png, beside the page
    const char *caption;
    const char *missing; // why there is no picture; NULL: there is one
    bool apart;          // not on the page, but shown with links to it
    bool left_out;       // represents all undrawn charts of this kind for its operator
    size_t place;        // among its kind, in the order of the page
};
struct drawings {
    struct drawing *items;
    size_t count, capacity, drawn;
    size_t left_out; // charts not drawn because there are enough of their kind
};

// ---- the picture for shared links to a page

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
// Adds a bar; bars beyond the limit are omitted.
void card_bar(struct card *card, const char *label, const char *figure, double part, bool bad);

// Draws only the card into `folder`, as `file`; without gnuplot it draws nothing.
bool card_draw(const struct card *card, const char *file, struct arena *arena, const char *folder,
    const char *template_folder, struct error *err);

// Draws charts of the view, and its card, into `folder`. Without gnuplot nothing is drawn; that is no error.
bool charts_draw(const struct view *view, enum charts which, const struct card *card, struct arena *arena,
    const char *folder, const char *template_folder, struct drawings *out, struct error *err);

// ---- drawing charts together: one data file each, one script, one gnuplot

// All charts of one page under construction.
struct chart_batch {
    const struct view *view; // NULL for a page of several results
    struct arena *arena;
    const char *folder;
    struct text script;
    struct drawings *out; // zeroed by batch_open
    size_t of_kind, most; // drawable charts of the current kind so far, and the limit
    struct highlights highlights;
    double seconds; // until gnuplot is ended, with all that it started; 0: two minutes
    struct error *err;
};

bool batch_open(struct chart_batch *batch);

// Adds a drawing and, unless it is missing, its plot. Characters not allowed in file names become '_' in `file`.
// Frees the plot.
bool batch_add(struct chart_batch *batch, struct plot *plot, const struct drawing *drawing);

// Removes the pictures of an earlier report, so they cannot replace a chart that is not drawn now.
void batch_forget(struct chart_batch *batch, const char *name);

// Adds a drawing without a plot. Returns it, in the batch.
struct drawing *batch_note(struct chart_batch *batch, const struct drawing *drawing);

bool batch_add_card(struct chart_batch *batch, const struct card *card, const char *file);

// Draws the charts if `ok`, and frees the batch. Without gnuplot nothing is drawn; that is no error.
bool batch_draw(struct chart_batch *batch, const char *template_folder, bool ok);

// ---- the size axis: the quantity that grows from case to case

// The axis shows one varying dim, several dims that are always equal, or the bytes to move.
struct size_axis {
    bool varies[RECORD_NAMES];
    int varying, first; // number of varying dims, and the first one (0 if none)
    bool by_bytes;
};

struct size_axis axis_of(const struct view_kernel *kernels, size_t count);
double axis_value(const struct size_axis *axis, const struct view_case *c); // NaN when the case has none

// Groups sizes into lines. On an axis of one dim, one line joins all sizes. On an axis of bytes, sizes on a line differ
// in one dim, or in several dims equal to each other, as m = n = k. All other dims must be equal. `records` are `count`
// in ascending order. `order` receives them line by line, each from small to large; `begins` marks the start of a line.
void join_sizes(
    const struct size_axis *axis, const struct record *const *records, size_t count, size_t *order, bool *begins);

// Returns whether a line joins two of these sizes.
bool joins_any(const bool *begins, size_t count);

// Sets the x axis of a plot: title, range, and a labelled tick at each size with room for its label.
void set_size_axis(struct plot *plot, const struct size_axis *axis, const struct view_kernel *kernel);

#endif

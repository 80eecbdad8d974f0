// SPDX-License-Identifier: Apache-2.0
// A table of texts, filled once from a list of columns and printed on a terminal or a page. Private
// to harness/render.
#ifndef VKASSAY_RENDER_GRID_H
#define VKASSAY_RENDER_GRID_H

#include "../choice.h"
#include "../view.h"

#include "../../base/text.h"

#include <stdio.h>

// What a row is about.
struct row {
    const struct result *result;
    const struct view_kernel *kernel;
    const struct view_case *c;
    int plain_dims;              // leading dims whose names the heading gives
    const struct choice *choice; // the kernel's portable pick; for HEADLINE and CHOICE alone
};

enum place {
    ON_TERMINAL = 1,
    ON_PAGE = 2,
    ON_HEADLINE = 4,
    ON_CHOICE = 8
}; // HEADLINE: the page's table of sizes, over all kernels; CHOICE: its first, a row a kernel

struct column {
    const char *title, *hint; // the hint explains the column on the page
    unsigned places;
    bool right;  // aligned to the right
    bool wraps;  // may go on in the next line where the terminal is narrow
    bool sparse; // left out when no row has anything to say
    // Appends the cell's text; *sort (NaN before) is what the page sorts by where the text will not
    // do.
    void (*put)(struct text *out, const struct row *row, double *sort);
};
extern const struct column columns[]; // columns.c; ends with a NULL title

struct cell {
    const char *text;
    double sort;
};
enum { GRID_COLUMNS = 24 };
struct grid {
    const struct column *columns[GRID_COLUMNS];
    int column_count;
    struct cell (*cells)[GRID_COLUMNS]; // by row
    size_t row_count;
};

bool grid_make(
    struct arena *arena, enum place place, const struct row *rows, size_t count, struct grid *out, struct error *err);
// Fits into `width` columns as far as the columns that wrap allow.
bool grid_print(const struct grid *grid, FILE *out, int width, struct error *err);

// Whether the cell says nothing: empty or a dash.
bool cell_is_empty(const struct cell *cell);

#endif

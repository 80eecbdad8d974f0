// SPDX-License-Identifier: Apache-2.0
// Columns of the tables of cases. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_CASE_COLUMNS_H
#define VKASSAY_RENDER_CASE_COLUMNS_H

#include "../../record/footnotes.h"
#include "../render/view.h"
#include "table.h"

struct choice; // choice.h

// The subject of a row: one case.
struct row {
    const struct result *result;
    const struct view_kernel *kernel;
    const struct view_case *c;
    int plain_dims;              // leading dims already named in the heading
    const struct choice *choice; // the kernel's portable pick; only for HEADLINE and CHOICE
    struct footnotes_seen *seen; // collects the footnotes of its figures, or NULL
};

enum shown_place {
    ON_TERMINAL = 1,
    ON_PAGE = 2,
    ON_HEADLINE = 4,
    ON_CHOICE = 8
}; // HEADLINE: the page's table of sizes, over all kernels; CHOICE: the page's table of picks, one row per kernel

extern const struct column case_columns[];

// Selects the cases of a table: cases of one operator or of all, if any of their records ran.
struct case_rows {
    const struct view_operator *only; // NULL: all operators
    size_t most;                      // at most this many of each kernel, the largest
    bool exhaustive;                  // include cases of exhaustive checks
    const struct choice *choices;     // by kernel number; NULL if no column needs them
    struct footnotes_seen *seen;      // receives the footnotes that occur; NULL: not wanted
};
// Appends the names of the operator's common dims, as the heading of the size column: "rows x cols".
void put_size_heading(struct text *out, const struct view_operator *op);

// Fills `out` and returns the number of rows without the limit `most`.
size_t case_table(struct table *out, struct arena *arena, const struct view *view, const struct case_rows *which,
    enum shown_place place);

#endif

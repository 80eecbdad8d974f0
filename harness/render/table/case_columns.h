// SPDX-License-Identifier: Apache-2.0
// The columns of tables of cases. Private to harness/render.
#ifndef VKASSAY_RENDER_CASE_COLUMNS_H
#define VKASSAY_RENDER_CASE_COLUMNS_H

#include "../choice.h"
#include "../../record/marks.h"
#include "../view.h"
#include "table.h"

// What a row is about.
struct row {
    const struct result *result;
    const struct view_kernel *kernel;
    const struct view_case *c;
    int plain_dims;              // leading dims whose names the heading gives
    const struct choice *choice; // the kernel's portable pick; for HEADLINE and CHOICE alone
    struct marks_seen *seen;     // the marks of its figures, or NULL
};

enum shown_place {
    ON_TERMINAL = 1,
    ON_PAGE = 2,
    ON_HEADLINE = 4,
    ON_CHOICE = 8
}; // HEADLINE: the page's table of sizes, over all kernels; CHOICE: its first, a row a kernel

extern const struct column case_columns[];

// Which cases a table has: those that ran, of one operator or of all.
struct case_rows {
    const struct view_operator *only; // NULL: of all
    size_t most;                      // of each kernel, the largest
    bool exhaustive;                  // those of exhaustive checks too
    const struct choice *choices;     // by the numbers of the kernels; NULL: the columns do not tell of them
    struct marks_seen *seen;          // gets the marks that occur; NULL: nobody asks
};
// What the column of sizes holds: "rows x cols"; nothing where kernels have no dims in common.
void put_size_heading(struct text *out, const struct view_operator *op);

// Returns how many rows there would be if `most` were no limit.
size_t case_table(struct table *out, struct arena *arena, const struct view *view, const struct case_rows *which,
    enum shown_place place);

#endif

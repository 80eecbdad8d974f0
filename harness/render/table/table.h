// SPDX-License-Identifier: Apache-2.0
// A table of texts: columns and rows, filled once and written for a terminal, as markdown or as HTML. Private to
// harness/render and those above that print listings.
#ifndef VKASSAY_RENDER_TABLE_H
#define VKASSAY_RENDER_TABLE_H

#include "../../base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct column;

struct cell {
    const char *text;
    const struct column *column;
    double sort;       // what a page sorts by where the text will not do; NaN: the text
    const char *class; // of style.css, or NULL
};

struct column {
    const char *title, *hint; // the hint explains the column on a page; NULL: it needs none
    unsigned places;          // the tables, among those that share a list of columns, that show it; 0: all
    bool right;               // aligned to the right
    bool wraps;               // may go on in the next line where the terminal or the page is narrow
    int spare;    // where a terminal is narrow: those with the most go below their rows first; 0: after them
    bool prose;   // on a page: as wide as it needs to be read, in several lines
    bool sparse;  // left out when no row has anything to say
    bool dash;    // where it has nothing to say, it says that it was not measured
    bool markup;  // its cells are markup already, of the one form the table is written in
    size_t index; // of columns that are alike: which device, which rule
    // What the cell says: a member of the row (TEXT_OF, COUNT_OF); or `say` appends it; or `put`, which tells what else
    // there is of a cell too. `row` is one of the rows that the table is made of.
    enum { CELL_MADE, CELL_TEXT, CELL_COUNT, CELL_TEXT_THROUGH } shows;
    size_t pointer, offset;
    void (*say)(struct text *out, const void *row);
    void (*put)(struct text *out, const void *row, struct cell *cell);
};

#define TEXT_OF(type, member) .shows = CELL_TEXT, .offset = offsetof(type, member) // const char *, NULL says nothing
// The same of what a member of the row points at.
#define TEXT_THROUGH(type, member, pointed, text)                                                                      \
    .shows = CELL_TEXT_THROUGH, .pointer = offsetof(type, member), .offset = offsetof(pointed, text)
#define COUNT_OF(type, member) .shows = CELL_COUNT, .offset = offsetof(type, member) // size_t

struct table {
    const struct column **columns; // those that are shown
    int column_count;
    struct cell **rows; // each with a cell for each column
    size_t row_count;
};

// `columns` ends with a NULL title; of it come those shown at `place`. `rows` is an array of `count` items of `size`
// bytes. The table is in the arena, and refers to the columns.
void table_make(struct table *out, struct arena *arena, const struct column *columns, unsigned place, const void *rows,
    size_t size, size_t count);

// On a terminal, in `width` columns: columns that wrap are narrowed, and what has no room even so stands below its row.
enum { TABLE_ANY_WIDTH = 1 << 20 };
void table_print(const struct table *table, FILE *out, int width);
// Without titles, from the first column of the terminal on; 0: each line as long as it is.
void table_print_bare(const struct table *table, FILE *out, int width);

// Markdown, the first `most` rows; and text within markdown, nothing in which is markup.
void put_table_markdown(struct text *out, const struct table *table, size_t most);
void put_markdown(struct text *out, const char *string);
void put_markdown_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3))); // its %s are
// Each line of `plain`, which is released, as a paragraph's line, nothing in it markup.
void put_markdown_lines(struct text *out, struct text *plain);

// HTML that sorts, with a name for those who do not see it. Of a table among many alike the hints are left out: a page
// of hundreds would be a tenth larger, and a legend (put_legend) has them once.
void put_table_html(struct text *out, const struct table *table, const char *name);
void put_table_alike(struct text *out, const struct table *table, const char *name);
// What each of its columns says, folded: a phone has no pointer to rest on a heading.
void put_legend(struct text *out, const struct table *table);

// Whether the cell says nothing: empty or a dash.
bool cell_is_empty(const struct cell *cell);

#endif

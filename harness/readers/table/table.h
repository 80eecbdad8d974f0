// SPDX-License-Identifier: Apache-2.0
// A table of texts. It is filled once from columns and rows, then written for a terminal, as markdown or as HTML.
// Private to harness/readers/render and to higher layers that print listings.
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
    double sort;       // the key for sorting on a page; NaN: sort by the text
    const char *class; // of style.css, or NULL
};

struct column {
    const char *title, *hint; // the hint explains the column on a page; NULL: none
    unsigned places;          // tables that show this column, if several share the list; 0: all
    bool right;               // right-aligned
    bool wraps;               // may continue on the next line in a narrow terminal or page
    int spare;    // in a narrow terminal, columns with the highest value move below their rows first; those with 0 last
    bool prose;   // on a page: as wide as is readable, over several lines
    bool sparse;  // omitted if all its cells are empty
    bool dash;    // shows a dash if the cell is empty
    bool markup;  // its cells are already markup, in the one format this table is written in
    size_t index; // tells similar columns apart, for example by device or rule
    // The content of a cell. TEXT_OF and COUNT_OF show a member of the row, `say` appends a text, and `put` can set
    // the other fields of the cell too. `row` is one of the rows passed to table_make.
    enum { CELL_MADE, CELL_TEXT, CELL_COUNT, CELL_TEXT_THROUGH } shows;
    size_t pointer, offset;
    void (*say)(struct text *out, const void *row);
    void (*put)(struct text *out, const void *row, struct cell *cell);
};

#define TEXT_OF(type, member) .shows = CELL_TEXT, .offset = offsetof(type, member) // const char *; NULL: empty
// Shows a text member of a struct to which a member of the row points.
#define TEXT_THROUGH(type, member, pointed, text)                                                                      \
    .shows = CELL_TEXT_THROUGH, .pointer = offsetof(type, member), .offset = offsetof(pointed, text)
#define COUNT_OF(type, member) .shows = CELL_COUNT, .offset = offsetof(type, member) // size_t

struct table {
    const struct column **columns; // the columns shown
    int column_count;
    struct cell **rows; // each has a cell for each column
    size_t row_count;
};

// Fills a table with the columns shown at `place`. `columns` ends with a NULL title. `rows` is an array of `count`
// items of `size` bytes. The table is in the arena and refers to the columns.
void table_make(struct table *out, struct arena *arena, const struct column *columns, unsigned place, const void *rows,
    size_t size, size_t count);

// Prints on a terminal of `width` columns. Wrapping columns are narrowed first; cells that still do not fit are
// printed below their row.
enum { TABLE_ANY_WIDTH = 1 << 20 };
void table_print(const struct table *table, FILE *out, int width);
// Prints without titles and without the gap before the first column; width 0: lines are never wrapped.
void table_print_bare(const struct table *table, FILE *out, int width);

// Append the first `most` rows as markdown, or a text escaped for markdown.
void put_table_markdown(struct text *out, const struct table *table, size_t most);
void put_markdown(struct text *out, const char *string);
void put_markdown_format(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3))); // escapes %s
// Appends each line of `plain` as a line of a paragraph, escaped, and frees `plain`.
void put_markdown_lines(struct text *out, struct text *plain);

// Append a sortable HTML table. Its `name` labels it for screen readers. A table of more columns than TABLE_BRIEF shows
// the rest after a click (style.css). The second function omits the hints, because a page with hundreds of similar
// tables would be a tenth larger; put_legend lists them once.
enum { TABLE_BRIEF = 9 };
void put_table_html(struct text *out, const struct table *table, const char *name);
void put_table_alike(struct text *out, const struct table *table, const char *name);
// Appends a folded list that explains the columns, because a phone has no pointer to hover over a heading.
void put_legend(struct text *out, const struct table *table);

// Returns true if the cell is empty or a dash.
bool cell_is_empty(const struct cell *cell);

#endif

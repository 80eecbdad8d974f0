// SPDX-License-Identifier: Apache-2.0
// Prints a table on a terminal with columns as wide as their texts. If a line does not fit, wrapping columns are
// narrowed; columns that still do not fit are printed below their rows.
#include "table.h"

#include "../render/format.h"

#include <string.h>

enum { GAP = 2, NARROWEST = 9, BELOW_INDENT = 4 };

// The layout of one printed table.
struct sheet {
    const struct table *table;
    int *widths; // of its columns
    bool *below; // columns printed below their rows, with their titles
    int gap;     // before each column, except the first of a bare table
    int room;    // columns of the terminal
    bool bare;
};

static void widen(const struct sheet *sheet, const char *const *texts) {
    for (int c = 0; c < sheet->table->column_count; c++) {
        int here = columns_of(texts[c], strlen(texts[c]));
        if (here > sheet->widths[c]) sheet->widths[c] = here;
    }
}

static int total_width(const struct sheet *sheet) {
    int total = 0;
    for (int c = 0; c < sheet->table->column_count; c++)
        if (!sheet->below[c]) total += sheet->widths[c] + sheet->gap;
    return total;
}

static int widest_of(const struct sheet *sheet) {
    int widest = -1;
    for (int c = 0; c < sheet->table->column_count; c++)
        if (!sheet->below[c] && sheet->table->columns[c]->wraps && sheet->widths[c] > NARROWEST &&
            (widest < 0 || sheet->widths[c] > sheet->widths[widest]))
            widest = c;
    return widest;
}

// Returns the column to move below the rows next: the one with the highest `spare`, the last among equals. Among
// columns without `spare`, a wrapping one comes first. The first column always stays.
static int spare_of(const struct sheet *sheet) {
    int found = -1, most = 0;
    for (int c = sheet->table->column_count - 1; c > 0; c--) {
        const struct column *column = sheet->table->columns[c];
        int spare = 2 * column->spare + column->wraps + 1;
        if (sheet->below[c] || spare <= most) continue;
        most = spare;
        found = c;
    }
    return found;
}

// Fits the columns into the room. First it narrows the gap, then the widest wrapping column, one character at a time.
// If that is not enough, it moves one column below the rows and starts again.
static void fit(struct sheet *sheet) {
    const size_t columns = (size_t)sheet->table->column_count;
    struct arena arena = {0};
    int *natural = arena_alloc(&arena, columns + 1, sizeof *natural);
    memcpy(natural, sheet->widths, columns * sizeof *natural);
    if (total_width(sheet) > sheet->room) sheet->gap = 1;
    for (int spare = 0; spare >= 0;) {
        for (int widest; total_width(sheet) > sheet->room && (widest = widest_of(sheet)) >= 0;) sheet->widths[widest]--;
        if (total_width(sheet) <= sheet->room || (spare = spare_of(sheet)) < 0) break;
        sheet->below[spare] = true;
        memcpy(sheet->widths, natural, columns * sizeof *natural);
    }
    arena_free(&arena);
}

// Returns the length in bytes of a line of at most `width` characters, ending at a break. If not even the first part
// fits, the line ends at the first break. A break follows ' ' or ',', or precedes another side of a shape, so no number
// is cut.
static size_t line_length(const char *text, int width) {
    size_t length = strlen(text), fits = 0;
    if (columns_of(text, length) <= width) return length;
    for (size_t i = 1; i < length; i++) {
        // Another side of "16x16" begins here. Names with an x are not split.
        const bool is_side = text[i] == 'x' && text[i - 1] >= '0' && text[i - 1] <= '9';
        if (text[i - 1] != ' ' && text[i - 1] != ',' && !is_side) continue;
        bool space = text[i - 1] == ' ';
        if (fits && columns_of(text, i - space) > width) break;
        fits = i;
    }
    return fits ? fits : length;
}

static void put_padded(struct text *line, const char *text, size_t bytes, int width, bool right, const char *class) {
    while (bytes && text[bytes - 1] == ' ') bytes--;
    int pad = width - columns_of(text, bytes);
    if (right && pad > 0) text_format(line, "%*s", pad, "");
    text_append(line, colour_begin(class));
    text_append_n(line, text, bytes);
    text_append(line, colour_end(class));
    if (!right && pad > 0) text_format(line, "%*s", pad, "");
}

// Prints the cells that did not fit in their row, each after its title, as many per line as fit.
static void print_below(const struct sheet *sheet, FILE *out, const char *const *texts, const struct cell *cells) {
    struct text notes = {0};
    for (int c = 0; c < sheet->table->column_count; c++)
        if (sheet->below[c] && !cell_is_empty(&cells[c]))
            text_format(&notes, "%s%s %s", notes.length ? "; " : "", sheet->table->columns[c]->title, texts[c]);
    print_words(out, "    ", &notes, BELOW_INDENT, sheet->room);
}

// Prints one row in as many lines as its longest cell needs, without trailing blanks. `texts` are consumed. `cells`
// is NULL for the titles.
static void print_row(const struct sheet *sheet, FILE *out, const char **texts, const struct cell *cells) {
    for (bool more = true; more;) {
        struct text line = {0};
        more = false;
        for (int c = 0; c < sheet->table->column_count; c++) {
            if (sheet->below[c]) continue;
            size_t length = line_length(texts[c], sheet->widths[c]);
            text_format(&line, "%*s", sheet->bare && !c ? 0 : sheet->gap, "");
            put_padded(&line, texts[c], length, sheet->widths[c], sheet->table->columns[c]->right,
                cells ? cells[c].class : NULL);
            texts[c] += length;
            more = more || *texts[c];
        }
        while (line.length && line.data[line.length - 1] == ' ') line.length--;
        fwrite(text_str(&line), 1, line.length, out);
        fputc('\n', out);
        text_free(&line);
    }
    if (cells) print_below(sheet, out, texts, cells);
}

// Copies the texts of a row without control characters.
static void take_texts(struct arena *arena, const struct table *table, size_t row, const char **texts) {
    for (int c = 0; c < table->column_count; c++) {
        struct text text = {0};
        put_plain(&text, table->rows[row][c].text, 0);
        texts[c] = arena_take(arena, &text);
    }
}

static void print_rows(const struct table *given, FILE *out, int width, bool bare) {
    struct arena arena = {0};
    struct sheet sheet = {.table = given, .gap = GAP, .room = width, .bare = bare};
    size_t columns = (size_t)given->column_count;
    const char **titles = arena_alloc(&arena, columns + 1, sizeof *titles);
    const char ***rows = arena_alloc(&arena, given->row_count + 1, sizeof *rows);
    sheet.widths = arena_alloc(&arena, columns + 1, sizeof *sheet.widths);
    sheet.below = arena_alloc(&arena, columns + 1, sizeof *sheet.below);
    for (size_t c = 0; c < columns; c++) titles[c] = given->columns[c]->title;
    if (!bare) widen(&sheet, titles);
    for (size_t i = 0; i < given->row_count; i++) {
        rows[i] = arena_alloc(&arena, columns + 1, sizeof **rows);
        take_texts(&arena, given, i, rows[i]);
        widen(&sheet, rows[i]);
    }
    fit(&sheet);
    if (!bare) print_row(&sheet, out, titles, NULL);
    for (size_t i = 0; i < given->row_count; i++) print_row(&sheet, out, rows[i], given->rows[i]);
    arena_free(&arena);
}

void table_print(const struct table *table, FILE *out, int width) {
    print_rows(table, out, width, false);
}

void table_print_bare(const struct table *table, FILE *out, int width) {
    print_rows(table, out, width ? width : TABLE_ANY_WIDTH, true);
}

// SPDX-License-Identifier: Apache-2.0
// A table on a terminal: columns as wide as their texts, and those that may wrap narrowed until the
// line fits.
#include "grid.h"

#include "../format.h"

#include <string.h>

enum { GAP = 2, NARROWEST = 9 };

// Characters of UTF-8 in the first `bytes`: every byte but those that continue one.
static int characters(const char *text, size_t bytes) {
    int count = 0;
    for (size_t i = 0; i < bytes; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

static int width_of(const struct grid *grid, int column) {
    const char *title = grid->columns[column]->title;
    int width = characters(title, strlen(title));
    for (size_t i = 0; i < grid->row_count; i++) {
        const char *text = grid->cells[i][column].text;
        int here = characters(text, strlen(text));
        if (here > width) width = here;
    }
    return width;
}

// A narrower gap (which stands before each column, the first one too) if need be; then takes from
// the widest column that wraps, one character at a time.
static void fit(const struct grid *grid, int widths[GRID_COLUMNS], int *gap, int room) {
    int total = 0;
    for (int c = 0; c < grid->column_count; c++) total += widths[c] + GAP;
    if (total > room) {
        *gap = 1;
        total -= (GAP - 1) * grid->column_count;
    }
    while (total > room) {
        int widest = -1;
        for (int c = 0; c < grid->column_count; c++)
            if (grid->columns[c]->wraps && widths[c] > NARROWEST && (widest < 0 || widths[c] > widths[widest]))
                widest = c;
        if (widest < 0) return;
        widths[widest]--;
        total--;
    }
}

// Bytes of `text` for one line of `width` characters: up to its last break that fits, or, where
// there is none, up to its first. A break follows ' ' or ',', or comes before 'x', so that no
// number is cut.
static size_t line_length(const char *text, int width) {
    size_t length = strlen(text), fits = 0;
    if (characters(text, length) <= width) return length;
    for (size_t i = 1; i < length; i++) {
        if (text[i - 1] != ' ' && text[i - 1] != ',' && text[i] != 'x') continue;
        bool space = text[i - 1] == ' ';
        if (fits && characters(text, i - space) > width) break;
        fits = i;
    }
    return fits ? fits : length;
}

static void put_padded(struct text *line, const char *text, size_t bytes, int width, bool right) {
    while (bytes && text[bytes - 1] == ' ') bytes--;
    int pad = width - characters(text, bytes);
    if (right && pad > 0) text_format(line, "%*s", pad, "");
    text_append_n(line, text, bytes);
    if (!right && pad > 0) text_format(line, "%*s", pad, "");
}

// One row, over as many lines as its longest cell takes, without blanks at their ends; `texts` are
// used up.
static void print_row(const struct grid *grid, FILE *out, const char *texts[], const int widths[], int gap) {
    for (bool more = true; more;) {
        struct text line = {0};
        more = false;
        for (int c = 0; c < grid->column_count; c++) {
            size_t length = line_length(texts[c], widths[c]);
            text_format(&line, "%*s", gap, "");
            put_padded(&line, texts[c], length, widths[c], grid->columns[c]->right);
            texts[c] += length;
            more = more || *texts[c];
        }
        while (line.length && line.data[line.length - 1] == ' ') line.length--;
        fwrite(text_str(&line), 1, line.length, out);
        fputc('\n', out);
        text_free(&line);
    }
}

// The same table with texts that no terminal is steered by.
static bool plain_copy(struct arena *arena, const struct grid *grid, struct grid *out) {
    *out = *grid;
    out->cells = arena_alloc(arena, grid->row_count, sizeof *out->cells);
    if (!out->cells) return false;
    for (size_t i = 0; i < grid->row_count; i++)
        for (int c = 0; c < grid->column_count; c++) {
            struct text text = {0};
            put_plain(&text, grid->cells[i][c].text, 0);
            out->cells[i][c].text = text.failed ? NULL : arena_copy(arena, text_str(&text));
            text_free(&text);
            if (!out->cells[i][c].text) return false;
        }
    return true;
}

bool grid_print(const struct grid *given, FILE *out, int width, struct error *err) {
    struct arena arena = {0};
    struct grid grid;
    int widths[GRID_COLUMNS] = {0}, gap = GAP;
    const char *texts[GRID_COLUMNS];
    for (int c = 0; c < GRID_COLUMNS; c++) texts[c] = "";
    if (!plain_copy(&arena, given, &grid)) {
        arena_free(&arena);
        return error_set(err, STATUS_FAULT, "out of memory for a table of %zu rows", given->row_count);
    }
    for (int c = 0; c < grid.column_count; c++) widths[c] = width_of(&grid, c);
    fit(&grid, widths, &gap, width);
    for (int c = 0; c < grid.column_count; c++) texts[c] = grid.columns[c]->title;
    print_row(&grid, out, texts, widths, gap);
    for (size_t i = 0; i < grid.row_count; i++) {
        for (int c = 0; c < grid.column_count; c++) texts[c] = grid.cells[i][c].text;
        print_row(&grid, out, texts, widths, gap);
    }
    arena_free(&arena);
    return true;
}

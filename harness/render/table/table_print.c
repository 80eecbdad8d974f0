// SPDX-License-Identifier: Apache-2.0
// A table on a terminal: columns as wide as their texts, and those that may wrap narrowed until the
// line fits.
#include "table.h"

#include "../format.h"

#include <string.h>

enum { GAP = 2, NARROWEST = 9 };

// Characters of UTF-8 in the first `bytes`: every byte but those that continue one.
static int characters(const char *text, size_t bytes) {
    int count = 0;
    for (size_t i = 0; i < bytes; i++) count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}

// What a table is printed by.
struct sheet {
    const struct table *table;
    int *widths; // of its columns
    int gap;     // before each of them, but for the first of a bare table
    bool bare;
};

static void widen(const struct sheet *sheet, const char *const *texts) {
    for (int c = 0; c < sheet->table->column_count; c++) {
        int here = characters(texts[c], strlen(texts[c]));
        if (here > sheet->widths[c]) sheet->widths[c] = here;
    }
}

// A narrower gap if need be; then takes from the widest column that wraps, one character at a time.
static void fit(struct sheet *sheet, int room) {
    const struct table *table = sheet->table;
    int total = 0;
    for (int c = 0; c < table->column_count; c++) total += sheet->widths[c] + GAP;
    if (total > room) {
        sheet->gap = 1;
        total -= (GAP - 1) * table->column_count;
    }
    while (total > room) {
        int widest = -1;
        for (int c = 0; c < table->column_count; c++)
            if (table->columns[c]->wraps && sheet->widths[c] > NARROWEST &&
                (widest < 0 || sheet->widths[c] > sheet->widths[widest]))
                widest = c;
        if (widest < 0) return;
        sheet->widths[widest]--;
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

// One row, over as many lines as its longest cell takes, without blanks at their ends; `texts` are used up.
static void print_row(const struct sheet *sheet, FILE *out, const char **texts) {
    for (bool more = true; more;) {
        struct text line = {0};
        more = false;
        for (int c = 0; c < sheet->table->column_count; c++) {
            size_t length = line_length(texts[c], sheet->widths[c]);
            text_format(&line, "%*s", sheet->bare && !c ? 0 : sheet->gap, "");
            put_padded(&line, texts[c], length, sheet->widths[c], sheet->table->columns[c]->right);
            texts[c] += length;
            more = more || *texts[c];
        }
        while (line.length && line.data[line.length - 1] == ' ') line.length--;
        fwrite(text_str(&line), 1, line.length, out);
        fputc('\n', out);
        text_free(&line);
    }
}

// The texts of a row, nothing in which steers a terminal.
static void take_texts(struct arena *arena, const struct table *table, size_t row, const char **texts) {
    for (int c = 0; c < table->column_count; c++) {
        struct text text = {0};
        put_plain(&text, table->rows[row][c].text, 0);
        texts[c] = arena_take(arena, &text);
    }
}

static void print_rows(const struct table *given, FILE *out, int width, bool bare) {
    struct arena arena = {0};
    struct sheet sheet = {.table = given, .gap = GAP, .bare = bare};
    size_t columns = (size_t)given->column_count;
    const char **titles = arena_alloc(&arena, columns + 1, sizeof *titles);
    const char ***rows = arena_alloc(&arena, given->row_count + 1, sizeof *rows);
    sheet.widths = arena_alloc(&arena, columns + 1, sizeof *sheet.widths);
    for (size_t c = 0; c < columns; c++) titles[c] = given->columns[c]->title;
    if (!bare) widen(&sheet, titles);
    for (size_t i = 0; i < given->row_count; i++) {
        rows[i] = arena_alloc(&arena, columns + 1, sizeof **rows);
        take_texts(&arena, given, i, rows[i]);
        widen(&sheet, rows[i]);
    }
    fit(&sheet, width);
    if (!bare) print_row(&sheet, out, titles);
    for (size_t i = 0; i < given->row_count; i++) print_row(&sheet, out, rows[i]);
    arena_free(&arena);
}

void table_print(const struct table *table, FILE *out, int width) {
    print_rows(table, out, width, false);
}

void table_print_bare(const struct table *table, FILE *out) {
    print_rows(table, out, TABLE_ANY_WIDTH, true);
}

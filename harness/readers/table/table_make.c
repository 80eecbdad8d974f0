// SPDX-License-Identifier: Apache-2.0
// Fills a table from its columns.
#include "table.h"

#include "../render/format.h"

#include <math.h>
#include <string.h>

bool cell_is_empty(const struct cell *cell) {
    return !*cell->text || strcmp(cell->text, NOT_MEASURED) == 0;
}

static void fill_cell(struct arena *arena, const struct column *column, const void *row, struct cell *cell) {
    struct text text = {0};
    *cell = (struct cell){.column = column, .sort = NAN};
    const char *base = row;
    if (column->shows == CELL_TEXT_THROUGH) base = *(const char *const *)(const void *)(base + column->pointer);
    const void *member = base + column->offset;
    if (column->shows == CELL_TEXT || column->shows == CELL_TEXT_THROUGH)
        text_append(&text, *(const char *const *)member ? *(const char *const *)member : "");
    else if (column->shows == CELL_COUNT)
        text_format(&text, "%zu", *(const size_t *)member);
    else if (column->put)
        column->put(&text, row, cell);
    else
        column->say(&text, row);
    if (column->dash && !text.length) text_append(&text, NOT_MEASURED);
    cell->text = arena_take(arena, &text);
}

void table_make(struct table *out, struct arena *arena, const struct column *columns, unsigned place, const void *rows,
    size_t size, size_t count) {
    size_t room = 0;
    while (columns[room].title) room++;
    *out = (struct table){.columns = arena_alloc(arena, room + 1, sizeof(*out->columns)),
        .rows = arena_alloc(arena, count + 1, sizeof *out->rows),
        .row_count = count};
    for (size_t i = 0; i < count; i++) out->rows[i] = arena_alloc(arena, room + 1, sizeof **out->rows);
    for (const struct column *c = columns; c->title; c++) {
        int at = out->column_count;
        if (c->places && !(c->places & place)) continue;
        bool is_empty = c->sparse;
        for (size_t i = 0; i < count; i++) {
            fill_cell(arena, c, (const char *)rows + i * size, &out->rows[i][at]);
            is_empty &= cell_is_empty(&out->rows[i][at]);
        }
        out->columns[at] = c;
        if (!is_empty) out->column_count++; // else the next column overwrites it
    }
}

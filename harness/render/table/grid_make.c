// SPDX-License-Identifier: Apache-2.0
// Filling a table from its columns.
#include "grid.h"

#include "../format.h"

#include <math.h>
#include <string.h>

bool cell_is_empty(const struct cell *cell) {
    return !*cell->text || strcmp(cell->text, NOT_MEASURED) == 0;
}

static bool fill_cell(struct arena *arena, const struct column *column, const struct row *row, struct cell *cell) {
    struct text text = {0};
    cell->sort = NAN;
    column->put(&text, row, &cell->sort);
    cell->text = text.failed ? NULL : arena_copy(arena, text_str(&text));
    text_free(&text);
    return cell->text != NULL;
}

static bool is_column_empty(const struct grid *grid, int column) {
    for (size_t i = 0; i < grid->row_count; i++)
        if (!cell_is_empty(&grid->cells[i][column])) return false;
    return true;
}

// Fills the next column, and keeps it unless it is sparse and has nothing to say.
static bool add_column(struct arena *arena, struct grid *grid, const struct column *column, const struct row *rows) {
    int at = grid->column_count;
    for (size_t i = 0; i < grid->row_count; i++)
        if (!fill_cell(arena, column, &rows[i], &grid->cells[i][at])) return false;
    grid->columns[at] = column;
    if (!column->sparse || !is_column_empty(grid, at)) grid->column_count++;
    return true;
}

bool grid_make(
    struct arena *arena, enum place place, const struct row *rows, size_t count, struct grid *out, struct error *err) {
    *out = (struct grid){.cells = arena_alloc(arena, count, sizeof *out->cells), .row_count = count};
    bool ok = out->cells != NULL;
    for (const struct column *c = columns; ok && c->title; c++)
        if (c->places & place && out->column_count < GRID_COLUMNS) ok = add_column(arena, out, c, rows);
    return ok || error_set(err, STATUS_FAULT, "out of memory for a table of %zu rows", count);
}

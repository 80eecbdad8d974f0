// SPDX-License-Identifier: Apache-2.0
// The table of operators and devices: how near each operator comes to the device's roof, or that it is wrong there.
#include "gallery.h"

#include "../../../reference/table.h"
#include "../../record/record.h"
#include "../render/format.h"
#include "html.h"

#include <math.h>
#include <string.h>

// The outcomes of an operator on a device.
struct heat {
    double logarithms;                  // a sum over rated problems: an operator and a type each
    size_t rated, passed, bad, skipped; // the others count points
};

// A row: an operator, and its outcomes on each device.
struct heat_row {
    const char *name;
    struct heat *on;
};

struct heat_table {
    struct heat_row *rows;
    size_t count;
};

// Returns the operator's row. A new one is added behind the others of its family, in the order of the families.
static struct heat_row *row_of(struct heat_table *table, const char *name, size_t devices, struct arena *arena) {
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->rows[i].name, name) == 0) return &table->rows[i];
    size_t at = table->count;
    while (at > 0 && family_number(table->rows[at - 1].name) > family_number(name)) at--;
    memmove(&table->rows[at + 1], &table->rows[at], (table->count++ - at) * sizeof *table->rows);
    table->rows[at] = (struct heat_row){name, arena_alloc(arena, devices, sizeof *table->rows[at].on)};
    return &table->rows[at];
}

static void add_record(struct heat *heat, const struct record *record) {
    heat->passed += record->status == RECORD_PASS;
    heat->skipped += record->status == RECORD_SKIP;
    heat->bad += record->status != RECORD_PASS && record->status != RECORD_SKIP;
}

static void add_device(struct heat_table *table, const struct devices *p, size_t device, struct arena *arena) {
    const struct view *view = &p->views[device];
    for (size_t i = 0; i < view->result->count; i++) {
        const struct record *record = &view->result->records[i];
        if (!record->peak) add_record(&row_of(table, record->operator, p->count, arena)->on[device], record);
    }
    struct highlight *rated = arena_alloc(arena, view->kernel_count, sizeof *rated);
    const size_t count = rated_problems(view, rated);
    for (size_t i = 0; i < count; i++) {
        struct heat *heat = &row_of(table, rated[i].record->operator, p->count, arena)->on[device];
        if (!(rated[i].figure > 0)) continue;
        heat->logarithms += log(rated[i].figure);
        heat->rated++;
    }
}

static void say_operator(struct text *out, const void *of) {
    text_append(out, ((const struct heat_row *)of)->name);
}

static void put_heat(struct text *out, const void *of, struct cell *cell) {
    const struct heat *heat = &((const struct heat_row *)of)->on[cell->column->index];
    if (heat->bad) {
        cell->class = "bad";
        text_format(out, "%zu of %zu wrong", heat->bad, heat->bad + heat->passed);
    } else if (heat->rated) {
        cell->sort = exp(heat->logarithms / (double)heat->rated);
        text_format(out, "<span class=heat style=\"--part:%.0f%%\">", 100 * fmin(cell->sort, 1));
        put_share_html(out, cell->sort);
        text_append(out, "</span>");
    } else {
        text_append(out, heat->passed ? "right" : heat->skipped ? "skipped" : NOT_MEASURED);
    }
}

void put_heats(struct text *out, const struct devices *p, struct arena *arena) {
    size_t most = 0;
    for (size_t d = 0; d < p->count; d++) most += p->views[d].count;
    struct heat_table heats = {.rows = arena_alloc(arena, most, sizeof *heats.rows)};
    struct table table;
    for (size_t d = 0; d < p->count; d++) add_device(&heats, p, d, arena);
    const struct column *columns = device_columns(p, (struct column){"operator", .say = say_operator},
        (struct column){.markup = true, .put = put_heat}, "", arena);
    table_make(&table, arena, columns, 0, heats.rows, sizeof *heats.rows, heats.count);
    put_table_html(out, &table, "operators on devices");
}

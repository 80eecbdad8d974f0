// SPDX-License-Identifier: Apache-2.0
// Common parts of pages of several devices: the matrix, bars by family, and the card.
#include "across.h"
#include "../charts/chart.h"
#include "../render/format.h"
#include "html.h"
#include "../../record/result.h"
#include "../../record/record.h"

#include <math.h>

void put_transfers(struct text *out, const struct shape_transfers *transfers) {
    put_factor(out, transfers->mean);
    if (transfers->timed > 1) text_append(out, ", worst "), put_factor(out, transfers->worst);
    if (transfers->timed) text_format(out, " (%zu)", transfers->timed);
    if (transfers->wrong) text_format(out, ", %zu wrong", transfers->wrong);
    if (transfers->other) text_format(out, ", %zu* of another source", transfers->other);
    if (transfers->missing) text_format(out, ", %zu not measured", transfers->missing);
}

bool transfer_ties(const struct transfer *item) {
    return !isnan(item->loss) && (item->record == item->on->best || case_ties(item->on->best, item->record));
}

void put_transfer(struct text *out, const struct transfer *item) {
    if (transfer_ties(item)) text_append(out, "=");
    if (isnan(item->loss) && item->record && item->record->status != RECORD_PASS)
        text_append(out, record_status_name(item->record->status));
    else
        put_factor(out, item->loss);
    if (item->other_source) text_append(out, "*");
}

// ---- a column for each device

enum family_bars { BARS_OF_ROOF, BARS_OF_SPEED };

// A row: a device with its best shapes, or a family.
struct across_row {
    const struct devices *devices;
    size_t index;
    enum family_bars bars;
};

static void say_device(struct text *out, const void *of) {
    const struct across_row *row = of;
    text_append(out, row->devices->labels[row->index]);
}
static void put_field(struct text *out, const void *of, struct cell *cell) {
    const struct across_row *row = of;
    const struct shape_transfers *transfers = transfers_of(row->devices, row->index, cell->column->index);
    put_transfers(out, transfers);
    cell->sort = transfers->mean;
}

static void say_family(struct text *out, const void *of) {
    const struct across_row *row = of;
    text_append(out, row->index < row->devices->families.count ? row->devices->families.names[row->index] : "all");
}
static void put_family_bar(struct text *out, const void *of, struct cell *cell) {
    const struct across_row *row = of;
    const struct family_figures *f = family_at(&row->devices->families, cell->column->index, row->index);
    const bool roof = row->bars == BARS_OF_ROOF;
    const size_t count = roof ? f->rated : f->shared;
    cell->sort = roof ? f->roof : f->speed;
    if (isnan(cell->sort)) {
        text_append(out, NOT_MEASURED);
        return;
    }
    put_bar(out, cell->sort);
    put_share_html(out, cell->sort);
    text_append(out, " <small>");
    if (count > 1)
        text_append(out, "worst "), put_share_html(out, roof ? f->roof_least : f->speed_least), text_append(out, " ");
    text_format(out, "(%zu)</small>", count);
}

struct column *device_columns(
    const struct devices *p, struct column first, struct column each, const char *title, struct arena *arena) {
    struct column *columns = arena_alloc(arena, p->count + 2, sizeof *columns);
    columns[0] = first;
    for (size_t i = 0; i < p->count; i++) {
        columns[i + 1] = each;
        columns[i + 1].title = arena_format(arena, "%s%s", title, p->labels[i]);
        columns[i + 1].index = i;
    }
    return columns;
}

void devices_matrix(const struct devices *p, struct arena *arena, struct table *out) {
    struct across_row *rows = arena_alloc(arena, p->count, sizeof *rows);
    for (size_t i = 0; i < p->count; i++) rows[i] = (struct across_row){.devices = p, .index = i};
    const struct column *columns = device_columns(p, (struct column){"best shapes of", .say = say_device},
        (struct column){.right = true, .put = put_field}, "on ", arena);
    table_make(out, arena, columns, 0, rows, sizeof *rows, p->count);
}

static bool is_known(const struct devices *p, enum family_bars bars, size_t family) {
    bool known = false;
    for (size_t d = 0; d < p->count; d++) {
        const struct family_figures *f = family_at(&p->families, d, family);
        known |= bars == BARS_OF_ROOF ? f->rated > 0 : f->shared > 0;
    }
    return known;
}

// Makes a table with a row per family and a bar for each device: its roof share, or its speed relative to the fastest
// device. Families without figures are omitted.
static void devices_families(const struct devices *p, enum family_bars bars, struct arena *arena, struct table *out) {
    struct across_row *rows = arena_alloc(arena, p->families.count + 1, sizeof *rows);
    size_t count = 0;
    for (size_t f = 0; f <= p->families.count; f++)
        if (is_known(p, bars, f)) rows[count++] = (struct across_row){p, f, bars};
    const struct column *columns = device_columns(p, (struct column){"family", .say = say_family},
        (struct column){.markup = true, .put = put_family_bar}, "", arena);
    table_make(out, arena, columns, 0, rows, sizeof *rows, count);
}

void put_families(struct text *out, const struct devices *p, struct arena *arena) {
    static const struct {
        enum family_bars bars;
        const char *title, *note;
    } tables[] = {
        {BARS_OF_ROOF, "share of the roof",
            "Share of the device's measured roof reached by the fastest kernel of each operator and type at its "
            "largest size: geometric mean, worst (count)."},
        {BARS_OF_SPEED, "speed against the fastest device",
            "The fastest device's time / this device's time, over operators, types and sizes that at least two devices "
            "ran: geometric mean, worst (count)."},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct table table;
        devices_families(p, tables[i].bars, arena, &table);
        if (!table.row_count) continue;
        text_format(out, "<h3>%c%s</h3>\n<p class=note>%s</p>\n", *tables[i].title - 'a' + 'A', tables[i].title + 1,
            tables[i].note);
        put_table_html(out, &table, tables[i].title);
    }
    if (!p->families.count) text_append(out, "<p>No timed point has a roof or a second device to compare with.</p>\n");
}

// ---- the card

void devices_card(const struct devices *p, struct arena *arena, struct card *out) {
    const bool roof = is_known(p, BARS_OF_ROOF, p->families.count);
    const bool speed = is_known(p, BARS_OF_SPEED, p->families.count); // needs at least two devices
    size_t points = 0;
    for (size_t d = 0; d < p->count; d++) points += p->results[d].count;
    *out = (struct card){.title = arena_format(arena, "%zu device%s", p->count, p->count == 1 ? "" : "s"),
        .subtitle = arena_format(arena, "%zu points of Vulkan compute kernels%s", points,
            roof    ? ", by share of each device's own measured roof"
            : speed ? ", by speed against the fastest device"
                    : "")};
    for (size_t d = 0; d < p->count; d++) {
        const struct family_figures *all = family_at(&p->families, d, p->families.count);
        const double part = roof ? all->roof : all->speed;
        struct text figure = {0};
        put_share(&figure, part);
        card_bar(out, p->labels[d], arena_take(arena, &figure), part, false);
    }
}

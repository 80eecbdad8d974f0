// SPDX-License-Identifier: Apache-2.0
// The page of a joined table: the portable shapes, each row's losses by device, and the cost of fallbacks.
#include "joined.h"

#include "../render/format.h"
#include "../render/pages/html.h"

#include <math.h>

enum { MOST_COLUMNS = 16, MOST_ROWS = 4000 };

// Marks a loss measured with another source of the kernel than the row's.
#define OTHER_SOURCE "*"

static void put_percent(struct text *out, double loss) {
    if (isinf(loss))
        text_append(out, "wrong");
    else if (isnan(loss))
        text_append(out, NOT_MEASURED);
    else
        text_format(out, loss < 0.1 ? "%.1f %%" : "%.0f %%", 100 * loss);
}

// ---- devices

static void say_name(struct text *out, const void *of) {
    text_append(out, ((const struct joined_device *)of)->info.name);
}
static void say_driver(struct text *out, const void *of) {
    const struct device_info *info = &((const struct joined_device *)of)->info;
    text_format(out, "%s %s", info->driver_name, info->driver_info);
}
static void say_ids(struct text *out, const void *of) {
    const struct device_info *info = &((const struct joined_device *)of)->info;
    text_format(out, "0x%04x 0x%04x", info->vendor_id, info->device_id);
}

static const struct column device_columns[] = {{"device", .say = say_name},
    {"driver", .wraps = true, .say = say_driver}, {"vendor, device", .say = say_ids},
    {"started", TEXT_OF(struct joined_device, started)}, {"historical", TEXT_OF(struct joined_device, historical)},
    {"cases", .right = true, COUNT_OF(struct joined_device, cases)}, {0}};

static void put_devices(struct text *out, struct page *page) {
    const struct joined *j = page->of;
    struct table table;
    if (*j->profile.name) put_html_format(out, "Every shape keeps to the profile of limits %s.", j->profile.name);
    table_make(&table, page->arena, device_columns, 0, j->devices, sizeof *j->devices, j->device_count);
    put_table_html(out, &table, "devices");
}

static void put_conflicts(struct text *out, struct page *page) {
    const struct joined *j = page->of;
    if (!j->conflict_count) text_append(out, "<p class=\"note\">None: no device has results of two drivers.</p>\n");
    for (size_t i = 0; i < j->conflict_count; i++) {
        const struct joined_conflict *c = &j->conflicts[i];
        put_html_format(out,
            "<p>%s with %s and with %s: of %zu common cases, %zu have the same best shape. The rows use the newer "
            "driver, %s; %s is omitted.</p>\n",
            c->device, c->kept, c->left, c->cases, c->same, c->kept_path, c->left_path);
    }
}

// ---- rows

struct row_line {
    const struct joined *joined;
    const struct joined_case *c;
    const struct joined_row *row;
};

static void say_scope(struct text *out, const void *of) {
    const struct row_line *line = of;
    const struct device_info *info = &line->joined->devices[line->row->device].info;
    text_append(out, scope_name(line->row->scope));
    if (line->row->scope == JOINED_DEVICE) text_format(out, " %s", info->name);
    if (line->row->scope == JOINED_VENDOR) text_format(out, " 0x%04x", info->vendor_id);
    if (line->row->scope == JOINED_FAMILY) text_format(out, " 0x%04x 0x%02xxx", info->vendor_id, info->device_id >> 8);
}
static void say_shape(struct text *out, const void *of) {
    const struct row_line *line = of;
    text_append(out, line->c->shapes[line->row->shape].text);
    if (line->row->unfinished) text_append(out, " (search unfinished)");
}
static void put_worst(struct text *out, const void *of, struct cell *cell) {
    const struct row_line *line = of;
    double worst = 0;
    for (size_t i = 0; i < line->joined->device_count; i++) {
        double loss = joined_loss(line->c, i, line->row->shape);
        if (!isnan(loss)) worst = fmax(worst, loss);
    }
    cell->sort = worst;
    put_percent(out, worst);
    for (size_t i = 0; i < line->joined->device_count; i++)
        if (joined_other_source(line->c, i, line->row->shape, line->row->source)) {
            text_append(out, OTHER_SOURCE);
            break;
        }
}
static void put_loss(struct text *out, const void *of, struct cell *cell) {
    const struct row_line *line = of;
    cell->sort = joined_loss(line->c, cell->column->index, line->row->shape);
    put_percent(out, cell->sort);
    if (joined_other_source(line->c, cell->column->index, line->row->shape, line->row->source))
        text_append(out, OTHER_SOURCE);
}

static size_t take_rows(struct page *page, bool portable, struct row_line *lines, size_t most) {
    const struct joined *j = page->of;
    size_t count = 0;
    for (size_t i = 0; i < j->case_count && count < most; i++) {
        struct joined_row *rows;
        size_t made = joined_rows(j, &j->cases[i], page->arena, &rows);
        for (size_t k = 0; k < made && count < most; k++)
            if ((rows[k].scope == JOINED_PORTABLE) == portable)
                lines[count++] = (struct row_line){j, &j->cases[i], &rows[k]};
    }
    return count;
}

static void put_rows_of(struct text *out, struct page *page, bool portable, const char *name) {
    const struct joined *j = page->of;
    const size_t devices = j->device_count < MOST_COLUMNS ? j->device_count : MOST_COLUMNS;
    struct column *columns = arena_alloc(page->arena, devices + 5, sizeof *columns);
    struct row_line *lines = arena_alloc(page->arena, MOST_ROWS, sizeof *lines);
    struct table table;
    columns[0] = (struct column){"case", .wraps = true, TEXT_THROUGH(struct row_line, c, struct joined_case, name)};
    columns[1] = (struct column){"for", .wraps = true, .say = say_scope};
    columns[2] = (struct column){"shape", .wraps = true, .say = say_shape};
    columns[3] = (struct column){"worst", .right = true, .put = put_worst};
    for (size_t i = 0; i < devices; i++)
        columns[4 + i] = (struct column){
            arena_format(page->arena, "on %s", j->devices[i].info.name), .right = true, .index = i, .put = put_loss};
    size_t count = take_rows(page, portable, lines, MOST_ROWS);
    table_make(&table, page->arena, columns, 0, lines, sizeof *lines, count);
    put_table_html(out, &table, name);
    if (devices < j->device_count)
        put_html_format(
            out, "The first %zu of %zu devices; the table's file has all of them.", devices, j->device_count);
    if (count == MOST_ROWS) put_html_format(out, " The first %zu rows.", count);
}

static void put_portable(struct text *out, struct page *page) {
    const struct joined *j = page->of;
    const struct joined_shared shared = joined_shared(j, 0.05);
    text_format(out,
        "<p>In %zu of %zu cases of at least two devices, one shape is within 5 %% of the best on all of them. In %zu "
        "of "
        "the cases the devices measured different sources of the kernel.</p>\n",
        shared.served, shared.cases, shared.mixed);
    put_rows_of(out, page, true, "portable shapes");
}

static void put_rows(struct text *out, struct page *page) {
    put_rows_of(out, page, false, "rows of devices, families and vendors");
}

// ---- fallbacks

static void put_median(struct text *out, const void *of, struct cell *cell) {
    put_percent(out, cell->sort = ((const struct joined_fallback *)of)->median);
}
static void put_most(struct text *out, const void *of, struct cell *cell) {
    put_percent(out, cell->sort = ((const struct joined_fallback *)of)->worst);
}
static void say_level(struct text *out, const void *of) {
    text_append(out, scope_name(((const struct joined_fallback *)of)->scope));
}
static void say_unserved(struct text *out, const void *of) {
    const struct joined_fallback *f = of;
    if (f->wrong) text_format(out, "%zu wrong", f->wrong);
    if (f->unknown) text_format(out, "%s%zu not measured", f->wrong ? ", " : "", f->unknown);
}
static void say_other(struct text *out, const void *of) {
    const struct joined_fallback *f = of;
    if (f->other) text_format(out, "%zu" OTHER_SOURCE, f->other);
}

static const struct column fallback_columns[] = {{"device left out", TEXT_OF(struct joined_fallback, name)},
    {"fallback", .say = say_level}, {"cases", .right = true, COUNT_OF(struct joined_fallback, cases)},
    {"median loss", .right = true, .put = put_median}, {"worst loss", .right = true, .put = put_most},
    {"in", .wraps = true, TEXT_OF(struct joined_fallback, worst_case)}, {"not served", .say = say_unserved},
    {"other source", .right = true, .say = say_other}, {0}};

static void put_fallbacks(struct text *out, struct page *page) {
    const struct joined *j = page->of;
    struct table table;
    table_make(&table, page->arena, fallback_columns, 0, j->fallbacks, sizeof *j->fallbacks, j->fallback_count);
    put_table_html(out, &table, "fallbacks");
}

static const struct page_part parts[] = {{"devices", put_devices}, {"conflicts", put_conflicts},
    {"portable", put_portable}, {"fallbacks", put_fallbacks}, {"rows", put_rows}, {0}};

// Makes a bar for each device with its number of cases.
static void make_card(const struct joined *j, const struct page *page, struct card *out) {
    *out = (struct card){.title = page->title, .subtitle = page->description};
    for (size_t i = 0; i < j->device_count; i++)
        card_bar(out, j->devices[i].info.name, arena_format(page->arena, "%zu cases", j->devices[i].cases),
            (double)j->devices[i].cases / (double)j->case_count, false);
}

bool joined_page(const struct joined *joined, const char *folder, const char *template_folder, struct error *err) {
    struct arena arena = {0};
    const struct joined_shared shared = joined_shared(joined, 0.05);
    struct card card;
    struct page page = page_in(folder, template_folder, &arena, err);
    page.of = joined;
    page.title = "Table for many devices";
    page.description = arena_format(&arena,
        "%zu devices, %zu cases; in %zu of %zu cases of at least two devices, one shape is within 5 %% of the best on "
        "all of them; in %zu the devices measured different sources of the kernel",
        joined->device_count, joined->case_count, shared.served, shared.cases, shared.mixed);
    make_card(joined, &page, &card);
    bool ok = card_draw(&card, "card-table", &arena, folder, template_folder, err) &&
              write_page(&page, "table.html", "table.html", parts);
    arena_free(&arena);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
// The page of several devices: a matrix of what one's best shapes cost on another, and the cases behind each field.
#include "across.h"
#include "../format.h"
#include "html.h"
#include "../render.h"

#include "../../base/file.h"

#include <math.h>
#include <string.h>

struct devices {
    const struct result *results;
    const char *const *paths;
    struct view *views;
    const char **labels;
    struct crossing *crossings; // [from * count + on]
    size_t count;
};

static const struct crossing *crossing_of(const struct devices *p, size_t from, size_t on) {
    return &p->crossings[from * p->count + on];
}

// "1.34x (12)", and what of it was wrong or is missing.
static void put_crossing(struct text *out, const struct crossing *crossing) {
    put_factor(out, crossing->mean);
    if (crossing->timed) text_format(out, " (%zu)", crossing->timed);
    if (crossing->wrong) text_format(out, ", %zu wrong", crossing->wrong);
    if (crossing->missing) text_format(out, ", %zu not measured", crossing->missing);
}

// A row: a device whose best shapes are carried to the others.
struct device_row {
    const struct devices *devices;
    size_t index;
};

static void say_device(struct text *out, const void *of) {
    const struct device_row *row = of;
    text_append(out, row->devices->labels[row->index]);
}
static void put_field(struct text *out, const void *of, struct cell *cell) {
    const struct device_row *row = of;
    const struct crossing *crossing = crossing_of(row->devices, row->index, cell->column->index);
    put_crossing(out, crossing);
    cell->sort = crossing->mean;
}

static void put_matrix(struct text *out, struct page *page) {
    const struct devices *p = page->of;
    struct column *columns = arena_alloc(page->arena, p->count + 2, sizeof *columns);
    struct device_row *rows = arena_alloc(page->arena, p->count, sizeof *rows);
    struct table table;
    for (size_t i = 0; i < p->count; i++) rows[i] = (struct device_row){p, i};
    columns[0] = (struct column){"best shapes of", .say = say_device};
    for (size_t on = 0; on < p->count; on++)
        columns[on + 1] = (struct column){
            arena_format(page->arena, "on %s", p->labels[on]), .right = true, .index = on, .put = put_field};
    table_make(&table, page->arena, columns, 0, rows, sizeof *rows, p->count);
    put_table_html(out, &table, "what the best shapes of one device cost on another");
}

struct pair_row {
    const struct carried *item;
    const struct view_kernel *kernel;
    const char *from, *on;
};

static void say_size(struct text *out, const void *of) {
    const struct pair_row *row = of;
    put_dims_named(out, row->item->from->records[0]);
}
static void say_shape(struct text *out, const void *of) {
    const struct pair_row *row = of;
    put_shape(out, row->item->from->best);
}
static void say_best_there(struct text *out, const void *of) {
    const struct pair_row *row = of;
    if (row->item->on->best) put_shape(out, row->item->on->best);
}
// What became of the shape there: "=1.00x", "1.21x", "fail", or a dash.
static void put_loss(struct text *out, const void *of, struct cell *cell) {
    const struct carried *item = ((const struct pair_row *)of)->item;
    cell->sort = item->loss;
    if (!isnan(item->loss) && (item->record == item->on->best || case_ties(item->on->best, item->record)))
        text_append(out, "=");
    if (isnan(item->loss) && item->record && item->record->status != RECORD_PASS)
        text_append(out, record_status_name(item->record->status));
    else
        put_factor(out, item->loss);
}

static const struct column pair_columns[] = {
    {"kernel", TEXT_THROUGH(struct pair_row, kernel, struct view_kernel, name)},
    {"type", TEXT_THROUGH(struct pair_row, kernel, struct view_kernel, dtype)},
    {"size", .wraps = true, .say = say_size},
    {"best of", TEXT_OF(struct pair_row, from)},
    {"shape", .wraps = true, .say = say_shape},
    {"on", TEXT_OF(struct pair_row, on)},
    {"best there", .wraps = true, .say = say_best_there},
    {"cost", .right = true, .put = put_loss},
    {0},
};

static void put_pairs(struct text *out, struct page *page) {
    const struct devices *p = page->of;
    size_t room = 0, count = 0;
    struct table table;
    for (size_t i = 0; i < p->count * p->count; i++) room += p->crossings[i].count;
    struct pair_row *rows = arena_alloc(page->arena, room, sizeof *rows);
    for (size_t from = 0; from < p->count; from++)
        for (size_t on = 0; on < p->count; on++)
            for (size_t i = 0; from != on && i < crossing_of(p, from, on)->count; i++) {
                const struct carried *item = &crossing_of(p, from, on)->items[i];
                rows[count++] = (struct pair_row){item, item->kernel, p->labels[from], p->labels[on]};
            }
    table_make(&table, page->arena, pair_columns, 0, rows, sizeof *rows, count);
    put_table_html(out, &table, "cases");
}

struct result_row {
    const char *device, *driver, *suite, *started, *path;
};

static const struct column result_columns[] = {
    {"device", TEXT_OF(struct result_row, device)},
    {"driver", TEXT_OF(struct result_row, driver)},
    {"suite", TEXT_OF(struct result_row, suite)},
    {"started", TEXT_OF(struct result_row, started)},
    {"file", .prose = true, TEXT_OF(struct result_row, path)},
    {0},
};

static void put_results(struct text *out, struct page *page) {
    const struct devices *p = page->of;
    struct result_row *rows = arena_alloc(page->arena, p->count, sizeof *rows);
    struct table table;
    for (size_t i = 0; i < p->count; i++) {
        const struct device_info *device = &p->results[i].device;
        struct json_object *run = json_get(p->results[i].context, "run");
        rows[i] = (struct result_row){p->labels[i],
            arena_format(page->arena, "%s %s", device->driver_name, device->driver_info),
            result_suite(page->arena, &p->results[i], NOT_MEASURED), json_get_string(run, "started", NOT_MEASURED),
            p->paths[i]};
    }
    table_make(&table, page->arena, result_columns, 0, rows, sizeof *rows, p->count);
    put_table_html(out, &table, "results");
}

static const struct page_part parts[] = {{"matrix", put_matrix}, {"pairs", put_pairs}, {"results", put_results}, {0}};

// A device's name; where another result has the same, with its driver, its profile and its place in the list.
static const char *label_of(const struct devices *p, size_t index, struct arena *arena) {
    const struct device_info *device = &p->results[index].device;
    for (size_t i = 0; i < p->count; i++)
        if (i != index && strcmp(p->results[i].device.name, device->name) == 0)
            return arena_format(arena, "%s, %s (%zu)", device->name,
                suite_within(arena, device->driver_info, &device->profile), index + 1);
    return device->name;
}

static void make(struct devices *p, struct arena *arena) {
    p->labels = arena_alloc(arena, p->count, sizeof *p->labels);
    p->crossings = arena_alloc(arena, p->count * p->count, sizeof *p->crossings);
    for (size_t i = 0; i < p->count; i++) p->labels[i] = label_of(p, i, arena);
    for (size_t i = 0; i < p->count * p->count; i++)
        crossing_make(&p->views[i / p->count], &p->views[i % p->count], arena, &p->crossings[i]);
}

static void print(const struct devices *p, FILE *out) {
    struct text text = {0};
    text_append(&text, "Best shapes of one device on another: geometric mean of slowdown (cases)\n");
    for (size_t i = 0; i < p->count * p->count; i++) {
        if (i / p->count == i % p->count) continue;
        text_format(&text, "  %s on %s: ", p->labels[i / p->count], p->labels[i % p->count]);
        put_crossing(&text, &p->crossings[i]);
        text_append(&text, "\n");
    }
    print_plain(out, text_str(&text), 0);
    fputc('\n', out);
    text_free(&text);
}

bool render_across(const struct result *results, const char *const *paths, size_t count, const char *folder,
    const char *template_folder, FILE *out, struct error *err) {
    struct arena arena = {0};
    struct devices p = {.results = results, .paths = paths, .count = count};
    struct page page = {.of = &p, .arena = &arena, .folder = folder, .template_folder = template_folder, .err = err};
    p.views = arena_alloc(&arena, count, sizeof *p.views);
    for (size_t i = 0; i < count; i++) view_make(&results[i], &p.views[i]);
    make(&p, &arena);
    bool ok = file_make_folder(folder, err) && write_page(&page, "devices.html", "devices.html", parts);
    if (ok && out) print(&p, out);
    for (size_t i = 0; i < count; i++) view_free(&p.views[i]);
    arena_free(&arena);
    return ok;
}

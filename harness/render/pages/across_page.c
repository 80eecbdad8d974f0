// SPDX-License-Identifier: Apache-2.0
// The page of several devices: the matrix of costs, and the cases behind each cell.
#include "across.h"
#include "../format.h"
#include "html.h"
#include "../render.h"

#include "../../base/file.h"
#include "../../record/result.h"
#include "../../base/json.h"

#include <math.h>
#include <string.h>

static const struct devices *devices_of(const struct page *page) {
    return page->of;
}

static void put_matrix(struct text *out, struct page *page) {
    struct table table;
    devices_matrix(devices_of(page), page->arena, &table);
    put_table_html(out, &table, "slowdown of one device's best shapes on another");
}

static void put_bars(struct text *out, struct page *page) {
    put_families(out, devices_of(page), page->arena);
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
static void put_loss(struct text *out, const void *of, struct cell *cell) {
    const struct carried *item = ((const struct pair_row *)of)->item;
    cell->sort = item->loss;
    put_carried(out, item);
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
    const struct devices *p = devices_of(page);
    size_t room = 0, count = 0;
    struct table table;
    for (size_t i = 0; i < p->count * p->count; i++) room += p->crossings[i].count;
    struct pair_row *rows = arena_alloc(page->arena, room, sizeof *rows);
    for (size_t from = 0; from < p->count; from++)
        for (size_t on = 0; on < p->count; on++)
            for (size_t i = 0; from != on && i < crossing_of(p, from, on)->count; i++) {
                const struct carried *item = &crossing_of(p, from, on)->items[i];
                rows[count++] = (struct pair_row){item, item->from->kernel, p->labels[from], p->labels[on]};
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
    const struct devices *p = devices_of(page);
    struct result_row *rows = arena_alloc(page->arena, p->count, sizeof *rows);
    const char **shown = shown_paths(page->arena, page->paths, p->count);
    struct table table;
    for (size_t i = 0; i < p->count; i++) {
        const struct device_info *device = p->results[i].device;
        struct json_object *run = json_get(p->results[i].context, "run");
        struct text driver = {0};
        put_driver(&driver, device);
        rows[i] = (struct result_row){p->labels[i], arena_take(page->arena, &driver),
            result_suite_told(page->arena, &p->results[i], NOT_MEASURED), json_get_string(run, "started", NOT_MEASURED),
            shown[i]};
    }
    table_make(&table, page->arena, result_columns, 0, rows, sizeof *rows, p->count);
    put_table_html(out, &table, "results");
}

static const struct page_part parts[] = {
    {"matrix", put_matrix}, {"families", put_bars}, {"pairs", put_pairs}, {"results", put_results}, {0}};

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
    struct devices p;
    struct card card;
    struct page page = page_in(folder, template_folder, &arena, err);
    page.of = &p;
    page.title = "Across devices";
    page.paths = paths;
    devices_make(&p, results, count, &arena);
    devices_card(&p, &arena, &card);
    page.description = card.subtitle;
    bool ok = file_make_folder(folder, err) && card_draw(&card, "card-devices", &arena, folder, template_folder, err) &&
              write_page(&page, "devices.html", "devices.html", parts);
    if (ok && out) print(&p, out);
    devices_free(&p);
    arena_free(&arena);
    return ok;
}

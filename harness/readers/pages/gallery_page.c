// SPDX-License-Identifier: Apache-2.0
// The page of a gallery: a card for each device, and comparisons between devices.
#include "../charts/chart.h"
#include "../render/format.h"
#include "gallery.h"
#include "html.h"

#include "../../base/file.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../../base/json.h"
#include "../../record/journal.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Limits of a card: best shapes, costs for each, links to results. Then the rows of the table, and
// the printed pairs of devices.
enum { CARD_SHAPES = 5, CARD_COSTS = 3, CARD_LINKS = 8, TABLE_SHAPES = 200, MOST_PRINTED = 30 };

static const struct gallery *gallery_of(const struct page *page) {
    return page->of;
}

// Begins a link to a file beside the page. Characters with a meaning in addresses are percent-encoded.
static void put_address(struct text *out, const char *path) {
    text_append(out, "<a href=\"");
    for (const char *c = path; *c; c++)
        if (isalnum((unsigned char)*c) || strchr("/._-~", *c))
            text_append_n(out, c, 1);
        else
            text_format(out, "%%%02X", (unsigned char)*c);
    text_append(out, "\">");
}

// ---- a card

// Appends bars of roof shares, with relative speed behind them. If no roof is known, the bars show the speed.
static void put_bars(struct text *out, const struct devices *p, size_t device) {
    const bool roof = family_at(&p->families, device, p->families.count)->rated > 0;
    bool any = false;
    for (size_t f = 0; f < p->families.count; f++) {
        const struct family_figures *figures = family_at(&p->families, device, f);
        const double part = roof ? figures->roof : figures->speed;
        if (isnan(part)) continue;
        if (!any)
            text_format(out, "<h3>By family: %s</h3>\n<ul>\n",
                roof ? "share of its own roof" : "speed against the fastest device");
        any = true;
        text_append(out, "<li><strong>");
        put_share_html(out, part);
        text_append(out, "</strong>");
        put_bar(out, part);
        put_html(out, p->families.names[f]);
        if (roof && figures->shared) {
            text_append(out, " <span>");
            put_share_html(out, figures->speed);
            text_append(out, " of the fastest device's speed</span>");
        }
        text_append(out, "</li>\n");
    }
    if (any) text_append(out, "</ul>\n");
}

// Appends "1.34x on A, fail on B and 2 more".
static void put_costs(struct text *out, const struct gallery_shape *shape, size_t most) {
    for (size_t i = 0; i < shape->count && i < most; i++) {
        if (i) text_append(out, ", ");
        put_transfer(out, shape->on[i]);
        text_format(out, " on %s", shape->of->labels[shape->devices[i]]);
    }
    if (shape->count > most) text_format(out, " and %zu more", shape->count - most);
}

static void put_best(struct text *out, const struct gallery *g, size_t device) {
    const struct gallery_device *of = &g->each[device];
    size_t shown = 0;
    for (; shown < of->shape_count && shown < CARD_SHAPES; shown++) {
        const struct gallery_shape *shape = &of->shapes[shown];
        if (!shape->count) break; // no other device has this or later shapes
        struct text words = {0}, costs = {0};
        text_append(out, shown ? "<li>" : "<h3>Best shapes, and their slowdown on other devices</h3>\n<ul>\n<li>");
        text_format(&words, "%s %s ", shape->c->kernel->name, shape->c->kernel->dtype);
        put_size_words(&words, shape->c->best);
        text_append(&words, ": ");
        put_shape(&words, shape->c->best);
        put_costs(&costs, shape, CARD_COSTS);
        put_html_format(out, "%s <span>%s</span></li>\n", text_str(&words), text_str(&costs));
        text_free(&words);
        text_free(&costs);
    }
    if (shown) text_append(out, "</ul>\n");
}

static void put_item(struct text *out, struct page *page, size_t place) {
    const struct gallery_item *item = &gallery_of(page)->items[place];
    const struct result *result = &gallery_of(page)->set->results[place];
    if (item->page) put_address(out, item->page);
    put_html(out, arena_format(page->arena, "%s %.10s", result_suite_label(page->arena, result, "result"),
                      result_started(result)));
    if (item->page) text_append(out, "</a>");
}

static void put_card(struct text *out, struct page *page, size_t device) {
    const struct gallery *g = gallery_of(page);
    const struct gallery_device *of = &g->each[device];
    const struct device_info *info = g->devices.results[device].device;
    const size_t shown = of->group->count < CARD_LINKS ? of->group->count : CARD_LINKS;
    struct text driver = {0}, summary = {0};
    put_driver(&driver, info);
    put_summary(&summary, &g->devices.views[device], 0);
    const bool whole = whole_is(json_get(g->devices.results[device].context, "run"));
    put_html_format(out, "<article class=\"card filtered\"><h2>%s</h2>\n<p class=note>%s, %s</p>\n", info->name,
        text_str(&driver), device_kind_name(info->kind));
    put_html_format(
        out, "<p class=\"summary %s\">%s</p>\n", of->failures.bad || !whole ? "bad" : "good", text_str(&summary));
    put_bars(out, &g->devices, device);
    put_best(out, g, device);
    text_append(out, "<p class=note>");
    for (size_t i = 0; i < shown; i++) {
        if (i) text_append(out, ", ");
        put_item(out, page, of->group->places[i]);
    }
    if (shown < of->group->count) text_format(out, " and %zu more", of->group->count - shown);
    text_append(out, "</p></article>\n");
    text_free(&driver);
    text_free(&summary);
}

static void put_devices(struct text *out, struct page *page) {
    for (size_t d = 0; d < gallery_of(page)->devices.count; d++) put_card(out, page, d);
}

// ---- tables

static void put_heat_table(struct text *out, struct page *page) {
    put_heats(out, &gallery_of(page)->devices, page->arena);
}

static void put_family_tables(struct text *out, struct page *page) {
    put_families(out, &gallery_of(page)->devices, page->arena);
}

static void put_matrix(struct text *out, struct page *page) {
    struct table table;
    devices_matrix(&gallery_of(page)->devices, page->arena, &table);
    put_table_html(out, &table, "slowdown of one device's best shapes on another");
}

static void say_device(struct text *out, const void *of) {
    const struct gallery_shape *shape = of;
    text_append(out, shape->of->labels[shape->device]);
}
static void say_kernel(struct text *out, const void *of) {
    const struct view_kernel *kernel = ((const struct gallery_shape *)of)->c->kernel;
    text_format(out, "%s %s", kernel->name, kernel->dtype);
}
static void say_size(struct text *out, const void *of) {
    put_dims_named(out, ((const struct gallery_shape *)of)->c->best);
}
static void say_shape(struct text *out, const void *of) {
    put_shape(out, ((const struct gallery_shape *)of)->c->best);
}
static void put_time_there(struct text *out, const void *of, struct cell *cell) {
    cell->sort = compute_ns(((const struct gallery_shape *)of)->c->best);
    put_time(out, cell->sort);
}
static void put_cost(struct text *out, const void *of, struct cell *cell) {
    const struct gallery_shape *shape = of;
    cell->sort = isinf(shape->cost) ? DBL_MAX : shape->cost; // a failure costs most
    put_costs(out, shape, shape->of->count);
}

static const struct column shape_columns[] = {
    {"device", .wraps = true, .say = say_device},
    {"kernel", .say = say_kernel},
    {"size", .wraps = true, .say = say_size},
    {"best shape", .wraps = true, .say = say_shape},
    {"time", .right = true, .put = put_time_there},
    {"cost elsewhere", .wraps = true, .dash = true, .put = put_cost},
    {0},
};

static void put_shapes(struct text *out, struct page *page) {
    const struct gallery *g = gallery_of(page);
    struct gallery_shape *rows = arena_alloc(page->arena, g->shape_count, sizeof *rows);
    struct table table;
    memcpy(rows, g->shapes, g->shape_count * sizeof *rows);
    qsort(rows, g->shape_count, sizeof *rows, gallery_by_cost);
    const size_t shown = g->shape_count < TABLE_SHAPES ? g->shape_count : TABLE_SHAPES;
    if (!shown) {
        text_append(out, "<p>No case was timed in two shapes.</p>\n");
        return;
    }
    table_make(&table, page->arena, shape_columns, 0, rows, sizeof *rows, shown);
    put_table_html(out, &table, "best shapes");
    if (shown < g->shape_count)
        text_format(out, "<p class=note>The %zu of %zu with the largest slowdown on other devices.</p>\n", shown,
            g->shape_count);
}

struct gallery_row {
    const struct result *result;
    const struct gallery_item *item;
    const char *suite, *started;
};

static void say_result_device(struct text *out, const void *of) {
    text_append(out, ((const struct gallery_row *)of)->result->device->name);
}
static void say_driver(struct text *out, const void *of) {
    put_driver(out, ((const struct gallery_row *)of)->result->device);
}
static void say_points(struct text *out, const void *of) {
    text_format(out, "%zu", ((const struct gallery_row *)of)->result->count);
}
static void put_page_link(struct text *out, const void *of) {
    const struct gallery_item *item = ((const struct gallery_row *)of)->item;
    if (!item->page) return;
    put_address(out, item->page);
    put_html_format(out, "%s</a>", item->page);
}

static const struct column result_columns[] = {
    {"device", .say = say_result_device},
    {"driver", .wraps = true, .say = say_driver},
    {"suite", TEXT_OF(struct gallery_row, suite)},
    {"started", TEXT_OF(struct gallery_row, started)},
    {"points", .right = true, .say = say_points},
    {"file", .prose = true, TEXT_THROUGH(struct gallery_row, item, struct gallery_item, path)},
    {"page", .markup = true, .sparse = true, .say = put_page_link},
    {0},
};

static void put_results(struct text *out, struct page *page) {
    const struct gallery *g = gallery_of(page);
    size_t count = 0;
    struct table table;
    struct gallery_row *rows = arena_alloc(page->arena, g->set->count, sizeof *rows);
    for (size_t d = 0; d < g->devices.count; d++)
        for (size_t i = 0; i < g->each[d].group->count; i++) {
            const size_t place = g->each[d].group->places[i];
            const struct result *result = &g->set->results[place];
            const char *started = result_started(result);
            rows[count++] = (struct gallery_row){result, &g->items[place],
                result_suite_label(page->arena, result, NOT_MEASURED), *started ? started : NOT_MEASURED};
        }
    table_make(&table, page->arena, result_columns, 0, rows, sizeof *rows, count);
    put_table_html(out, &table, "results");
}

static const struct page_part parts[] = {{"headline", put_description}, {"devices", put_devices},
    {"heat", put_heat_table}, {"families", put_family_tables}, {"shapes", put_shapes}, {"matrix", put_matrix},
    {"results", put_results}, {0}};

struct gallery_item *gallery_items(struct arena *arena, const struct result_set *set) {
    struct gallery_item *items = arena_alloc(arena, set->count, sizeof *items);
    const char **shown = shown_paths(arena, set->paths, set->count);
    for (size_t i = 0; i < set->count; i++) items[i] = (struct gallery_item){.path = shown[i]};
    return items;
}

// Prints a line for each pair of devices with common cases. Beyond MOST_PRINTED only the page has them.
static void print_pairs(const struct devices *p, FILE *out) {
    struct text text = {0};
    size_t printed = 0;
    for (size_t i = 0; i < p->count * p->count && printed < MOST_PRINTED; i++) {
        if (i / p->count == i % p->count || !p->transfers[i].count) continue;
        if (!printed++)
            text_append(&text, "Best shapes of one device on another: geometric mean of slowdown, worst (cases)\n");
        text_format(&text, "  %s on %s: ", p->labels[i / p->count], p->labels[i % p->count]);
        put_transfers(&text, &p->transfers[i]);
        text_append(&text, "\n");
    }
    print_plain(out, text_str(&text), 0);
    if (printed) fputc('\n', out);
    text_free(&text);
}

bool render_gallery(const struct result_set *set, const struct gallery_item *items, enum device_projection projection,
    const char *name, const char *folder, const char *template_folder, FILE *out, struct error *err) {
    struct arena arena = {0};
    struct gallery gallery;
    struct card card;
    struct page page = page_in(folder, template_folder, &arena, err);
    page.of = &gallery;
    gallery_make(set, items, projection, &arena, &gallery);
    devices_card(&gallery.devices, &arena, &card);
    page.title = arena_format(&arena, "Gallery: %s", card.title);
    page.description = card.subtitle;
    bool ok = file_make_folder(folder, err) &&
              card_draw(&card, arena_format(&arena, "card-%s", name), &arena, folder, template_folder, err) &&
              write_page(&page, "gallery.html", arena_format(&arena, "%s.html", name), parts);
    if (ok && out) {
        fprintf(out, "%s of %zu result%s: %s\n", card.title, set->count, set->count == 1 ? "" : "s", card.subtitle);
        print_pairs(&gallery.devices, out);
    }
    gallery_free(&gallery);
    arena_free(&arena);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
// Claims as a page: a table of verdicts, and a chart where a curve decides.
#include "../terminal/claims_text.h"
#include "../format.h"
#include "html.h"
#include "../render.h"

#include "../../base/file.h"

#include <math.h>
#include <string.h>

// ---- charts

struct extent {
    double x_low, x_high, low, high;
};

static bool put_series(struct plot *plot, const struct chart_series *series, const char *dim,
    const struct result *result, struct arena *arena, struct extent *extent) {
    struct curve_point *points;
    size_t count = curve_of(&series->of, dim, result, arena, &points);
    struct marks_seen signs = {0};
    struct text title = {0};
    quantity_marks(&series->of, result, QUANTITY_ITSELF, &signs);
    marks_join(&signs, &plot->seen);
    text_append(&title, series->title);
    put_signs_seen(&title, &signs);
    put_cell(&plot->data, text_str(&title));
    text_append(&plot->data, "\n");
    text_free(&title);
    size_t drawn = 0;
    for (size_t i = 0; i < count; i++) {
        if (!measured(points[i].x) || !measured(points[i].y)) continue;
        text_format(&plot->data, "%.9g %.6g\n", points[i].x, points[i].y);
        extent->x_low = fmin(extent->x_low, points[i].x);
        extent->x_high = fmax(extent->x_high, points[i].x);
        extent->low = fmin(extent->low, points[i].y);
        extent->high = fmax(extent->high, points[i].y);
        drawn++;
    }
    if (!drawn) text_append(&plot->data, "NaN NaN\n");
    text_append(&plot->data, "\n\n");
    return drawn > 1;
}

static const char *plot_claim(struct plot *plot, const struct told_claim *told, const struct claim_chart *chart,
    const struct result *result, struct arena *arena) {
    struct extent e = {INFINITY, 0, INFINITY, 0};
    const char *unit = figure_unit(chart->series[0].of.figure);
    bool any = false;
    for (int s = 0; s < chart->series_count; s++)
        any |= put_series(plot, &chart->series[s], chart->dim, result, arena, &e);
    if (!any) return "fewer than two sizes were measured";
    bool log_y = strcmp(unit, "share") != 0;
    set_title(plot, "%s", chart->title);
    set_text(plot, "x_title", "%s", chart->x_title);
    set_text(plot, "y_title", "%s", strcmp(unit, "ns") == 0 ? "time, median" : *unit ? unit : "number");
    set_number(plot, "lines", chart->series_count);
    set_number(plot, "log_y", log_y);
    set_log_axis(plot, "x", e.x_low, e.x_high, "");
    if (log_y) set_log_axis(plot, "y", e.low, e.high, strcmp(unit, "ns") == 0 || strchr(unit, '/') ? unit : "");
    text_format(&plot->caption, "%s: %s.", told->claim->id, claim_verdict_name(told->whole.verdict));
    return NULL;
}

static bool add_chart(struct batch *batch, const struct told_claims *claims, const struct told_claim *told, int index) {
    const struct claim_chart *chart = &told->claim->charts[index];
    struct plot plot = {.template = "curve.gp"};
    struct drawing drawing = {.kind = "claim", .title = chart->title, .caption = ""};
    drawing.file = arena_format(batch->arena, "claim-%.80s-%d", told->claim->id, index + 1);
    drawing.missing = plot_claim(&plot, told, chart, claims->result, batch->arena);
    return batch_add(batch, &plot, &drawing);
}

static const struct told_claims *told_of(const struct page *page) {
    return page->of;
}

static bool draw(struct page *page, struct drawings *drawings) {
    const struct told_claims *told = told_of(page);
    struct batch batch = {.arena = page->arena, .folder = page->folder, .out = drawings, .err = page->err};
    bool ok = batch_open(&batch);
    for (size_t c = 0; ok && c < told->count; c++)
        for (int i = 0; ok && i < told->items[c].claim->chart_count; i++)
            ok = add_chart(&batch, told, &told->items[c], i);
    return batch_draw(&batch, arena_format(page->arena, "%s/gnuplot", page->template_folder), ok);
}

// ---- the page

static void put_claims_title(struct text *out, struct page *page) {
    put_html_format(out, "%s: claims", told_of(page)->result->device.name);
}

static void put_claims_head(struct text *out, struct page *page) {
    struct text counts = {0};
    put_claim_counts(&counts, told_of(page));
    text_append(out, "<p class=summary>");
    put_html(out, text_str(&counts));
    text_append(out, "</p>\n");
    text_free(&counts);
    put_facts(out, page);
}

static void put_link(struct text *out, const void *row) {
    const struct told_claim *told = row;
    put_anchor(out, "<a href=\"#claim", told->claim->id);
    text_append(out, "\">");
    put_html(out, told->claim->id);
    text_append(out, "</a>");
}
static void put_verdict(struct text *out, const void *row, struct cell *cell) {
    const struct told_claim *told = row;
    cell->class = claim_class(told->whole.verdict);
    text_append(out, claim_verdict_name(told->whole.verdict));
}
static void say_systems(struct text *out, const void *row) {
    put_claim_systems(out, ((const struct told_claim *)row)->claim);
}

static const struct column claim_columns[] = {
    {"id", .markup = true, .say = put_link},
    {"verdict", .put = put_verdict},
    {"claim", .prose = true, TEXT_THROUGH(struct told_claim, claim, struct claim, text)},
    {"of", .wraps = true, .say = say_systems},
    {0},
};

static void put_claims(struct text *out, struct page *page) {
    const struct told_claims *told = told_of(page);
    struct table table;
    table_make(&table, page->arena, claim_columns, 0, told->items, sizeof *told->items, told->count);
    put_table_html(out, &table, "verdicts");
}

static void put_details(struct text *out, struct page *page) {
    for (size_t c = 0; c < told_of(page)->count; c++) {
        const struct told_claim *told = &told_of(page)->items[c];
        text_append(out, "<section class=operator id=\"");
        put_anchor(out, "claim", told->claim->id);
        text_format(out, "\"><h3><span class=%s>%s</span> ", claim_class(told->whole.verdict),
            claim_verdict_name(told->whole.verdict));
        put_html_format(out, "%s: %s", told->claim->id, told->claim->text);
        text_append(out, "</h3><p class=note>");
        put_html(out, told->claim->check);
        text_append(out, "</p>\n");
        struct table table;
        claim_parts(told, 1, PARTS_OF_ONE, page->arena, &table);
        put_table_html(out, &table, told->claim->id);
        text_append(out, "</section>\n");
    }
}

static void put_claim_charts(struct text *out, struct page *page) {
    put_charts(out, page, NULL);
}

static const struct page_part parts[] = {{"title", put_claims_title}, {"headline", put_claims_head},
    {"table", put_claims}, {"details", put_details}, {"charts", put_claim_charts}, {"context", put_context}, {0}};

bool render_claims(const struct claims *claims, const struct result *result, const char *folder,
    const char *template_folder, FILE *out, size_t *charts, struct error *err) {
    struct told_claims told;
    struct drawings drawings;
    struct view view;
    *charts = 0;
    struct page page = {.view = &view,
        .of = &told,
        .arena = &view.arena,
        .folder = folder,
        .template_folder = template_folder,
        .drawings = &drawings,
        .err = err};
    view_make(result, &view);
    claims_tell(claims, result, &view.arena, &told);
    page.skip_count = skip_groups(&view, &view.arena, &page.skips);
    bool ok = file_make_folder(folder, err) && claims_write(&told, folder, &view.arena, err) &&
              draw(&page, &drawings) && write_page(&page, "claims.html", "claims.html", parts);
    if (ok && out) claims_print(&told, out);
    if (ok) *charts = drawings.drawn;
    view_free(&view);
    return ok;
}

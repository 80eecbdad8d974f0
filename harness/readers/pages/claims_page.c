// SPDX-License-Identifier: Apache-2.0
// The page of claims: a table of verdicts, and a chart for claims decided by a curve.
#include "../terminal/claims_text.h"
#include "../render/format.h"
#include "html.h"
#include "../render/render.h"

#include "../../base/file.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

#include <math.h>
#include <string.h>

// ---- charts

struct curve_extent {
    double x_low, x_high, low, high;
};

static bool put_series(struct plot *plot, const struct chart_series *series, const char *dim,
    const struct result *result, struct arena *arena, struct curve_extent *extent) {
    struct curve_point *points;
    size_t count = curve_of(&series->of, dim, result, arena, &points);
    struct footnotes_seen footnotes = {0};
    struct text title = {0};
    quantity_footnotes(&series->of, result, QUANTITY_ITSELF, &footnotes);
    footnotes_join(&footnotes, &plot->seen);
    text_append(&title, series->title);
    put_symbols_seen(&title, &footnotes);
    put_name(&plot->data, text_str(&title), KEY_LETTERS);
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
    return drawn >= LEAST_TO_DRAW;
}

static const char *plot_claim(struct plot *plot, const struct decided_claim *decided, const struct claim_chart *chart,
    const struct result *result, struct arena *arena) {
    struct curve_extent e = {INFINITY, 0, INFINITY, 0};
    const char *unit = figure_unit(chart->series[0].of.figure);
    bool any = false;
    for (int s = 0; s < chart->series_count; s++)
        any |= put_series(plot, &chart->series[s], chart->dim, result, arena, &e);
    if (!any) return "fewer than three sizes were measured";
    bool log_y = strcmp(unit, "share") != 0;
    set_title(plot, "%s", chart->title);
    set_text(plot, "x_title", "%s", chart->x_title);
    set_text(plot, "y_title", "%s", strcmp(unit, "ns") == 0 ? "time, median" : *unit ? unit : "number");
    set_number(plot, "lines", chart->series_count);
    set_number(plot, "log_y", log_y);
    set_log_axis(plot, "x", e.x_low, e.x_high, "");
    if (log_y) set_log_axis(plot, "y", e.low, e.high, strcmp(unit, "ns") == 0 || strchr(unit, '/') ? unit : "");
    text_format(&plot->caption, "%s: ", decided->claim->id);
    put_whole_verdict(&plot->caption, decided);
    text_append(&plot->caption, ".");
    return NULL;
}

static bool add_chart(
    struct chart_batch *batch, const struct decided_claims *claims, const struct decided_claim *decided, int index) {
    const struct claim_chart *chart = &decided->claim->charts[index];
    struct plot plot = {.template = "curve.gp"};
    struct drawing drawing = {.kind = "claim", .title = chart->title, .caption = ""};
    drawing.file = arena_format(batch->arena, "claim-%.80s-%d", decided->claim->id, index + 1);
    drawing.missing = plot_claim(&plot, decided, chart, claims->result, batch->arena);
    return batch_add(batch, &plot, &drawing);
}

static const struct decided_claims *decided_of(const struct page *page) {
    return page->of;
}

static bool draw(struct page *page, struct drawings *drawings) {
    const struct decided_claims *decided = decided_of(page);
    struct chart_batch batch = {.arena = page->arena, .folder = page->folder, .out = drawings, .err = page->err};
    struct card card = {.title = page->title, .subtitle = page->description};
    for (enum verdict_of_claim v = 0; v < CLAIM_INFORMATIONAL; v++)
        card_bar(&card, claim_verdict_name(v), arena_format(page->arena, "%zu", decided->counts[v]),
            (double)decided->counts[v] / (double)decided->count, v == CLAIM_FAILS);
    bool ok = batch_open(&batch) && batch_add_card(&batch, &card, "card-claims");
    for (size_t c = 0; ok && c < decided->count; c++)
        for (int i = 0; ok && i < decided->items[c].claim->chart_count; i++)
            ok = add_chart(&batch, decided, &decided->items[c], i);
    return batch_draw(&batch, arena_format(page->arena, "%s/gnuplot", page->template_folder), ok);
}

// ---- the page

static void put_claims_head(struct text *out, struct page *page) {
    put_html_format(out, "<p class=summary>%s</p>\n", page->description);
    put_facts(out, page);
}

static void put_link(struct text *out, const void *row) {
    const struct decided_claim *decided = row;
    put_anchor(out, "<a href=\"#claim", decided->claim->id);
    put_html_format(out, "\">%s</a>", decided->claim->id);
}
static void put_verdict(struct text *out, const void *row, struct cell *cell) {
    const struct decided_claim *decided = row;
    cell->class = claim_class(decided->whole.verdict);
    put_whole_verdict(out, decided);
}
static void say_systems(struct text *out, const void *row) {
    put_claim_systems(out, ((const struct decided_claim *)row)->claim);
}

// Returns the deciding part: the first with the verdict of the whole claim, preferably one with a figure.
static const struct claim_finding *deciding(const struct decided_claim *decided) {
    const struct claim_finding *found = NULL;
    for (size_t i = 0; i < decided->claim->part_count; i++) {
        const struct claim_finding *part = &decided->parts[i];
        if (part->verdict != decided->whole.verdict) continue;
        if (!found || (!isfinite(found->value) && isfinite(part->value))) found = part;
    }
    return found ? found : &decided->parts[0];
}

static void say_deciding(struct text *out, const void *row) {
    put_claimed(out, deciding(row));
}

// Appends only the figure; the claim's own section has the details.
static void say_measured(struct text *out, const void *row) {
    const struct claim_finding *part = deciding(row);
    if (isfinite(part->value) || part->reason || !part->cases) {
        struct claim_finding terse = *part;
        if (isfinite(part->value)) terse.detail = "";
        put_found(out, &terse);
    } else
        text_format(out, "%zu of %zu cases", part->inside, part->cases);
}

static void say_parts(struct text *out, const void *row) {
    const struct decided_claim *decided = row;
    size_t holds = 0, about = 0;
    for (size_t i = 0; i < decided->claim->part_count; i++) {
        holds += decided->parts[i].verdict == CLAIM_HOLDS;
        about += decided->applies[i] && decided->parts[i].verdict != CLAIM_INFORMATIONAL;
    }
    if (about) text_format(out, "%zu of %zu", holds, about);
}

// Draws the claimed range as a stretch of a logarithmic axis, and the measured value as a mark on it. For a claim
// decided by cases, it draws the share of cases as claimed. The neighbouring cells have the same figures as text.
static void say_bar(struct text *out, const void *row) {
    const struct claim_finding *f = deciding(row);
    const bool low = isfinite(f->low) && f->low > 0, high = isfinite(f->high) && f->high > 0;
    if (f->value > 0 && isfinite(f->value) && (low || high)) {
        static const double room = 1.5; // factor of space at both ends
        const double from = fmin(f->value, low ? f->low : f->high) / room;
        const double length = log(fmax(f->value, high ? f->high : f->low) * room / from);
        text_format(out, "<i class=stretch style=\"--from:%.0f%%;--to:%.0f%%;--at:%.0f%%\"></i>",
            low ? 100 * log(f->low / from) / length : 0, high ? 100 * log(f->high / from) / length : 100,
            100 * log(f->value / from) / length);
    } else if (f->cases)
        put_bar(out, (double)f->inside / (double)f->cases);
}

static const struct column claim_columns[] = {
    {"id", .markup = true, .say = put_link},
    {"verdict", .wraps = true, .put = put_verdict},
    {"claim", .prose = true, TEXT_THROUGH(struct decided_claim, claim, struct claim, text)},
    {"claimed", .wraps = true, .say = say_deciding},
    {"measured", .wraps = true, .say = say_measured},
    {"as a bar", .markup = true, .say = say_bar},
    {"parts that hold", .right = true, .sparse = true, .say = say_parts},
    {"of", .wraps = true, .say = say_systems},
    {0},
};

static void put_claims(struct text *out, struct page *page) {
    const struct decided_claims *decided = decided_of(page);
    struct table table;
    table_make(&table, page->arena, claim_columns, 0, decided->items, sizeof *decided->items, decided->count);
    put_table_html(out, &table, "verdicts");
}

static void put_details(struct text *out, struct page *page) {
    for (size_t c = 0; c < decided_of(page)->count; c++) {
        const struct decided_claim *decided = &decided_of(page)->items[c];
        struct text whole = {0};
        put_whole_verdict(&whole, decided);
        text_append(out, "<section class=operator id=\"");
        put_anchor(out, "claim", decided->claim->id);
        put_html_format(out, "\"><h3><span class=%s>%s</span> %s: %s</h3><p class=note>%s</p>\n",
            claim_class(decided->whole.verdict), text_str(&whole), decided->claim->id, decided->claim->text,
            decided->claim->check);
        text_free(&whole);
        struct table table;
        claim_parts(decided, 1, PARTS_OF_ONE, page->arena, &table);
        put_table_html(out, &table, decided->claim->id);
        text_append(out, "</section>\n");
    }
}

static void put_claim_charts(struct text *out, struct page *page) {
    put_charts(out, page, NULL);
}

static const struct page_part parts[] = {{"headline", put_claims_head}, {"table", put_claims}, {"details", put_details},
    {"charts", put_claim_charts}, {"context", put_context}, {0}};

bool render_claims(const struct claims *claims, const struct result *result, const char *folder,
    const char *template_folder, FILE *out, size_t *charts, struct error *err) {
    struct decided_claims decided;
    struct drawings drawings;
    struct view view;
    *charts = 0;
    struct page page = page_in(folder, template_folder, &view.arena, err);
    page.of = &decided;
    page.view = &view;
    page.drawings = &drawings;
    view_make(result, &view);
    claims_tell(claims, result, &view.arena, &decided);
    page.skip_count = skip_groups(&view, &view.arena, &page.skips);
    struct text counts = {0};
    put_claim_counts(&counts, &decided);
    page.title = arena_format(&view.arena, "%s: claims", decided.result->device->name);
    page.description = arena_take(&view.arena, &counts);
    bool ok =
        file_make_folder(folder, err) && claims_write(&decided, folder, &view.arena, err) && draw(&page, &drawings);
    ok = ok && write_page(&page, "claims.html", "claims.html", parts);
    if (ok && out) claims_print(&decided, out);
    if (ok) *charts = drawings.drawn;
    view_free(&view);
    return ok;
}

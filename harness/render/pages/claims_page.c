// SPDX-License-Identifier: Apache-2.0
// Claims as a page: a table of verdicts, and a chart where a curve decides.
#include "../charts/batch.h"
#include "../terminal/claims_text.h"
#include "../format.h"
#include "html.h"
#include "../render.h"

#include "../../base/file.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

struct claims_page {
    struct page page; // what charts are put in by
    const struct told_claims *told;
};

// ---- charts

struct extent {
    double x_low, x_high, low, high;
};

static bool put_series(struct plot *plot, const struct chart_series *series, const char *dim,
    const struct result *result, struct arena *arena, struct extent *extent) {
    struct curve_point *points;
    size_t count = curve_of(&series->of, dim, result, arena, &points);
    put_cell(&plot->data, series->title);
    text_append(&plot->data, "\n");
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
    set_text(plot, "title", "%s", chart->title);
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
    char *file = arena_format(batch->arena, "claim-%.80s-%d", told->claim->id, index + 1);
    for (char *c = file; c && *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '_';
    drawing.file = file;
    drawing.missing = plot_claim(&plot, told, chart, claims->result, batch->arena);
    bool ok = batch_add(batch, &plot, &drawing);
    text_free(&plot.data);
    text_free(&plot.settings);
    text_free(&plot.caption);
    return ok;
}

static bool draw(struct claims_page *p, struct drawings *drawings, struct error *err) {
    struct batch batch = {.arena = p->page.arena, .folder = p->page.folder, .out = drawings, .err = err};
    const char *templates = arena_format(p->page.arena, "%s/gnuplot", p->page.template_folder);
    bool ok = templates ? batch_open(&batch) : error_set(err, STATUS_FAULT, "out of memory for the charts");
    for (size_t c = 0; ok && c < p->told->count; c++)
        for (int i = 0; ok && i < p->told->items[c].claim->chart_count; i++)
            ok = add_chart(&batch, p->told, &p->told->items[c], i);
    return batch_draw(&batch, templates, ok);
}

// ---- the page

static const char *class_of(enum verdict_of_claim verdict) {
    return verdict == CLAIM_HOLDS ? "good" : verdict == CLAIM_FAILS ? "bad" : "note";
}

static void put_claims_title(struct text *out, struct claims_page *p) {
    put_html_format(out, "%s: claims", p->told->result->device.name);
}

static void put_claims_head(struct text *out, struct claims_page *p) {
    struct text counts = {0};
    put_claim_counts(&counts, p->told);
    text_append(out, "<p class=summary>");
    put_html(out, text_str(&counts));
    text_append(out, "</p>\n");
    text_free(&counts);
    put_headline(out, &p->page);
}

static void put_part(struct text *out, const struct told_claim *told, size_t i) {
    const struct finding *f = &told->parts[i];
    struct text claimed = {0}, found = {0};
    put_claimed(&claimed, f);
    put_found(&found, f);
    text_append(out, "<tr><td class=wraps>");
    put_html(out, told->claim->parts[i].what);
    text_append(out, "</td><td class=wraps>");
    put_html(out, text_str(&claimed));
    text_append(out, "</td><td class=long>");
    put_html(out, text_str(&found));
    text_format(out, "</td><td class=%s>%s</td></tr>\n", class_of(f->verdict),
        told->applies[i] ? claim_verdict_name(f->verdict) : "");
    text_free(&claimed);
    text_free(&found);
}

static void put_table(struct text *out, struct claims_page *p) {
    put_wide(out, "verdicts");
    text_append(out, "<thead><tr><th>id</th><th>verdict</th><th>claim</th><th>of</th></tr></thead><tbody>\n");
    for (size_t c = 0; c < p->told->count; c++) {
        const struct told_claim *told = &p->told->items[c];
        struct text systems = {0};
        put_claim_systems(&systems, told->claim);
        text_append(out, "<tr><td><a href=\"#");
        put_anchor(out, "claim", told->claim->id);
        text_append(out, "\">");
        put_html(out, told->claim->id);
        text_format(out, "</a></td><td class=%s>%s</td><td class=long>", class_of(told->whole.verdict),
            claim_verdict_name(told->whole.verdict));
        put_html(out, told->claim->text);
        text_append(out, "</td><td class=wraps>");
        put_html(out, text_str(&systems));
        text_append(out, "</td></tr>\n");
        text_free(&systems);
    }
    text_append(out, "</tbody></table></div>\n");
}

static void put_details(struct text *out, struct claims_page *p) {
    for (size_t c = 0; c < p->told->count; c++) {
        const struct told_claim *told = &p->told->items[c];
        text_append(out, "<section class=operator id=\"");
        put_anchor(out, "claim", told->claim->id);
        text_format(out, "\"><h3><span class=%s>%s</span> ", class_of(told->whole.verdict),
            claim_verdict_name(told->whole.verdict));
        put_html_format(out, "%s: %s", told->claim->id, told->claim->text);
        text_append(out, "</h3><p class=note>");
        put_html(out, told->claim->check);
        text_append(out, "</p>\n");
        put_wide(out, told->claim->id);
        text_append(
            out, "<thead><tr><th>what</th><th>claimed</th><th>found</th><th>verdict</th></tr></thead><tbody>\n");
        for (size_t i = 0; i < told->claim->part_count; i++) put_part(out, told, i);
        text_append(out, "</tbody></table></div></section>\n");
    }
}

static void put_claim_charts(struct text *out, struct claims_page *p) {
    put_charts(out, &p->page, NULL);
}

static void put_claims_context(struct text *out, struct claims_page *p) {
    put_context(out, &p->page);
}

static const struct part {
    const char *name;
    void (*put)(struct text *out, struct claims_page *p);
} parts[] = {{"title", put_claims_title}, {"headline", put_claims_head}, {"table", put_table}, {"details", put_details},
    {"charts", put_claim_charts}, {"context", put_claims_context}};

static bool fill(void *user, struct text *out, const char *name) {
    struct claims_page *p = user;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].put(out, p);
            return true;
        }
    return false;
}

static bool write_all(struct claims_page *p, struct drawings *drawings, FILE *out, struct error *err) {
    bool ok = file_make_folder(p->page.folder, err) && claims_write(p->told, p->page.folder, p->page.arena, err) &&
              draw(p, drawings, err) && write_template(&p->page, "claims.html", "claims.html", fill, p, err);
    if (ok && out) claims_print(p->told, out);
    return ok;
}

bool render_claims(const struct claims *claims, const struct result *result, const char *folder,
    const char *template_folder, FILE *out, size_t *charts, struct error *err) {
    struct told_claims told;
    struct drawings drawings;
    struct view view;
    *charts = 0;
    if (!view_make(result, &view, err)) return false;
    struct claims_page p = {.told = &told,
        .page = {.view = &view,
            .arena = &view.arena,
            .folder = folder,
            .template_folder = template_folder,
            .drawings = &drawings,
            .err = err}};
    struct skip_group *skips;
    bool ok = skip_groups(&view, &view.arena, &skips, &p.page.skip_count, err) &&
              claims_tell(claims, result, &view.arena, &told, err) && write_all(&p, &drawings, out, err);
    if (ok) *charts = drawings.drawn;
    view_free(&view);
    return ok;
}

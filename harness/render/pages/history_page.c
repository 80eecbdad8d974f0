// SPDX-License-Identifier: Apache-2.0
// The history as a page: runs, points, and a chart of each point from run to run.
#include "../charts/batch.h"
#include "../format.h"
#include "history.h"
#include "html.h"
#include "../render.h"

#include "../../base/file.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

enum { MOST_CHARTS = 240, MOST_DATES = 6 };

// ---- charts

static const struct unit {
    const char *name;
    double ns;
} units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};

static const struct unit *unit_of(const struct history_point *point) {
    double ns = point->records[point->last]->time[FIGURE_COMPUTE].median;
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && ns < units[i].ns) i++;
    return &units[i];
}

// The first ten characters of a date, or the run's number where they are no date: text from a file.
static void put_date(struct text *out, const struct history_run *run, size_t number) {
    size_t length = strspn(run->started, "0123456789-");
    if (length == 10)
        text_append_n(out, run->started, length);
    else
        text_format(out, "%zu", number);
}

static void set_runs_axis(struct plot *plot, const struct history *h) {
    size_t step = (h->run_count + MOST_DATES - 1) / MOST_DATES;
    set_number(plot, "runs", (double)h->run_count);
    text_append(&plot->settings, "set xtics (");
    for (size_t i = 0; i < h->run_count; i += step) {
        text_append(&plot->settings, i ? ", '" : "'");
        put_date(&plot->settings, &h->runs[i], i + 1);
        text_format(&plot->settings, "' %zu", i + 1);
    }
    text_append(&plot->settings, ")\n");
}

// "run 5: 1.120x, run 9: 0.890x"
static void put_changes(struct text *out, const struct history_point *point) {
    for (size_t c = 0; c < point->change_count; c++)
        text_format(out, "%srun %zu: %.3fx", c ? ", " : "", point->changes[c] + 1, point->factors[c]);
}

static void plot_history(struct plot *plot, const struct history *h, const struct history_point *point) {
    const struct unit *unit = unit_of(point);
    for (size_t i = 0; i < h->run_count; i++) {
        if (!point->records[i]) continue;
        const struct summary *time = &point->records[i]->time[FIGURE_COMPUTE];
        text_format(&plot->data, "%zu %.6g %.6g %.6g\n", i + 1, time->median / unit->ns, time->lo / unit->ns,
            time->hi / unit->ns);
    }
    put_changes(&plot->caption, point);
    if (!point->change_count) text_append(&plot->caption, "No change of level.");
    set_text(plot, "title", "%s", point->name);
    set_text(plot, "y_title", "compute time, median (%s)", unit->name);
    set_runs_axis(plot, h);
    for (size_t c = 0; c < point->change_count; c++)
        text_format(&plot->settings,
            "set arrow from first %zu.5, graph 0 to first %zu.5, graph 1 nohead linestyle 14 dashtype 2\n",
            point->changes[c], point->changes[c]);
}

static bool add_chart(struct batch *batch, const struct history *h, size_t index) {
    const struct history_point *point = &h->points[index];
    struct plot plot = {.template = "history.gp"};
    struct drawing drawing = {.kind = "history", .title = point->name, .caption = ""};
    char *file = arena_format(batch->arena, "history-%03zu-%.80s", index + 1, point->name);
    for (char *c = file; c && *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-", *c)) *c = '_';
    drawing.file = file;
    plot_history(&plot, h, point);
    bool ok = batch_add(batch, &plot, &drawing);
    text_free(&plot.data);
    text_free(&plot.settings);
    text_free(&plot.caption);
    return ok;
}

// ---- the page

struct history_page {
    struct page page; // what charts are put in by
    const struct history *history;
};

static const char *of_run(const struct history_run *run, const char *section, const char *key) {
    return json_get_string(json_get(run->result->context, section), key, "");
}

static void put_cell_text(struct text *out, const char *string) {
    text_append(out, "<td>");
    put_html(out, string);
    text_append(out, "</td>");
}

static void put_title(struct text *out, struct history_page *p) {
    put_html_format(out, "%s: history", p->history->runs[0].result->device.name);
}

static void put_head(struct text *out, struct history_page *p) {
    const struct history *h = p->history;
    text_format(out, "<p class=\"summary %s\">", h->changed ? "bad" : "good");
    text_format(out, "%zu points over %zu runs: the level of %zu changed</p>\n", h->count, h->run_count, h->changed);
}

static void put_runs(struct text *out, struct history_page *p) {
    static const char *const heads[] = {"started", "suite", "seed", "driver", "vkassay", "file"};
    put_wide(out, "runs");
    text_append(out, "<thead><tr><th class=right>run</th>");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) text_format(out, "<th>%s</th>", heads[i]);
    text_append(out, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < p->history->run_count; i++) {
        const struct history_run *run = &p->history->runs[i];
        text_format(out, "<tr><td class=right>%zu</td>", i + 1);
        put_cell_text(out, run->started);
        put_cell_text(out, of_run(run, "run", "suite"));
        put_cell_text(out, of_run(run, "run", "seed"));
        put_cell_text(out, run->result->device.driver_info);
        put_cell_text(out, of_run(run, "tool", "git"));
        put_cell_text(out, run->path);
        text_append(out, "</tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

static void put_time_cell(struct text *out, const struct record *record) {
    double ns = record->time[FIGURE_COMPUTE].median;
    text_format(out, "<td class=right data-sort=%.9g>", ns);
    put_time(out, ns);
    text_append(out, "</td>");
}

static void put_points(struct text *out, struct history_page *p) {
    static const char *const heads[] = {"runs", "not right", "first", "last", "last / first"};
    put_wide(out, "points");
    text_append(out, "<thead><tr><th>point</th>");
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) text_format(out, "<th class=right>%s</th>", heads[i]);
    text_append(out, "<th>changes</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < p->history->count; i++) {
        const struct history_point *point = &p->history->points[i];
        const struct record *first = point->records[point->first], *last = point->records[point->last];
        text_append(out, "<tr>");
        put_cell_text(out, point->name);
        text_format(out, "<td class=right>%zu</td><td class=right>%zu</td>", point->timed, point->wrong);
        put_time_cell(out, first);
        put_time_cell(out, last);
        text_format(out, "<td class=right>%.3fx</td><td class=wraps>",
            last->time[FIGURE_COMPUTE].median / first->time[FIGURE_COMPUTE].median);
        put_changes(out, point);
        text_append(out, "</td></tr>\n");
    }
    text_append(out, "</tbody></table></div>\n");
}

static void put_history_charts(struct text *out, struct history_page *p) {
    if (p->history->count > MOST_CHARTS)
        text_format(out, "<p class=note>The first %d points of the table are drawn.</p>\n", (int)MOST_CHARTS);
    put_charts(out, &p->page, NULL);
}

static void put_effect(struct text *out, struct history_page *p) {
    text_format(out, "%.3g", 100 * p->history->effect);
}

static const struct part {
    const char *name;
    void (*put)(struct text *out, struct history_page *p);
} parts[] = {{"title", put_title}, {"headline", put_head}, {"runs", put_runs}, {"points", put_points},
    {"charts", put_history_charts}, {"effect", put_effect}};

static bool fill(void *user, struct text *out, const char *name) {
    struct history_page *p = user;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strcmp(parts[i].name, name) == 0) {
            parts[i].put(out, p);
            return true;
        }
    return false;
}

// ---- the terminal

static void print_changes(const struct history *h, FILE *out) {
    struct text text = {0}, plain = {0};
    for (size_t i = 0; i < h->changed; i++) {
        const struct history_point *point = &h->points[i];
        text_format(&text, "%s: ", point->name);
        put_changes(&text, point);
        text_format(&text, " (since %s)\n", h->runs[point->changes[point->change_count - 1]].started);
    }
    text_format(
        &text, "history: %zu points over %zu runs, the level of %zu changed\n", h->count, h->run_count, h->changed);
    put_plain(&plain, text_str(&text), 0);
    fprintf(out, "%s\n", text_str(&plain));
    text_free(&plain);
    text_free(&text);
}

static bool draw(struct history_page *p, struct drawings *drawings, struct error *err) {
    struct batch batch = {.arena = p->page.arena, .folder = p->page.folder, .out = drawings, .err = err};
    const char *templates = arena_format(p->page.arena, "%s/gnuplot", p->page.template_folder);
    bool ok = templates ? batch_open(&batch) : error_set(err, STATUS_FAULT, "out of memory for the charts");
    for (size_t i = 0; ok && i < p->history->count && i < MOST_CHARTS; i++) ok = add_chart(&batch, p->history, i);
    return batch_draw(&batch, templates, ok);
}

bool render_history(const struct result *results, const char *const *paths, size_t count, double effect,
    const char *folder, const char *template_folder, FILE *out, size_t *charts, struct error *err) {
    struct arena arena = {0};
    struct history history;
    struct drawings drawings;
    if (!history_make(results, paths, count, effect, &history, err)) return false;
    struct history_page p = {.history = &history,
        .page = {
            .arena = &arena, .folder = folder, .template_folder = template_folder, .drawings = &drawings, .err = err}};
    bool ok = file_make_folder(folder, err) && draw(&p, &drawings, err) &&
              write_template(&p.page, "history.html", "history.html", fill, &p, err);
    if (ok && out) print_changes(&history, out);
    if (ok) *charts = drawings.drawn;
    arena_free(&arena);
    history_free(&history);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
// The history as a page: runs, points, and a chart of each point from run to run.
#include "../format.h"
#include "history.h"
#include "html.h"
#include "../render.h"

#include "../../base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of so many runs that a chart is a band of them, fewer points are drawn, each mark the median of a stretch of runs.
enum { MOST_CHARTS = 240, MOST_LONG_CHARTS = 24, LONG = 1000, MOST_DRAWN = 400, MOST_LISTED = 1000, MOST_DATES = 6 };

static size_t most_charts(const struct history *h) {
    return h->run_count > LONG ? MOST_LONG_CHARTS : MOST_CHARTS;
}

// ---- charts

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

static struct marked marked_of(const struct history_point *point, size_t run) {
    return (struct marked){point->of->runs[run].result, point->times[run].record, MARK_OF_TIME, FIGURE_COMPUTE};
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

// Each stretch of runs: its middle, the median of the medians, and how far their intervals reach.
static void put_marks_of_runs(
    struct plot *plot, const struct history *h, const struct history_point *point, double unit_ns) {
    const size_t stretch = h->run_count > LONG ? (h->run_count + MOST_DRAWN - 1) / MOST_DRAWN : 1;
    double medians[LONG];
    for (size_t first = 0; first < h->run_count; first += stretch) {
        double lo = INFINITY, hi = 0;
        size_t count = 0;
        for (size_t i = first; i < first + stretch && i < h->run_count; i++) {
            const struct history_time *time = &point->times[i];
            if (!(time->median > 0)) continue;
            if (count < LONG) medians[count++] = time->median;
            lo = fmin(lo, time->lo);
            hi = fmax(hi, time->hi);
        }
        if (!count) continue;
        qsort(medians, count, sizeof *medians, ascending);
        text_format(&plot->data, "%zu %.6g %.6g %.6g\n", first + 1 + (stretch - 1) / 2, medians[count / 2] / unit_ns,
            lo / unit_ns, hi / unit_ns);
    }
}

static void plot_history(struct plot *plot, const struct history *h, const struct history_point *point) {
    const struct time_unit unit = time_unit_of(point->times[point->last].median);
    for (size_t i = 0; i < h->run_count; i++) {
        const struct marked marked = marked_of(point, i);
        if (point->times[i].median > 0) marks_note(&marked, &plot->seen);
    }
    put_marks_of_runs(plot, h, point, unit.ns);
    put_changes(&plot->caption, point);
    if (!point->change_count) text_append(&plot->caption, "No change of level.");
    set_title(plot, "%s", point->name);
    set_text(plot, "y_title", "compute time, median (%s)", unit.name);
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
    drawing.file = arena_format(batch->arena, "history-%03zu-%.80s", index + 1, point->name);
    plot_history(&plot, h, point);
    return batch_add(batch, &plot, &drawing);
}

// ---- the page

static const struct history *history_of(const struct page *page) {
    return page->of;
}

static void put_title(struct text *out, struct page *page) {
    put_html_format(out, "%s: history", history_of(page)->device);
}

static void put_head(struct text *out, struct page *page) {
    const struct history *h = history_of(page);
    const char *one_sided = history_one_sided(page->arena, h);
    if (h->run_count < HISTORY_LEAST) {
        text_format(out, "<p class=summary>%zu points, no verdict yet: %zu of %d runs</p>\n", h->count, h->run_count,
            (int)HISTORY_LEAST);
        return;
    }
    text_format(out, "<p class=\"summary %s\">", h->changed ? "bad" : "good");
    text_format(out, "%zu points over %zu runs: the level of %zu changed</p>\n", h->count, h->run_count, h->changed);
    if (one_sided) text_format(out, "<p class=summary>%s</p>\n", one_sided);
}

static const struct column run_columns[] = {
    {"run", .right = true, COUNT_OF(struct history_run, number)},
    {"started", TEXT_OF(struct history_run, started)},
    {"suite", TEXT_OF(struct history_run, suite)},
    {"seed", TEXT_OF(struct history_run, seed)},
    {"driver", TEXT_OF(struct history_run, driver)},
    {"vkassay", TEXT_OF(struct history_run, git)},
    {"file", TEXT_OF(struct history_run, path)},
    {0},
};

static void put_runs(struct text *out, struct page *page) {
    const struct history *h = history_of(page);
    struct table table;
    const size_t left = h->run_count > MOST_LISTED ? h->run_count - MOST_LISTED : 0; // the oldest
    table_make(&table, page->arena, run_columns, 0, h->runs + left, sizeof *h->runs, h->run_count - left);
    put_table_html(out, &table, "runs");
    if (left) text_format(out, "<p class=note>The newest %d of %zu runs.</p>\n", (int)MOST_LISTED, h->run_count);
}

static void put_time_of(struct text *out, const struct history_point *point, size_t run, struct cell *cell) {
    const struct marked marked = marked_of(point, run);
    cell->sort = point->times[run].median;
    put_time(out, cell->sort);
    put_signs(out, &marked, NULL);
}
static void put_first(struct text *out, const void *row, struct cell *cell) {
    const struct history_point *point = row;
    put_time_of(out, point, point->first, cell);
}
static void put_last(struct text *out, const void *row, struct cell *cell) {
    const struct history_point *point = row;
    put_time_of(out, point, point->last, cell);
}
static void say_growth(struct text *out, const void *row) {
    const struct history_point *point = row;
    text_format(out, "%.3fx", point->times[point->last].median / point->times[point->first].median);
}
static void say_changes(struct text *out, const void *row) {
    put_changes(out, row);
}

static void say_suspects(struct text *out, const void *row) {
    const struct history_point *point = row;
    struct arena arena = {0};
    struct suspects suspects;
    if (history_suspects(&arena, point, &suspects)) text_format(out, "%s..%s", suspects.before, suspects.after);
    arena_free(&arena);
}
static void say_bisect(struct text *out, const void *row) {
    const struct history_point *point = row;
    struct arena arena = {0};
    struct suspects suspects;
    if (history_suspects(&arena, point, &suspects) && suspects.bisect) text_append(out, suspects.bisect);
    arena_free(&arena);
}

static const struct column point_columns[] = {
    {"point", TEXT_OF(struct history_point, name)},
    {"runs", .right = true, COUNT_OF(struct history_point, timed)},
    {"not right", .right = true, COUNT_OF(struct history_point, wrong)},
    {"first", .right = true, .put = put_first},
    {"last", .right = true, .put = put_last},
    {"last / first", .right = true, .say = say_growth},
    {"changes", .wraps = true, .say = say_changes},
    {"between revisions", .sparse = true, .say = say_suspects},
    {"to find it", .prose = true, .sparse = true, .say = say_bisect},
    {0},
};

static void put_points(struct text *out, struct page *page) {
    const struct history *h = history_of(page);
    struct table table;
    struct marks_seen seen = {0};
    table_make(&table, page->arena, point_columns, 0, h->points, sizeof *h->points, h->count);
    for (size_t i = 0; i < h->count; i++) {
        const struct marked first = marked_of(&h->points[i], h->points[i].first),
                            last = marked_of(&h->points[i], h->points[i].last);
        marks_note(&first, &seen);
        marks_note(&last, &seen);
    }
    put_table_html(out, &table, "points");
    put_marks_html(out, &seen);
}

static void put_history_charts(struct text *out, struct page *page) {
    const size_t most = most_charts(history_of(page));
    if (history_of(page)->count > most)
        text_format(out, "<p class=note>The first %zu points of the table are drawn.</p>\n", most);
    if (history_of(page)->run_count > LONG)
        text_append(out, "<p class=note>A mark is the median of a stretch of runs, its line as far as their intervals "
                         "reach.</p>\n");
    put_charts(out, page, NULL);
}

static void put_effect(struct text *out, struct page *page) {
    text_format(out, "%.3g", 100 * history_of(page)->effect);
}

static const struct page_part parts[] = {{"title", put_title}, {"headline", put_head}, {"runs", put_runs},
    {"points", put_points}, {"charts", put_history_charts}, {"effect", put_effect}, {0}};

// ---- the terminal

static void print_changes(const struct history *h, FILE *out) {
    struct arena arena = {0};
    struct text text = {0};
    for (size_t i = 0; i < h->changed; i++) {
        const struct history_point *point = &h->points[i];
        text_format(&text, "%s: ", point->name);
        put_changes(&text, point);
        text_format(&text, " (since %s)\n", h->runs[point->changes[point->change_count - 1]].started);
        struct suspects suspects;
        if (history_suspects(&arena, point, &suspects))
            text_format(&text, "    between %s and %s%s%s\n", suspects.before, suspects.after,
                suspects.bisect ? ": " : "", suspects.bisect ? suspects.bisect : "");
    }
    const char *one_sided = history_one_sided(&arena, h);
    if (one_sided) text_format(&text, "%s\n", one_sided);
    if (h->run_count < HISTORY_LEAST)
        text_format(&text, "history: %zu points over %zu runs, no verdict yet: %zu of %d runs\n", h->count,
            h->run_count, h->run_count, (int)HISTORY_LEAST);
    else
        text_format(
            &text, "history: %zu points over %zu runs, the level of %zu changed\n", h->count, h->run_count, h->changed);
    arena_free(&arena);
    print_plain(out, text_str(&text), 0);
    fputc('\n', out);
    text_free(&text);
}

static bool draw(struct page *page, struct drawings *drawings) {
    const struct history *h = history_of(page);
    struct batch batch = {.arena = page->arena, .folder = page->folder, .out = drawings, .err = page->err};
    bool ok = batch_open(&batch);
    for (size_t i = 0; ok && i < h->count && i < most_charts(h); i++) ok = add_chart(&batch, h, i);
    return batch_draw(&batch, arena_format(page->arena, "%s/gnuplot", page->template_folder), ok);
}

static bool show(struct history *history, const char *folder, const char *template_folder, FILE *out, size_t *charts,
    struct error *err) {
    struct drawings drawings;
    struct page page = {.of = history,
        .arena = &history->arena,
        .folder = folder,
        .template_folder = template_folder,
        .drawings = &drawings,
        .err = err};
    bool ok = file_make_folder(folder, err) && draw(&page, &drawings) &&
              write_page(&page, "history.html", "history.html", parts);
    if (ok && out) print_changes(history, out);
    if (ok) *charts = drawings.drawn;
    history_free(history);
    return ok;
}

bool render_history(const struct result *results, const char *const *paths, size_t count, double effect,
    const char *folder, const char *template_folder, FILE *out, size_t *charts, struct error *err) {
    struct history history;
    return history_make(results, paths, count, effect, &history, err) &&
           show(&history, folder, template_folder, out, charts, err);
}

bool render_history_of_series(const struct store_series *series, double effect, const char *folder,
    const char *template_folder, FILE *out, size_t *charts, struct error *err) {
    struct history history;
    if (!history_of_series(series, effect, &history)) {
        history_free(&history);
        return error_set(err, STATUS_BAD_INPUT, "%s: there are no runs", series->device);
    }
    return show(&history, folder, template_folder, out, charts, err);
}

// SPDX-License-Identifier: Apache-2.0
// The page of a history: changes, runs, points, and a chart for each point.
#include "../render/format.h"
#include "../history/history.h"
#include "html.h"
#include "../../truth/stats/summary.h"
#include "../render/render.h"

#include "../../base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// With more than LONG runs, fewer points are drawn, and each mark is the median of a stretch of runs.
enum { MOST_CHARTS = 240, MOST_LONG_CHARTS = 24, LONG = 1000, MOST_DRAWN = 400, MOST_LISTED = 1000, MOST_DATES = 6 };

static size_t most_charts(const struct history *h) {
    return h->run_count > LONG ? MOST_LONG_CHARTS : MOST_CHARTS;
}

// ---- charts

// Appends the first ten characters of a date, or the run's number if the text is no date, because it is untrusted.
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

// Appends "run 5: 1.120x, run 9: 0.890x".
static void put_changes(struct text *out, const struct history_point *point) {
    for (size_t c = 0; c < point->change_count; c++)
        text_format(out, "%srun %zu: %.3fx", c ? ", " : "", point->changes[c] + 1, point->factors[c]);
}

// Writes a row for each stretch of runs: its middle, the median of its medians, and the range of the intervals.
static void put_footnotes_of_runs(
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
        qsort(medians, count, sizeof *medians, summary_by_value);
        text_format(&plot->data, "%zu %.6g %.6g %.6g\n", first + 1 + (stretch - 1) / 2, medians[count / 2] / unit_ns,
            lo / unit_ns, hi / unit_ns);
    }
}

// Sets the title to "matmul.tiled f32 512x512x512 16x16x1 16": of each part of the name, only the values.
static void set_short_title(struct plot *plot, const char *name) {
    struct text title = {0};
    for (const char *part = name; *part;) {
        const size_t length = strcspn(part, "/,"), named = strcspn(part, "=");
        const size_t from = named < length ? named + 1 : 0;
        text_append_n(&title, part + from, length - from);
        part += length;
        if (*part) text_append(&title, *part++ == ',' && strstr(part, "/wg=") ? "x" : " ");
    }
    set_title(plot, "%s", text_str(&title));
    text_free(&title);
}

static void plot_history(struct plot *plot, const struct history *h, const struct history_point *point) {
    const struct time_unit unit = time_unit_of(point->times[point->last].median);
    for (size_t i = 0; i < h->run_count; i++) footnotes_note_bits(point->times[i].footnotes, &plot->seen);
    put_footnotes_of_runs(plot, h, point, unit.ns);
    text_format(&plot->caption, "%s: ", point->name);
    put_changes(&plot->caption, point);
    text_append(&plot->caption, point->change_count ? "." : "no change of level.");
    set_short_title(plot, point->name);
    set_text(plot, "y_title", "compute time, median (%s)", unit.name);
    set_runs_axis(plot, h);
    for (size_t c = 0; c < point->change_count; c++)
        text_format(&plot->settings,
            "set arrow from first %zu.5, graph 0 to first %zu.5, graph 1 nohead linestyle 14 dashtype 2\n",
            point->changes[c], point->changes[c]);
}

static bool add_chart(struct chart_batch *batch, const struct history *h, size_t index) {
    const struct history_point *point = &h->points[index];
    struct plot plot = {.template = "history.gp"};
    struct drawing drawing = {.kind = "history", .title = point->name, .caption = ""};
    drawing.file = arena_format(batch->arena, "history-%03zu-%.80s", index + 1, point->name);
    if (point->timed < LEAST_TO_DRAW)
        drawing.missing = "fewer than three runs were timed";
    else
        plot_history(&plot, h, point);
    return batch_add(batch, &plot, &drawing);
}

// ---- the page

static const struct history *history_of(const struct page *page) {
    return page->of;
}

// Appends "76 points over 12 runs: the level of 3 changed; 1 run was not right", or "no verdict yet".
static void put_verdict(struct text *out, const struct history *h) {
    text_format(out, "%zu point%s over %zu run%s", h->count, h->count == 1 ? "" : "s", h->run_count,
        h->run_count == 1 ? "" : "s");
    if (h->run_count < HISTORY_LEAST)
        text_format(out, ": no verdict yet: %zu of %d runs", h->run_count, (int)HISTORY_LEAST);
    else
        text_format(out, ": the level of %zu changed", h->changed);
    const size_t wrong = history_wrong_runs(h);
    if (wrong) text_format(out, "; %zu run%s not right", wrong, wrong == 1 ? " was" : "s were");
}

// Appends a line for each run at which nearly all changes went one way.
static void put_one_sided(struct text *out, const struct history *h) {
    for (size_t run = 1; run < h->run_count; run++) {
        const struct level_shifts shifts = history_level_shifts(h, run);
        if (!shifts.one_sided) continue;
        text_format(out, "%sAt run %zu, ", out->length ? "\n" : "", run + 1);
        put_level_shifts(out, &shifts);
        text_append(out, ": likely the machine, not its kernels.");
    }
}

static void put_head(struct text *out, struct page *page) {
    const struct history *h = history_of(page);
    struct text shifts = {0};
    const bool few = h->run_count < HISTORY_LEAST; // too few to judge times
    const bool bad = history_wrong_runs(h) > 0 || (!few && h->changed);
    put_html_format(out, "<p class=\"summary %s\">%s</p>\n", bad ? "bad" : few ? "" : "good", page->description);
    put_one_sided(&shifts, h);
    if (shifts.length) put_html_format(out, "<p class=summary>%s</p>\n", text_str(&shifts));
    text_free(&shifts);
}

static const struct column run_columns[] = {
    {"run", .right = true, COUNT_OF(struct history_run, number)},
    {"started", TEXT_OF(struct history_run, started)},
    {"suite", TEXT_OF(struct history_run, suite)},
    {"seed", TEXT_OF(struct history_run, seed)},
    {"driver", TEXT_OF(struct history_run, driver)},
    {"vkassay", TEXT_OF(struct history_run, git)},
    {"not right", .right = true, COUNT_OF(struct history_run, wrong)},
    {"file", TEXT_OF(struct history_run, path)},
    {0},
};

static void put_runs(struct text *out, struct page *page) {
    const struct history *h = history_of(page);
    struct table table;
    const size_t left = h->run_count > MOST_LISTED ? h->run_count - MOST_LISTED : 0; // the oldest are omitted
    const char **paths = arena_alloc(page->arena, h->run_count, sizeof *paths);
    struct history_run *runs = arena_alloc(page->arena, h->run_count, sizeof *runs);
    for (size_t i = 0; i < h->run_count; i++) paths[i] = h->runs[i].path;
    paths = shown_paths(page->arena, paths, h->run_count);
    for (size_t i = 0; i < h->run_count; i++) {
        runs[i] = h->runs[i];
        runs[i].path = paths[i];
    }
    table_make(&table, page->arena, run_columns, 0, runs + left, sizeof *runs, h->run_count - left);
    put_table_html(out, &table, "runs");
    if (left) text_format(out, "<p class=note>The newest %d of %zu runs.</p>\n", (int)MOST_LISTED, h->run_count);
}

static void put_time_of(struct text *out, const struct history_point *point, size_t run, struct cell *cell) {
    struct footnotes_seen footnotes = {0};
    cell->sort = point->times[run].median;
    put_time(out, cell->sort);
    footnotes_note_bits(point->times[run].footnotes, &footnotes);
    put_symbols_seen(out, &footnotes);
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

static void put_noise(struct text *out, const void *row, struct cell *cell) {
    const struct history_point *point = row;
    cell->sort = point->noise;
    text_format(out, "%.1f %%", 100 * point->noise);
}

static const struct column point_columns[] = {
    {"point", .wraps = true, TEXT_OF(struct history_point, name)},
    {"runs", .right = true, COUNT_OF(struct history_point, timed)},
    {"not right", .right = true, COUNT_OF(struct history_point, wrong)},
    {"first", .right = true, .put = put_first},
    {"last", .right = true, .put = put_last},
    {"last / first", .right = true, .say = say_growth},
    {"counts from", "Least change that counts: above the point's noise.", .right = true, .put = put_noise},
    {"changes", .wraps = true, .say = say_changes},
    {0},
};

static void put_points(struct text *out, struct page *page) {
    const struct history *h = history_of(page);
    struct table table;
    struct footnotes_seen seen = {0};
    table_make(&table, page->arena, point_columns, 0, h->points, sizeof *h->points, h->count);
    for (size_t i = 0; i < h->count; i++) {
        const struct history_point *point = &h->points[i];
        footnotes_note_bits(point->times[point->first].footnotes | point->times[point->last].footnotes, &seen);
    }
    put_table_html(out, &table, "points");
    put_footnotes_html(out, &seen);
}

static void put_change_table(struct text *out, struct page *page) {
    struct change_row *rows;
    struct table table;
    const struct history *h = history_of(page);
    size_t count = change_rows(h, page->arena, &rows), shown = count < MOST_LISTED ? count : MOST_LISTED;
    table_make(&table, page->arena, change_columns, 0, rows, sizeof *rows, shown);
    if (count)
        put_table_html(out, &table, "changes");
    else
        text_append(out, h->run_count < HISTORY_LEAST ? "<p>No verdict yet.</p>\n" : "<p>None.</p>\n");
    if (shown < count) text_format(out, "<p class=note>The first %zu of %zu changes.</p>\n", shown, count);
}

static void put_history_charts(struct text *out, struct page *page) {
    const size_t most = most_charts(history_of(page));
    if (history_of(page)->count > most)
        text_format(out, "<p class=note>The first %zu points of the table are drawn.</p>\n", most);
    if (history_of(page)->run_count > LONG)
        text_append(out, "<p class=note>A mark is the median of consecutive runs at one level; its line covers their "
                         "intervals.</p>\n");
    put_charts(out, page, NULL);
}

static void put_effect(struct text *out, struct page *page) {
    text_format(out, "%.3g", 100 * history_of(page)->effect);
}

static const struct page_part parts[] = {{"headline", put_head}, {"changes", put_change_table}, {"runs", put_runs},
    {"points", put_points}, {"charts", put_history_charts}, {"effect", put_effect}, {0}};

// ---- the terminal

static void print_changes(const struct history *h, FILE *out) {
    struct arena arena = {0};
    struct text text = {0}, shifts = {0};
    struct change_row *rows;
    size_t count = change_rows(h, &arena, &rows);
    for (size_t i = 0; i < count; i++) {
        const struct change_row *row = &rows[i];
        const size_t run = row->point->changes[row->change];
        text_format(&text, "%s: run %zu: %.3fx (since %s; counts from %.1f %%)\n", row->point->name, run + 1,
            row->point->factors[row->change], h->runs[run].started, 100 * row->point->least[row->change]);
        if (row->commits.before)
            text_format(
                &text, "    between %s and %s: %s\n", row->commits.before, row->commits.after, row->commits.bisect);
    }
    put_one_sided(&shifts, h);
    if (shifts.length) text_format(&text, "%s\n", text_str(&shifts));
    text_append(&text, "history: ");
    put_verdict(&text, h);
    text_append(&text, "\n");
    text_free(&shifts);
    arena_free(&arena);
    print_plain(out, text_str(&text), 0);
    fputc('\n', out);
    text_free(&text);
}

// Makes bars of the points by outcome; with too few runs, a bar of their number.
static void make_card(const struct page *page, struct card *out) {
    const struct history *h = history_of(page);
    size_t slower = 0;
    *out = (struct card){.title = page->title, .subtitle = page->description};
    for (size_t i = 0; i < h->changed; i++) slower += h->points[i].factors[h->points[i].change_count - 1] > 1;
    const struct {
        const char *label;
        size_t count, of;
        bool bad;
    } bars[] = {{"runs", h->run_count, HISTORY_LEAST, false}, {"slower since", slower, h->count, true},
        {"faster since", h->changed - slower, h->count, false}, {"level", h->count - h->changed, h->count, false}};
    const bool few = h->run_count < HISTORY_LEAST;
    for (size_t i = few ? 0 : 1; i < (few ? 1 : sizeof bars / sizeof *bars); i++)
        card_bar(out, bars[i].label, arena_format(page->arena, "%zu of %zu", bars[i].count, bars[i].of),
            (double)bars[i].count / (double)bars[i].of, bars[i].bad);
}

static bool draw(struct page *page, struct drawings *drawings) {
    const struct history *h = history_of(page);
    struct chart_batch batch = {.arena = page->arena, .folder = page->folder, .out = drawings, .err = page->err};
    struct card card;
    make_card(page, &card);
    bool ok = batch_open(&batch) && batch_add_card(&batch, &card, "card-history");
    for (size_t i = 0; ok && i < h->count && i < most_charts(h); i++) ok = add_chart(&batch, h, i);
    return batch_draw(&batch, arena_format(page->arena, "%s/gnuplot", page->template_folder), ok);
}

bool history_page(const struct history *history, const char *folder, const char *template_folder, FILE *out,
    size_t *charts, struct error *err) {
    struct drawings drawings;
    struct page page = page_in(folder, template_folder, history->arena, err);
    struct text verdict = {0}, title = {0};
    page.of = history;
    page.drawings = &drawings;
    put_verdict(&verdict, history);
    text_append(&title, history->device);
    if (history->unit) text_format(&title, ", unit %s", history->unit);
    page.title = arena_format(history->arena, "%s: history", text_str(&title));
    page.description = arena_take(history->arena, &verdict);
    text_free(&title);
    bool ok = file_make_folder(folder, err) && draw(&page, &drawings);
    ok = ok && write_page(&page, "history.html", "history.html", parts);
    if (ok && out) print_changes(history, out);
    if (ok) *charts = drawings.drawn;
    return ok;
}

// Returns the folder of one of several histories.
static const char *folder_of(const struct histories *all, const struct history *h, const char *folder) {
    const char *name = file_slug(h->arena, h->device);
    if (!folder)
        folder = arena_format(h->arena, "reports/out/%s/history", name);
    else if (all->many_names)
        folder = arena_format(h->arena, "%s/%s", folder, name);
    return h->unit ? arena_format(h->arena, "%s-%s", folder, file_slug(h->arena, h->unit)) : folder;
}

bool render_histories(struct result_files *files, const struct history_rules *rules, const char *folder,
    const char *template_folder, FILE *out, struct error *err) {
    struct histories all;
    bool ok = histories_read(files, rules, &all, err);
    for (size_t i = 0; ok && i < all.count; i++) {
        const char *place = folder_of(&all, &all.items[i], folder);
        size_t charts = 0;
        ok = history_page(&all.items[i], place, template_folder, out, &charts, err);
        if (ok && out)
            fprintf(out, "History %s/history.html (%zu chart%s beside it)\n", place, charts, charts == 1 ? "" : "s");
    }
    histories_free(&all);
    return ok;
}

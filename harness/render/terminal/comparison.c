// SPDX-License-Identifier: Apache-2.0
// The comparison on a terminal and as markdown: one table of columns serves both.
#include "comparison.h"

#include "../format.h"
#include "../table/grid.h"
#include "tally.h"

#include <math.h>
#include <string.h>

enum { MARKDOWN_ROWS = 60, REPLAYS = 20, ANY_WIDTH = 1 << 20 };

void put_verdict_counts(struct text *out, const struct comparison *c) {
    const char *before = "";
    for (int v = 0; v < VERDICT_COUNT; v++) {
        if (v > VERDICT_AMBIGUOUS && !c->verdicts[v]) continue;
        text_format(out, "%s%zu %s", before, c->verdicts[v], verdict_name((enum verdict)v));
        before = ", ";
    }
    text_format(out, " of %zu point%s", c->count, c->count == 1 ? "" : "s");
}

const char *comparison_word(const struct comparison_view *view) {
    switch (comparison_status(view->comparison, view->strict)) {
    case STATUS_WRONG:
        return "a result is wrong";
    case STATUS_SLOWER:
        return view->comparison->verdicts[VERDICT_SLOWER] ? "slower" : "ambiguous, and --strict was given";
    case STATUS_NOTHING:
        return "nothing to compare";
    case STATUS_PARTIAL:
        return "not decided, as the new run was cut short";
    default:
        return "held";
    }
}

// ---- cells

static void put_ratio(struct text *out, double ratio) {
    text_format(out, measured(ratio) ? "%.3fx" : NOT_MEASURED, ratio);
}

static void put_interval_of(struct text *out, const struct ratio *ratio) {
    if (isfinite(ratio->lo) && isfinite(ratio->hi)) text_format(out, "%.3f to %.3f", ratio->lo, ratio->hi);
}

static void cell_verdict(struct text *out, const struct compared_point *point) {
    text_append(out, verdict_name(point->verdict));
}
static void cell_name(struct text *out, const struct compared_point *point) {
    text_append(out, point->name);
}
static void cell_base(struct text *out, const struct compared_point *point) {
    put_time(out, point->base ? compute_ns(point->base) : NAN);
}
static void cell_new(struct text *out, const struct compared_point *point) {
    put_time(out, point->new ? compute_ns(point->new) : NAN);
}
static void cell_ratio(struct text *out, const struct compared_point *point) {
    put_ratio(out, point->ratio.value);
}
static void cell_interval(struct text *out, const struct compared_point *point) {
    put_interval_of(out, &point->ratio);
}
static void cell_p(struct text *out, const struct compared_point *point) {
    if (!isnan(point->p)) text_format(out, point->p < 0.001 ? "<0.001" : "%.3f", point->p);
}
static void cell_note(struct text *out, const struct compared_point *point) {
    if (point->note) text_append(out, point->note);
}

static const struct comparison_column {
    struct column look;
    void (*put)(struct text *out, const struct compared_point *point);
} point_columns[] = {
    {{.title = "verdict"}, cell_verdict},
    {{.title = "ratio", .right = true}, cell_ratio},
    {{.title = "95 % interval"}, cell_interval},
    {{.title = "p"}, cell_p},
    {{.title = "base", .right = true}, cell_base},
    {{.title = "new", .right = true}, cell_new},
    {{.title = "point"}, cell_name},
    {{.title = "note"}, cell_note},
};
enum { COLUMNS = sizeof point_columns / sizeof *point_columns };

// The points that have something to say: they come first.
static size_t rows_of(const struct comparison *c) {
    return c->count - c->verdicts[VERDICT_SAME];
}

static bool fill_grid(struct arena *arena, const struct comparison *c, struct grid *grid, struct error *err) {
    grid->row_count = rows_of(c);
    grid->column_count = COLUMNS;
    grid->cells = arena_alloc(arena, grid->row_count + 1, sizeof *grid->cells);
    bool ok = grid->cells != NULL;
    for (int column = 0; column < COLUMNS; column++) grid->columns[column] = &point_columns[column].look;
    for (size_t i = 0; ok && i < grid->row_count; i++)
        for (int column = 0; ok && column < COLUMNS; column++) {
            struct text text = {0};
            point_columns[column].put(&text, &c->points[i]);
            grid->cells[i][column].text = text.failed ? NULL : arena_copy(arena, text_str(&text));
            ok = grid->cells[i][column].text != NULL;
            text_free(&text);
        }
    return ok || error_set(err, STATUS_FAULT, "out of memory for a table of %zu rows", grid->row_count);
}

// ---- what was compared

static const char *context_string(const struct result *result, const char *section, const char *key) {
    return json_get_string(json_get(result->context, section), key, "unknown");
}

static void put_result_line(struct text *out, const char *role, const char *path, const struct result *result) {
    text_format(out, "%s %s: suite %s, seed %s, run %s, vkassay %s (%s)\n", role, path,
        context_string(result, "run", "suite"), context_string(result, "run", "seed"),
        context_string(result, "run", "started"), context_string(result, "tool", "version"),
        context_string(result, "tool", "git"));
}

static void put_remarks(struct text *out, const struct comparison_view *view) {
    const struct comparison *c = view->comparison;
    if (view->again)
        text_format(out, "%zu slower point%s measured again: the faster of the two measurements counts\n", view->again,
            view->again == 1 ? "" : "s");
    for (size_t i = 0; i < c->difference_count; i++)
        text_format(out, "Compared although they differ in %s\n", c->differences[i]);
    if (!c->same_seed) text_append(out, "Inputs differ: whether errors grew is not judged\n");
    if (c->without_samples)
        text_format(out, "%zu point%s without raw samples: judged by the stored intervals alone, without a rank test\n",
            c->without_samples, c->without_samples == 1 ? "" : "s");
}

static void put_head(struct text *out, const struct comparison_view *view) {
    const struct device_info *device = &view->comparison->new->device;
    text_format(out, "%s, %s %s\n", device->name, device->driver_name, device->driver_info);
    put_result_line(out, "base", view->base_path, view->comparison->base);
    put_result_line(out, "new ", view->new_path, view->comparison->new);
    put_remarks(out, view);
}

// The lines that replay what is wrong, each behind `indent`.
static void put_replays(struct text *out, const struct comparison *c, const char *indent) {
    for (size_t i = 0; i < c->verdicts[VERDICT_WRONG] && i < REPLAYS; i++) {
        const char *replay = c->points[i].new->replay;
        if (!replay) continue;
        struct text line = {0};
        put_plain(&line, replay, 0);
        text_format(out, "%s%.*s\n", indent, (int)strcspn(text_str(&line), "\n"), text_str(&line));
        text_free(&line);
    }
}

void put_conclusion(struct text *out, const struct comparison_view *view) {
    text_format(out, "%s: %s: ", view->verb, comparison_word(view));
    put_verdict_counts(out, view->comparison);
    text_format(out, " against %s\n", view->base_path);
}

// Without the blanks at its end, and one line break; the text is released.
static void print_plain(FILE *out, struct text *text, bool *ok) {
    struct text plain = {0};
    put_plain(&plain, text_str(text), 0);
    *ok = *ok && !text->failed && !plain.failed;
    fprintf(out, "%s\n", text_str(&plain));
    text_free(&plain);
    text_free(text);
}

// A line a point, however long: logs are searched by line.
bool render_comparison(const struct comparison_view *view, FILE *out, struct error *err) {
    const struct comparison *c = view->comparison;
    struct arena arena = {0};
    struct grid grid = {0};
    struct text head = {0}, tail = {0};
    bool whole = true;
    put_head(&head, view);
    print_plain(out, &head, &whole);
    fputc('\n', out);
    bool ok = fill_grid(&arena, c, &grid, err) && (!grid.row_count || grid_print(&grid, out, ANY_WIDTH, err));
    arena_free(&arena);
    if (!ok) return false;
    if (grid.row_count) fputc('\n', out);
    text_format(&tail, "  %-16s %6s  %s\n", "family", "points", "new / base, geometric mean");
    for (size_t i = 0; i <= c->family_count; i++) {
        text_format(&tail, "  %-16s %6zu  ", c->families[i].name, c->families[i].points);
        put_ratio(&tail, c->families[i].ratio);
        text_append(&tail, "\n");
    }
    text_append(&tail, "\n");
    if (c->verdicts[VERDICT_WRONG]) {
        put_replays(&tail, c, "");
        text_append(&tail, "\n");
    }
    put_conclusion(&tail, view);
    print_plain(out, &tail, &whole);
    return whole || error_set(err, STATUS_FAULT, "out of memory for the comparison");
}

// ---- markdown

static void put_markdown_row(struct text *out, const struct grid *grid, size_t row) {
    text_append(out, "|");
    for (int column = 0; column < grid->column_count; column++) {
        text_append(out, " ");
        put_markdown(out, grid->cells[row][column].text);
        text_append(out, " |");
    }
    text_append(out, "\n");
}

static void put_markdown_points(struct text *out, const struct grid *grid) {
    size_t shown = grid->row_count < MARKDOWN_ROWS ? grid->row_count : MARKDOWN_ROWS;
    if (!shown) return;
    for (int line = 0; line < 2; line++) {
        text_append(out, "|");
        for (int column = 0; column < grid->column_count; column++)
            if (line == 0)
                text_format(out, " %s |", grid->columns[column]->title);
            else
                text_append(out, grid->columns[column]->right ? " ---: |" : " --- |");
        text_append(out, "\n");
    }
    for (size_t i = 0; i < shown; i++) put_markdown_row(out, grid, i);
    if (shown < grid->row_count) text_format(out, "\n%zu more are not shown.\n", grid->row_count - shown);
    text_append(out, "\n");
}

static void put_markdown_families(struct text *out, const struct comparison *c) {
    text_append(out, "<details><summary>Geometric mean of new / base by family</summary>\n\n"
                     "| family | points | ratio |\n| --- | ---: | ---: |\n");
    for (size_t i = 0; i <= c->family_count; i++) {
        text_format(out, "| %s | %zu | ", c->families[i].name, c->families[i].points);
        put_ratio(out, c->families[i].ratio);
        text_append(out, " |\n");
    }
    text_append(out, "\n</details>\n\n");
}

// Each line of `plain` as a paragraph's line, nothing in it markup.
static void put_markdown_lines(struct text *out, struct text *plain) {
    for (const char *line = text_str(plain); *line;) {
        size_t length = strcspn(line, "\n");
        struct text one = {0};
        text_append_n(&one, line, length);
        put_markdown(out, text_str(&one));
        text_append(out, "  \n");
        out->failed = out->failed || one.failed;
        text_free(&one);
        line += length + (line[length] == '\n');
    }
    out->failed = out->failed || plain->failed;
    text_free(plain);
}

bool render_comparison_markdown(const struct comparison_view *view, FILE *out, struct error *err) {
    struct arena arena = {0};
    struct grid grid = {0};
    struct text text = {0}, head = {0};
    bool ok = fill_grid(&arena, view->comparison, &grid, err);
    if (ok) {
        text_format(&text, "### vkassay: %s\n\n**", comparison_word(view));
        put_verdict_counts(&text, view->comparison);
        text_append(&text, "**\n\n");
        put_markdown_points(&text, &grid);
        put_replays(&text, view->comparison, "    ");
        if (view->comparison->verdicts[VERDICT_WRONG]) text_append(&text, "\n");
        put_markdown_families(&text, view->comparison);
        put_head(&head, view);
        put_markdown_lines(&text, &head);
        fputs(text_str(&text), out);
        if (text.failed) ok = error_set(err, STATUS_FAULT, "out of memory for the comparison");
    }
    text_free(&text);
    arena_free(&arena);
    return ok;
}

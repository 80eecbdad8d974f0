// SPDX-License-Identifier: Apache-2.0
// Prints a comparison on a terminal and as markdown, by the same tables.
#include "comparison.h"

#include "../render/format.h"
#include "../../base/memory.h"
#include "../../record/footnotes.h"
#include "../../truth/stats/summary.h"
#include "../table/table.h"
#include "../render/view.h"
#include "../../device/device_info.h"
#include "../../record/journal.h"
#include "../../base/json.h"
#include "../../record/record.h"
#include "../../record/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARKDOWN_ROWS = 60, REPLAYS = 20 };

// Appends "1 wrong, 0 slower, 3 ambiguous of 120 points"; other verdicts only if they occur.
static void put_verdict_counts(struct text *out, const struct comparison *c) {
    const char *before = "";
    for (int v = 0; v < VERDICT_COUNT; v++) {
        if ((v > VERDICT_AMBIGUOUS || v == VERDICT_FLAKY) && !c->verdicts[v]) continue;
        text_format(out, "%s%zu %s", before, c->verdicts[v], verdict_name((enum verdict)v));
        before = ", ";
    }
    text_format(out, " of %zu point%s", c->count, c->count == 1 ? "" : "s");
}

const char *comparison_word(const struct comparison_view *view) {
    switch (comparison_status(view->comparison, view->strict)) {
    case STATUS_WRONG:
        return view->comparison->verdicts[VERDICT_WRONG] ? "a result is wrong" : "a point is flaky";
    case STATUS_SLOWER:
        return view->comparison->verdicts[VERDICT_SLOWER] ? "slower" : "ambiguous, and --strict was given";
    case STATUS_NOTHING:
        return "nothing to compare";
    case STATUS_PARTIAL:
        if (!whole_is(json_get(view->comparison->new->context, "run")))
            return "undecided because the new run was cut short";
        return view->comparison->rules.whole && view->comparison->verdicts[VERDICT_REMOVED]
                   ? "points of the base are missing"
                   : "undecided";
    default:
        return "held";
    }
}

// ---- cells

static void put_ratio(struct text *out, double ratio) {
    text_format(out, measured(ratio) ? "%.3fx" : NOT_MEASURED, ratio);
}

// A point of the comparison; `seen` collects the footnotes of its figures.
struct point_row {
    const struct comparison *of;
    const struct compared_point *point;
    struct footnotes_seen *seen;
    const char *name, *note;
};

static const struct compared_point *point_of(const void *row) {
    return ((const struct point_row *)row)->point;
}

static void put_verdict(struct text *out, const void *row, struct cell *cell) {
    static const char *const classes[VERDICT_COUNT] = {[VERDICT_WRONG] = "bad",
        [VERDICT_FLAKY] = "bad",
        [VERDICT_SLOWER] = "bad",
        [VERDICT_AMBIGUOUS] = "noisy",
        [VERDICT_FASTER] = "good",
        [VERDICT_FIXED] = "good"};
    cell->class = classes[point_of(row)->verdict];
    text_append(out, verdict_name(point_of(row)->verdict));
}
static void put_time_of(
    struct text *out, const struct point_row *row, const struct result *result, const struct record *record) {
    const double ns = record ? compute_ns(record) : NAN;
    put_time(out, ns);
    if (!isnan(ns))
        put_symbols(out, &(struct shown_figure){result, record, FOOTNOTE_OF_TIME, FIGURE_COMPUTE}, row->seen);
}
static void say_base(struct text *out, const void *row) {
    put_time_of(out, row, ((const struct point_row *)row)->of->base, point_of(row)->base);
}
static void say_new(struct text *out, const void *row) {
    put_time_of(out, row, ((const struct point_row *)row)->of->new, point_of(row)->new);
}
static void say_ratio(struct text *out, const void *row) {
    put_ratio(out, point_of(row)->ratio.value);
    put_symbol_of_verdict(out, point_of(row)->verdict, ((const struct point_row *)row)->seen);
}
static void say_interval(struct text *out, const void *row) {
    const struct ratio *ratio = &point_of(row)->ratio;
    if (isfinite(ratio->lo) && isfinite(ratio->hi)) text_format(out, "%.3f to %.3f", ratio->lo, ratio->hi);
}
static void say_p(struct text *out, const void *row) {
    const struct compared_point *point = point_of(row);
    if (!isnan(point->p)) text_format(out, point->p < 0.001 ? "<0.001" : "%.3f", point->p);
}

static const struct column point_columns[] = {
    {"verdict", .put = put_verdict},
    {"ratio", .right = true, .say = say_ratio},
    {"95 % interval", .say = say_interval},
    {"p", .say = say_p},
    {"base", .right = true, .say = say_base},
    {"new", .right = true, .say = say_new},
    {"point", TEXT_OF(struct point_row, name)},
    {"note", TEXT_OF(struct point_row, note)},
    {0},
};

// Makes the table of all points with a verdict other than `same`; the comparison lists them first.
static void make_points(
    struct table *table, struct arena *arena, const struct comparison *c, size_t most, struct footnotes_seen *seen) {
    size_t count = c->count - c->verdicts[VERDICT_SAME];
    if (count > most) count = most;
    struct point_row *rows = arena_alloc(arena, count, sizeof *rows);
    for (size_t i = 0; i < count; i++)
        rows[i] = (struct point_row){c, &c->points[i], seen, c->points[i].name, c->points[i].note};
    table_make(table, arena, point_columns, 0, rows, sizeof *rows, count);
}

static void say_mean(struct text *out, const void *row) {
    put_ratio(out, ((const struct compared_family *)row)->ratio);
}

// A mean near 1 may hide a point that is much slower.
static void say_extremes(struct text *out, const void *row) {
    const struct compared_family *family = row;
    if (family->points) text_format(out, "%.3f to %.3f", family->least, family->most);
}

static const struct column family_columns[] = {
    {"family", TEXT_OF(struct compared_family, name)},
    {"points", .right = true, COUNT_OF(struct compared_family, points)},
    {"new / base, geometric mean", .say = say_mean},
    {"least to most", .say = say_extremes},
    {0},
};

static void make_families(struct table *table, struct arena *arena, const struct comparison *c) {
    table_make(table, arena, family_columns, 0, c->families, sizeof *c->families, c->family_count + 1);
}

// ---- what was compared

static const char *context_string(const struct result *result, const char *section, const char *key) {
    return json_get_string(json_get(result->context, section), key, "unknown");
}

static void put_result_line(struct text *out, const char *role, const char *path, const struct result *result) {
    struct arena scratch = {0};
    text_format(out, "%s %s: suite %s, seed %s, run %s, vkassay %s (%s)\n", role, path,
        result_suite_label(&scratch, result, "unknown"), context_string(result, "run", "seed"),
        context_string(result, "run", "started"), context_string(result, "tool", "version"),
        context_string(result, "tool", "git"));
    arena_free(&scratch);
}

// Appends the smallest slowdown that a comparison detects, at the median point and at the worst point.
static void put_threshold(struct text *out, const struct comparison *c) {
    double *detects = memory_alloc(c->count + 1, sizeof *detects);
    size_t count = 0, worst = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!isfinite(c->points[i].detects)) continue;
        detects[count++] = c->points[i].detects;
        if (count == 1 || c->points[i].detects > c->points[worst].detects) worst = i;
    }
    if (count)
        text_format(out,
            "This run could not see a slow-down of less than %.0f %% (median of %zu point%s); %.0f %% at %s\n",
            100 * (summarize(detects, count).median - 1), count, count == 1 ? "" : "s",
            100 * (c->points[worst].detects - 1), c->points[worst].name);
    free(detects);
}

// Other outputs on the same inputs are no fault: a build may round otherwise.
static void put_other_outputs(struct text *out, const struct comparison *c) {
    enum { NAMED = 3 };
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!c->points[i].other_outputs) continue;
        if (!count) text_append(out, "Other outputs than the base on the same inputs: ");
        if (count < NAMED) text_format(out, "%s%s", count ? ", " : "", c->points[i].name);
        count++;
    }
    if (count > NAMED) text_format(out, " and %zu more", count - NAMED);
    if (count) text_append(out, "\n");
}

static void put_remarks(struct text *out, const struct comparison_view *view) {
    const struct comparison *c = view->comparison;
    for (size_t i = 0; i < c->difference_count; i++)
        text_format(out, "Compared although they differ in %s\n", c->differences[i]);
    if (c->differ & DIFFERENT_SEED) text_append(out, "Inputs differ: errors are not compared\n");
    if (c->without_samples)
        text_format(out, "%zu point%s without raw samples: compared only by stored intervals, without a rank test\n",
            c->without_samples, c->without_samples == 1 ? "" : "s");
    put_other_outputs(out, c);
    put_threshold(out, c);
}

static void put_head(struct text *out, const struct comparison_view *view) {
    const struct device_info *device = view->comparison->new->device;
    text_format(out, "%s, ", device->name);
    put_driver(out, device);
    text_append(out, "\n");
    put_result_line(out, "base", view->base_path, view->comparison->base);
    put_result_line(out, "new ", view->new_path, view->comparison->new);
    put_remarks(out, view);
}

// Tells the number of undecided points and the least effect to decide half of them. Advises interleaving if some points
// had none.
static void put_undecided(struct text *out, const struct comparison *c) {
    double *his = memory_alloc(c->count + 1, sizeof *his);
    size_t count = 0;
    bool apart = false;
    for (size_t i = 0; i < c->count; i++) {
        if (!c->points[i].undecided || !isfinite(c->points[i].ratio.hi)) continue;
        his[count++] = c->points[i].ratio.hi;
        apart |= !compare_is_interleaved(&c->rules, c->points[i].name);
    }
    if (c->undecided)
        text_format(out, "%zu of %zu points could not be judged: their times do not exclude a slow-down by %.2fx\n",
            c->undecided, c->count, 1 + UNDECIDED_EFFECTS * c->rules.effect);
    if (count)
        text_format(out,
            "Measure them longer (--timing seconds=)%s on a quieter host; --effect %.0f%% decides half of them\n",
            apart ? ", interleaved (vkassay ab) or" : " or",
            ceil(100 * (summarize(his, count).median - 1) / UNDECIDED_EFFECTS + 0.5));
    free(his);
}

// Returns the number of points with replay lines: wrong ones first, then flaky ones.
static size_t replay_count(const struct comparison *c) {
    return c->verdicts[VERDICT_WRONG] + c->verdicts[VERDICT_FLAKY];
}

// Appends the replay lines of wrong and flaky points, each after `indent`.
static void put_replays(struct text *out, const struct comparison *c, const char *indent) {
    for (size_t i = 0; i < replay_count(c) && i < REPLAYS; i++) {
        const char *replay = c->points[i].new ? c->points[i].new->replay : NULL;
        if (!replay) continue;
        struct text line = {0};
        put_plain(&line, replay, 0);
        text_format(out, "%s%.*s\n", indent, (int)strcspn(text_str(&line), "\n"), text_str(&line));
        text_free(&line);
    }
}

static void put_interleaved(struct text *out, const struct compare_interleaved *interleaved) {
    const size_t taken = interleaved->points.count;
    if (taken)
        text_format(
            out, "%zu point%s measured again, interleaved with the baseline's kernels\n", taken, taken == 1 ? "" : "s");
    if (interleaved->left)
        text_format(out, "%zu slower, faster, undecided or changed point%s not measured again: %s\n", interleaved->left,
            interleaved->left == 1 ? "" : "s",
            interleaved->why ? interleaved->why
                             : "no time was left for them, or a version of the kernels cannot run them");
}

void put_conclusion(struct text *out, const struct comparison_view *view) {
    if (view->interleaved) put_interleaved(out, view->interleaved);
    if (view->comparison->rules.paired || (view->interleaved && view->interleaved->points.count))
        text_append(out, "Ratios of interleaved times are medians of pairs; those of the medians may differ\n");
    put_undecided(out, view->comparison);
    text_format(out, "%s: %s: ", view->verb, comparison_word(view));
    put_verdict_counts(out, view->comparison);
    text_format(out, " against %s\n", view->base_path);
}

// Prints each point on one line of any length, because logs are searched by line.
void render_comparison(const struct comparison_view *view, FILE *out) {
    const struct comparison *c = view->comparison;
    struct arena arena = {0};
    struct table table;
    struct footnotes_seen seen = {0};
    struct text head = {0}, tail = {0};
    put_head(&head, view);
    print_plain(out, text_str(&head), 0);
    fputs("\n\n", out);
    make_points(&table, &arena, c, SIZE_MAX, &seen);
    if (table.row_count) {
        struct text legend = {0};
        table_print(&table, out, TABLE_ANY_WIDTH);
        put_footnotes(&legend, &seen, "\n");
        fprintf(out, "%s\n", text_str(&legend));
        text_free(&legend);
    }
    make_families(&table, &arena, c);
    table_print(&table, out, TABLE_ANY_WIDTH);
    fputc('\n', out);
    if (replay_count(c)) {
        put_replays(&tail, c, "");
        text_append(&tail, "\n");
    }
    put_conclusion(&tail, view);
    print_plain(out, text_str(&tail), 0);
    fputc('\n', out);
    text_free(&head);
    text_free(&tail);
    arena_free(&arena);
}

// ---- markdown

static void put_markdown_points(struct text *out, struct arena *arena, const struct comparison *c) {
    const size_t all = c->count - c->verdicts[VERDICT_SAME];
    struct footnotes_seen seen = {0};
    struct table table;
    struct text legend = {0};
    make_points(&table, arena, c, MARKDOWN_ROWS, &seen);
    if (!table.row_count) return;
    put_table_markdown(out, &table, SIZE_MAX);
    text_append(out, "\n");
    if (all > table.row_count) text_format(out, "%zu more are not shown.\n\n", all - table.row_count);
    put_footnotes(&legend, &seen, "\n");
    if (!legend.length) return;
    put_markdown_lines(out, &legend);
    text_append(out, "\n");
}

void render_comparison_markdown(const struct comparison_view *view, FILE *out) {
    struct arena arena = {0};
    struct table table;
    struct text text = {0}, head = {0};
    text_format(&text, "### vkassay: %s\n\n**", comparison_word(view));
    put_verdict_counts(&text, view->comparison);
    text_append(&text, "**\n\n");
    put_markdown_points(&text, &arena, view->comparison);
    put_replays(&text, view->comparison, "    ");
    if (replay_count(view->comparison)) text_append(&text, "\n");
    text_append(&text, "<details><summary>Geometric mean of new / base by family</summary>\n\n");
    make_families(&table, &arena, view->comparison);
    put_table_markdown(&text, &table, SIZE_MAX);
    text_append(&text, "\n</details>\n\n");
    put_head(&head, view);
    put_markdown_lines(&text, &head);
    fputs(text_str(&text), out);
    text_free(&text);
    arena_free(&arena);
}

// SPDX-License-Identifier: Apache-2.0
// Writes markdown for a pull request or a page: the tables of the terminal, failures with replay lines, and skips.
#include "export.h"

#include "../render/format.h"
#include "../table/case_columns.h"
#include "../render/outcomes.h"
#include "../render/highlights.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"

static void put_operator(
    struct text *out, struct view *view, const struct view_operator *op, struct footnotes_seen *seen) {
    const struct case_rows which = {.only = op, .most = SIZE_MAX, .exhaustive = true, .seen = seen};
    struct table table;
    case_table(&table, &view->arena, view, &which, ON_TERMINAL);
    if (!table.row_count) return;
    const struct record *first = op->kernels[0].cases[0].records[0];
    put_markdown_format(out, "\n### %s", op->name);
    for (int i = 0; i < op->common_dims; i++) put_markdown_format(out, i ? " x %s" : ": %s", first->dims[i].name);
    text_append(out, "\n\n");
    put_table_markdown(out, &table, SIZE_MAX);
}

// Appends the failures. The replay line is an indented code block, so nothing in it can end the block.
static void put_failures(struct text *out, struct view *view) {
    struct failures failures;
    failures_make(view->result, &view->arena, &failures);
    if (failures.count) text_append(out, "\n### Not right\n");
    for (size_t i = 0; i < failures.count; i++) {
        const struct failure *f = &failures.items[i];
        put_markdown_format(out, "\n**%s** %s", f->outcome, f->record->name);
        put_alike(out, f);
        put_markdown_format(out, ": %s\n", f->reason);
        if (!f->record->replay) continue;
        text_append(out, "\n    ");
        put_plain(out, f->record->replay, 4);
        text_append(out, "\n");
    }
}

// Appends the skips and returns the number of reasons.
static size_t put_skips(struct text *out, struct view *view) {
    struct skip_group *groups;
    size_t count = skip_groups(view, &view->arena, &groups);
    struct table table;
    if (!count) return 0;
    text_append(out, "\n### Skipped\n\n");
    table_make(&table, &view->arena, skip_columns, 0, groups, sizeof *groups, count);
    put_table_markdown(out, &table, SIZE_MAX);
    return count;
}

static void put_heading(struct text *out, const struct result *result) {
    struct json_object *run = json_get(result->context, "run");
    struct arena scratch = {0};
    put_markdown_format(out, "## %s\n\n%s %s, suite %s, seed %s, started %s\n", result->device->name,
        result->device->driver_name, result->device->driver_info, result_suite_label(&scratch, result, ""),
        json_get_string(run, "seed", ""), json_get_string(run, "started", ""));
    arena_free(&scratch);
}

static void put_result(struct text *out, const struct result *result) {
    struct view view;
    view_make(result, &view);
    put_heading(out, result);
    struct footnotes_seen seen = {0};
    for (size_t i = 0; i < view.count; i++) put_operator(out, &view, &view.operators[i], &seen);
    struct text footnotes = {0}; // that occur in the tables
    put_footnotes(&footnotes, &seen, "\n");
    if (footnotes.length) text_append(out, "\n");
    put_markdown_lines(out, &footnotes);
    put_failures(out, &view);
    size_t reasons = put_skips(out, &view);
    text_append(out, "\n");
    put_summary(out, &view, reasons);
    text_append(out, "\n");
    struct arena arena = {0};
    const char *covered = covered_line(result, &arena);
    if (covered) put_markdown_format(out, "\n%s\n", covered);
    arena_free(&arena);
    view_free(&view);
}

static bool put_markdown_of(struct text *out, const struct result *results, size_t count, struct error *err) {
    (void)err;
    for (size_t i = 0; i < count; i++) {
        if (i) text_append(out, "\n");
        put_result(out, &results[i]);
    }
    return true;
}

const struct export_format format_markdown = {
    .name = "markdown", .summary = "tables for people", .put = put_markdown_of};

// ---- a summary that fits into a pull request's comment

// A GitHub comment holds at most 65536 characters. The rest is for text that a workflow adds.
enum { SUMMARY_MOST = 60000, SUMMARY_CAUSES = 20, CAUSE_MOST = 400 };

static void put_causes(struct text *out, struct view *view) {
    struct failures failures;
    failures_make(view->result, &view->arena, &failures);
    for (size_t i = 0; i < failures.count && i < SUMMARY_CAUSES; i++) {
        const struct failure *f = &failures.items[i];
        if (!i) text_append(out, "\n| | kernel | points | why |\n|---|---|---|---|\n");
        put_markdown_format(out, "| **%s** | %s %s | %zu | %s |\n", f->outcome, f->record->kernel, f->record->dtype,
            f->alike + 1, arena_format(&view->arena, "%.*s", (int)CAUSE_MOST, f->reason));
    }
    if (failures.count > SUMMARY_CAUSES) text_format(out, "\n%zu more causes.\n", failures.count - SUMMARY_CAUSES);
}

static void put_row(struct text *out, const char *const *cells, size_t count) {
    for (size_t c = 0; c < count; c++) put_markdown_format(out, "| %s ", cells[c]);
    text_append(out, "|\n");
}

// Returns the highlight's kernel with its type, and its size.
static void take_subject(struct arena *arena, const struct highlight *item, const char **subject, const char **size) {
    struct text dims = {0};
    put_size_words(&dims, item->record);
    *subject = arena_format(arena, "%s %s", item->kernel->name, item->kernel->dtype);
    *size = arena_take(arena, &dims);
}

static void put_far(struct text *out, struct arena *arena, const struct highlight *far) {
    const char *cells[3];
    struct text share = {0};
    put_share(&share, far->figure);
    take_subject(arena, far, &cells[0], &cells[1]);
    cells[2] = arena_take(arena, &share);
    put_row(out, cells, 3);
}

static void put_gain(struct text *out, struct arena *arena, const struct highlight *gain) {
    const char *cells[5];
    struct text used = {0}, best = {0}, factor = {0};
    put_shape(&used, gain->record);
    put_shape(&best, gain->c->best);
    put_factor(&factor, gain->figure);
    take_subject(arena, gain, &cells[0], &cells[1]);
    cells[2] = arena_take(arena, &used);
    cells[3] = arena_take(arena, &best);
    cells[4] = arena_take(arena, &factor);
    put_row(out, cells, 5);
}

static void put_highlights(struct text *out, struct view *view) {
    struct highlights found;
    highlights_make(view, &found);
    if (found.far_count) text_append(out, "\n| furthest from the roof | size | of the roof |\n|---|---|---|\n");
    for (size_t i = 0; i < found.far_count; i++) put_far(out, &view->arena, &found.far[i]);
    if (found.gain_count)
        text_append(out, "\n| shapes that would gain most | size | in use | best | gain |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < found.gain_count; i++) put_gain(out, &view->arena, &found.gains[i]);
}

// Appends folded tables of operators, as many as fit.
static void put_folded(struct text *out, struct view *view, size_t most) {
    static const char end[] = "\n</details>\n";
    const size_t reserve = sizeof end + 100;
    size_t left = 0;
    struct footnotes_seen seen = {0};
    text_append(out, "\n<details><summary>Every case</summary>\n");
    for (size_t i = 0; i < view->count; i++) {
        struct text one = {0};
        put_operator(&one, view, &view->operators[i], &seen);
        if (out->length + one.length + reserve < most)
            text_append(out, text_str(&one));
        else
            left += one.length > 0;
        text_free(&one);
    }
    if (left)
        text_format(out, "\n%zu operators have no room here; the page and the markdown export have them.\n", left);
    text_append(out, end);
}

static void put_summary_of_one(struct text *out, const struct result *result, size_t most) {
    struct view view;
    view_make(result, &view);
    struct skip_group *groups;
    struct text summary = {0};
    put_heading(out, result);
    put_summary(&summary, &view, skip_groups(&view, &view.arena, &groups));
    put_markdown_format(out, "\n**%s**\n", text_str(&summary));
    put_causes(out, &view);
    put_highlights(out, &view);
    put_folded(out, &view, most);
    text_free(&summary);
    view_free(&view);
}

// Appends a summary for each result, each in an equal share of the space.
static bool put_summaries(struct text *out, const struct result *results, size_t count, struct error *err) {
    struct text all = {0}; // `out` may be flushed in parts, so it does not know its length
    (void)err;
    for (size_t i = 0; i < count; i++) {
        if (i) text_append(&all, "\n");
        put_summary_of_one(&all, &results[i], SUMMARY_MOST * (i + 1) / count);
    }
    text_append(out, text_str(&all));
    text_free(&all);
    return true;
}

const struct export_format format_summary = {.name = "summary",
    .summary = "markdown for a comment: what to act on, folded tables, at most 60000 bytes",
    .put = put_summaries};

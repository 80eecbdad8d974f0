// SPDX-License-Identifier: Apache-2.0
// Markdown for a pull request or a page: the tables of the terminal, what is not right with its replay lines, the
// skips.
#include "export.h"

#include "../format.h"
#include "../table/case_columns.h"
#include "../outcomes.h"

#include <string.h>

// "### softmax: rows x cols"
static void put_operator_name(struct text *out, const struct view_operator *op) {
    const struct record *first = op->kernels[0].cases[0].records[0];
    text_append(out, "\n### ");
    put_markdown(out, op->name);
    for (int i = 0; i < op->common_dims; i++) {
        text_append(out, i ? " x " : ": ");
        put_markdown(out, first->dims[i].name);
    }
    text_append(out, "\n\n");
}

static void put_operator(struct text *out, struct view *view, const struct view_operator *op, struct marks_seen *seen) {
    const struct case_rows which = {.only = op, .most = SIZE_MAX, .exhaustive = true, .seen = seen};
    struct table table;
    case_table(&table, &view->arena, view, &which, ON_TERMINAL);
    if (!table.row_count) return;
    put_operator_name(out, op);
    put_table_markdown(out, &table, SIZE_MAX);
}

// What the signs of the tables say that occur.
static void put_marks_of(struct text *out, const struct marks_seen *seen) {
    struct text lines = {0};
    put_marks(&lines, seen, "\n");
    if (lines.length) text_append(out, "\n");
    put_markdown_lines(out, &lines);
}

// The replay line is code, indented, so that nothing in it can end it.
static void put_failures(struct text *out, struct view *view) {
    struct failures failures;
    failures_make(view->result, &view->arena, &failures);
    if (failures.count) text_append(out, "\n### Not right\n");
    for (size_t i = 0; i < failures.count; i++) {
        const struct failure *f = &failures.items[i];
        text_append(out, "\n**");
        put_markdown(out, f->standing);
        text_append(out, "** ");
        put_markdown(out, f->record->name);
        put_alike(out, f);
        text_append(out, ": ");
        put_markdown(out, f->reason);
        text_append(out, "\n");
        if (!f->record->replay) continue;
        text_append(out, "\n    ");
        put_plain(out, f->record->replay, 4);
        text_append(out, "\n");
    }
}

// Returns how many reasons there are.
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
    const char *const facts[][2] = {{"suite", json_get_string(run, "suite", "")},
        {"seed", json_get_string(run, "seed", "")}, {"started", json_get_string(run, "started", "")}};
    text_append(out, "## ");
    put_markdown(out, result->device.name);
    text_append(out, "\n\n");
    put_markdown(out, result->device.driver_name);
    text_append(out, " ");
    put_markdown(out, result->device.driver_info);
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        text_format(out, ", %s ", facts[i][0]);
        put_markdown(out, facts[i][1]);
    }
    text_append(out, "\n");
}

static void put_result(struct text *out, const struct result *result) {
    struct view view;
    view_make(result, &view);
    put_heading(out, result);
    struct marks_seen seen = {0};
    for (size_t i = 0; i < view.count; i++) put_operator(out, &view, &view.operators[i], &seen);
    put_marks_of(out, &seen);
    put_failures(out, &view);
    size_t reasons = put_skips(out, &view);
    text_append(out, "\n");
    put_summary(out, &view, reasons);
    text_append(out, "\n");
    struct arena arena = {0};
    const char *covered = covered_line(result, &arena);
    if (covered) {
        text_append(out, "\n");
        put_markdown(out, covered);
        text_append(out, "\n");
    }
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

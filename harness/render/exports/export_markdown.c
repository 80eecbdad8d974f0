// SPDX-License-Identifier: Apache-2.0
// Markdown for a pull request or a page: the tables of the terminal, what is not right with its replay lines, the
// skips.
#include "export.h"

#include "../format.h"
#include "../table/case_columns.h"
#include "../outcomes.h"

#include <string.h>

// "### softmax: rows x cols"
static void put_operator_name(struct text *out, const struct view_operator *op, int plain_dims) {
    const struct record *first = op->kernels[0].cases[0].records[0];
    text_append(out, "\n### ");
    put_markdown(out, op->name);
    for (int i = 0; i < plain_dims; i++) {
        text_append(out, i ? " x " : ": ");
        put_markdown(out, first->dims[i].name);
    }
    text_append(out, "\n\n");
}

static void put_operator(struct text *out, struct view *view, const struct view_operator *op) {
    size_t count = 0, room = 0;
    int plain_dims = common_dims(op);
    for (size_t k = 0; k < op->count; k++) room += op->kernels[k].count;
    struct row *rows = arena_alloc(&view->arena, room, sizeof *rows);
    for (size_t k = 0; k < op->count; k++)
        for (size_t i = 0; i < op->kernels[k].count; i++) {
            const struct view_case *c = &op->kernels[k].cases[i];
            if (c->ran) rows[count++] = (struct row){view->result, &op->kernels[k], c, plain_dims, NULL};
        }
    if (!count) return;
    struct table table;
    put_operator_name(out, op, plain_dims);
    table_make(&table, &view->arena, case_columns, ON_TERMINAL, rows, sizeof *rows, count);
    put_table_markdown(out, &table, SIZE_MAX);
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
        text_append(out, ": ");
        put_markdown(out, f->reason);
        text_append(out, "\n");
        if (!f->record->replay) continue;
        text_append(out, "\n    ");
        put_plain(out, f->record->replay, 4);
        text_append(out, "\n");
    }
}

static bool put_skips(struct text *out, struct view *view, size_t *count, struct error *err) {
    struct skip_group *groups;
    if (!skip_groups(view, &view->arena, &groups, count, err)) return false;
    if (!*count) return true;
    struct table table;
    text_append(out, "\n### Skipped\n\n");
    table_make(&table, &view->arena, skip_columns, 0, groups, sizeof *groups, *count);
    put_table_markdown(out, &table, SIZE_MAX);
    return true;
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

static bool put_result(struct text *out, const struct result *result, struct error *err) {
    struct view view;
    size_t reasons = 0;
    if (!view_make(result, &view, err)) return false;
    bool ok = true;
    put_heading(out, result);
    for (size_t i = 0; i < view.count; i++) put_operator(out, &view, &view.operators[i]);
    if (ok) put_failures(out, &view);
    ok = ok && put_skips(out, &view, &reasons, err);
    text_append(out, "\n");
    if (ok) put_summary(out, &view, reasons);
    text_append(out, "\n");
    view_free(&view);
    return ok;
}

static bool put_markdown_of(struct text *out, const struct result *results, size_t count, struct error *err) {
    for (size_t i = 0; i < count; i++) {
        if (i) text_append(out, "\n");
        if (!put_result(out, &results[i], err)) return false;
    }
    return true;
}

const struct export_format format_markdown = {
    .name = "markdown", .summary = "tables for people", .put = put_markdown_of};

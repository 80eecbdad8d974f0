// SPDX-License-Identifier: Apache-2.0
// What compilers made of each pipeline: registers, spills and sizes. Several devices have numbers in the table, since
// their names are long.
#include "../../base/file.h"
#include "../../record/figures.h"
#include "../render/format.h"
#include "../render/render.h"
#include "../table/pipelines.h"
#include "../table/table.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../device/device_info.h"
#include "../../record/cases.h"

#include <math.h>
#include <string.h>

// ---- columns

static void put_kernel_name(struct text *out, const void *row) {
    text_append(out, ((const struct pipeline *)row)->any->kernel);
}

static void put_type_name(struct text *out, const void *row) {
    const char *dtype = ((const struct pipeline *)row)->any->dtype;
    text_append(out, dtype ? dtype : "");
}

static void put_shape_words(struct text *out, const void *row) {
    text_append(out, record_shape(((const struct pipeline *)row)->any));
}

static void put_number(struct text *out, struct cell *cell, double value) {
    cell->sort = value;
    if (isfinite(value)) put_thousands(out, value);
}

// Shows a figure of the only device.
static void put_figure(struct text *out, const void *row, struct cell *cell) {
    const struct record *record = ((const struct pipeline *)row)->of[0];
    const enum code_figure figure = (enum code_figure)cell->column->index;
    put_number(out, cell, record ? code_figure(record, figure) : NAN);
    if (figure == CODE_SPILLS && cell->sort > 0) cell->class = "bad";
}

// Shows the spills on one of several devices, or why there is no code.
static void put_spills(struct text *out, const void *row, struct cell *cell) {
    const struct record *record = ((const struct pipeline *)row)->of[cell->column->index];
    if (!record) return;
    if (record->status != RECORD_COMPILED) {
        text_append(out, record->status == RECORD_SKIP ? "skip" : record_status_name(record->status));
        return;
    }
    put_number(out, cell, code_figure(record, CODE_SPILLS));
    const double grew = pipeline_growth(row, cell->column->index);
    if (grew != 0) text_format(out, " (%+.0f)", grew);
    if (cell->sort > 0) cell->class = "bad";
}

static const struct column names_of[] = {{"kernel", .say = put_kernel_name}, {"type", .say = put_type_name},
    {"shape", .say = put_shape_words, .wraps = true}};
enum { NAMES = sizeof names_of / sizeof *names_of };

static const struct column *columns(struct pipelines *p) {
    const size_t more = p->device_count == 1 ? CODE_FIGURES : p->device_count;
    struct column *all = arena_alloc(&p->arena, NAMES + more + 1, sizeof *all);
    memcpy(all, names_of, sizeof names_of);
    for (size_t i = 0; i < more; i++) {
        const bool single = p->device_count == 1;
        all[NAMES + i] =
            (struct column){.title = single ? code_figure_titles[i] : arena_format(&p->arena, "%zu", i + 1),
                .right = true,
                .sparse = single,
                .index = i,
                .put = single ? put_figure : put_spills};
    }
    return all;
}

// ---- sentences

static void put_counts(struct text *out, const struct result *result, size_t number) {
    const struct pipeline_counts counts = pipelines_count(result);
    if (number) text_format(out, "%zu. ", number);
    text_format(out, "%s (%s %s): %zu pipelines compiled, ", result->device->name, result->device->driver_name,
        result->device->driver_info, counts.compiled);
    if (counts.reports_spills) text_format(out, "%zu spill registers", counts.spill);
    if (counts.explained) text_format(out, " (%zu for the reason in the manifest)", counts.explained);
    if (!counts.reports_spills) text_append(out, "the driver reports no spills");
    text_format(out, ", %zu skipped, %zu failed\n", counts.skipped, counts.failed);
}

size_t render_compiled(const struct result *results, size_t count, size_t most, FILE *out, int width) {
    struct pipelines p;
    struct table table;
    struct text words = {0};
    size_t shown, failed = 0;
    pipelines_make(&p, results, count);
    const size_t all = p.spilling;
    shown = all;
    if (most && shown > most) shown = most;
    table_make(&table, &p.arena, columns(&p), 0, p.items, sizeof *p.items, shown);
    if (shown) table_print(&table, out, width ? width : 80);
    if (shown < all) text_format(&words, "%zu more pipelines spill\n", all - shown);
    if (p.device_count > 1) text_append(&words, "Registers spilled on each device:\n");
    for (size_t d = 0; d < p.device_count; d++) {
        put_counts(&words, p.devices[d].result, p.device_count > 1 ? d + 1 : 0);
        failed += pipelines_count(p.devices[d].result).failed;
    }
    fprintf(out, "%s%s", shown ? "\n" : "", text_str(&words));
    text_free(&words);
    pipelines_free(&p);
    return failed;
}

bool render_compiled_markdown(const struct result *results, size_t count, const char *path, struct error *err) {
    struct pipelines p;
    struct table table;
    struct text page = {0};
    pipelines_make(&p, results, count);
    table_make(&table, &p.arena, columns(&p), 0, p.items, sizeof *p.items, p.count);
    text_append(&page, "# Machine code of each pipeline\n\n");
    for (size_t d = 0; d < p.device_count; d++) put_counts(&page, p.devices[d].result, d + 1);
    text_append(&page, "\nNothing was run: the figures are the compilers', and do not tell speed.\n\n");
    put_table_markdown(&page, &table, p.count);
    const bool ok = file_write(path, text_str(&page), page.length, err);
    text_free(&page);
    pipelines_free(&p);
    return ok;
}

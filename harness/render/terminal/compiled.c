// SPDX-License-Identifier: Apache-2.0
// What compilers made of each pipeline: registers, spills and sizes. Several devices have numbers in the table, since
// their names are long. Points of several sizes are one
// pipeline, so rows have no dims.
#include "../../base/file.h"
#include "../../base/names.h"
#include "../../record/machine_code.h"
#include "../format.h"
#include "../render.h"
#include "../table/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A pipeline, with its record in each result; NULL: not in this one.
struct pipeline {
    const struct record *any, **of;
    double spills; // the most of all devices
};

struct pipelines {
    struct arena arena;
    const struct result *results;
    size_t result_count, count;
    struct pipeline *items; // by spills, the most first; then by name
};

static int by_spills(const void *a, const void *b) {
    const struct pipeline *p = a, *q = b;
    if (p->spills != q->spills) return p->spills < q->spills ? 1 : -1;
    return strcmp(p->any->name, q->any->name);
}

static struct pipeline *find(struct pipelines *p, struct names *names, const struct record *record) {
    const char *name =
        arena_format(&p->arena, "%s/%s/%s", record->kernel, record->dtype ? record->dtype : "", record_shape(record));
    const size_t at = names_put(names, name, strlen(name), p->count);
    if (at == p->count)
        p->items[p->count++] =
            (struct pipeline){.any = record, .of = arena_alloc(&p->arena, p->result_count, sizeof(struct record *))};
    return &p->items[at];
}

static void collect(struct pipelines *p) {
    struct names names = {0};
    size_t room = 0;
    for (size_t r = 0; r < p->result_count; r++) room += p->results[r].count;
    p->items = arena_alloc(&p->arena, room + 1, sizeof *p->items);
    for (size_t r = 0; r < p->result_count; r++)
        for (size_t i = 0; i < p->results[r].count; i++) {
            const struct record *record = &p->results[r].records[i];
            struct pipeline *pipeline = find(p, &names, record);
            pipeline->of[r] = record;
            if (record->code_count) pipeline->spills = fmax(pipeline->spills, code_figure(record, CODE_SPILLS));
        }
    names_free(&names);
    if (p->count) qsort(p->items, p->count, sizeof *p->items, by_spills);
}

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
    if (cell->sort > 0) cell->class = "bad";
}

static const struct column names_of[] = {{"kernel", .say = put_kernel_name}, {"type", .say = put_type_name},
    {"shape", .say = put_shape_words, .wraps = true}};
enum { NAMES = sizeof names_of / sizeof *names_of };

static const struct column *columns(struct pipelines *p) {
    const size_t more = p->result_count == 1 ? CODE_FIGURES : p->result_count;
    struct column *all = arena_alloc(&p->arena, NAMES + more + 1, sizeof *all);
    memcpy(all, names_of, sizeof names_of);
    for (size_t i = 0; i < more; i++) {
        const bool single = p->result_count == 1;
        all[NAMES + i] =
            (struct column){.title = single ? code_figure_titles[i] : arena_format(&p->arena, "%zu", i + 1),
                .right = true,
                .sparse = single,
                .index = i,
                .put = single ? put_figure : put_spills};
    }
    return all;
}

static void make(struct pipelines *p, const struct result *results, size_t count) {
    *p = (struct pipelines){.results = results, .result_count = count};
    collect(p);
}

// ---- sentences

struct counts {
    size_t compiled, spill, skipped, failed;
    bool reports_spills; // the driver does, of any pipeline
};

// Points that were run, right or wrong, are no failures to compile.
static struct counts count_of(const struct result *result) {
    struct counts counts = {0};
    for (size_t i = 0; i < result->count; i++) {
        const struct record *record = &result->records[i];
        const double spills = code_figure(record, CODE_SPILLS);
        counts.reports_spills |= !isnan(spills);
        counts.compiled += record->status == RECORD_COMPILED;
        counts.spill += record->status == RECORD_COMPILED && spills > 0;
        counts.skipped += record->status == RECORD_SKIP;
        counts.failed += record->status >= RECORD_ERROR && record->status != RECORD_COMPILED;
    }
    return counts;
}

static void put_counts(struct text *out, const struct result *result, size_t number) {
    const struct counts counts = count_of(result);
    if (number) text_format(out, "%zu. ", number);
    text_format(out, "%s (%s %s): %zu pipelines compiled, ", result->device.name, result->device.driver_name,
        result->device.driver_info, counts.compiled);
    if (counts.reports_spills)
        text_format(out, "%zu spill registers", counts.spill);
    else
        text_append(out, "the driver reports no spills");
    text_format(out, ", %zu skipped, %zu failed\n", counts.skipped, counts.failed);
}

size_t render_compiled(const struct result *results, size_t count, size_t most, FILE *out, int width) {
    struct pipelines p;
    struct table table;
    struct text words = {0};
    size_t shown = 0, failed = 0;
    make(&p, results, count);
    while (shown < p.count && p.items[shown].spills > 0) shown++;
    const size_t all = shown;
    if (most && shown > most) shown = most;
    table_make(&table, &p.arena, columns(&p), 0, p.items, sizeof *p.items, shown);
    if (shown) table_print(&table, out, width ? width : 80);
    if (shown < all) text_format(&words, "%zu more pipelines spill\n", all - shown);
    if (count > 1) text_append(&words, "Registers spilled on each device:\n");
    for (size_t r = 0; r < count; r++) {
        put_counts(&words, &results[r], count > 1 ? r + 1 : 0);
        failed += count_of(&results[r]).failed;
    }
    fprintf(out, "%s%s", shown ? "\n" : "", text_str(&words));
    text_free(&words);
    arena_free(&p.arena);
    return failed;
}

bool render_compiled_markdown(const struct result *results, size_t count, const char *path, struct error *err) {
    struct pipelines p;
    struct table table;
    struct text page = {0};
    make(&p, results, count);
    table_make(&table, &p.arena, columns(&p), 0, p.items, sizeof *p.items, p.count);
    text_append(&page, "# Machine code of each pipeline\n\n");
    for (size_t r = 0; r < count; r++) put_counts(&page, &results[r], r + 1);
    text_append(&page, "\nNothing was run: the figures are the compilers', and do not tell speed.\n\n");
    put_table_markdown(&page, &table, p.count);
    const bool ok = file_write(path, text_str(&page), page.length, err);
    text_free(&page);
    arena_free(&p.arena);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
#include "mutants_table.h"

#include "../../base/file.h"
#include "../render/format.h"
#include "../render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- counting

static struct mutant_row *row_named(struct arena *arena, struct mutant_rows *rows, const char *name) {
    for (size_t i = 0; i < rows->count; i++)
        if (strcmp(rows->items[i].name, name) == 0) return &rows->items[i];
    rows->items = arena_grow(arena, rows->items, rows->count, &rows->capacity, sizeof *rows->items);
    rows->items[rows->count] = (struct mutant_row){.name = name};
    return &rows->items[rows->count++];
}

static void count(struct mutant_row *row, struct json_object *mutant) {
    const struct {
        const char *verdict;
        int64_t *count;
    } counts[] = {{"killed", &row->killed}, {"survived", &row->survived}, {"unseen", &row->unseen},
        {"equivalent", &row->equivalent}, {"invalid", &row->invalid}, {"not-run", &row->not_run}};
    const char *verdict = json_get_string(mutant, "verdict", "");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i].count += strcmp(counts[i].verdict, verdict) == 0;
    row->seconds += json_get_double(mutant, "seconds", 0);
}

static void add_kernel(struct arena *arena, struct json_object *kernel, struct mutant_tables *out) {
    struct json_object *mutants = json_get(kernel, "mutants");
    const char *family = json_get_string(kernel, "family", "");
    struct mutant_row *row = row_named(arena, &out->kernels, json_get_string(kernel, "name", ""));
    row->note = json_get_string(kernel, "reason", json_get_string(kernel, "caveat", NULL));
    for (size_t i = 0; i < json_object_array_length(mutants); i++) {
        struct json_object *mutant = json_object_array_get_idx(mutants, i);
        count(row, mutant);
        count(row_named(arena, &out->families, family), mutant);
        count(row_named(arena, &out->mutations, json_get_string(mutant, "operation", "")), mutant);
        count(&out->all, mutant);
        out->met = arena_grow(arena, out->met, out->met_count, &out->met_capacity, sizeof *out->met);
        out->met[out->met_count++] = (struct mutant_met){kernel, mutant};
    }
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct mutant_row *)a)->name, ((const struct mutant_row *)b)->name);
}

static void sort(struct mutant_rows *rows) {
    if (rows->count) qsort(rows->items, rows->count, sizeof *rows->items, by_name);
}

void mutant_tables_make(struct arena *arena, struct json_object *result, struct mutant_tables *out) {
    struct json_object *kernels = json_get(result, "mutated");
    *out = (struct mutant_tables){.all = {.name = "all"}};
    for (size_t i = 0; i < json_object_array_length(kernels); i++)
        add_kernel(arena, json_object_array_get_idx(kernels, i), out);
    sort(&out->kernels);
    sort(&out->families);
    sort(&out->mutations);
}

double mutant_row_score(const struct mutant_row *row) {
    int64_t both = row->killed + row->survived;
    return both ? (double)row->killed / (double)both : NAN;
}

// ---- tables

// Shows the count at the column's offset; a dash for 0.
static void put_count(struct text *out, const void *row, struct cell *cell) {
    const int64_t n = *(const int64_t *)(const void *)((const char *)row + cell->column->offset);
    cell->sort = (double)n;
    if (n) text_format(out, "%lld", (long long)n);
}
static void put_score(struct text *out, const void *row, struct cell *cell) {
    double score = mutant_row_score(row);
    cell->sort = score;
    cell->class = score < 1 ? "bad" : NULL;
    if (isnan(score))
        text_append(out, NOT_MEASURED);
    else
        text_format(out, "%.3f", score);
}
static void put_seconds(struct text *out, const void *row, struct cell *cell) {
    cell->sort = ((const struct mutant_row *)row)->seconds;
    text_format(out, "%.1f", cell->sort);
}

#define COUNT(member) .right = true, .dash = true, .put = put_count, .offset = offsetof(struct mutant_row, member)
static const struct column columns[] = {
    {"kernel", .places = MUTANTS_BY_KERNEL, TEXT_OF(struct mutant_row, name)},
    {"family", .places = MUTANTS_BY_FAMILY, TEXT_OF(struct mutant_row, name)},
    {"mutation", .places = MUTANTS_BY_MUTATION, TEXT_OF(struct mutant_row, name)},
    {"score", .right = true, .put = put_score, .hint = "killed / (killed + survived)"},
    {"killed", COUNT(killed), .hint = "a check failed"},
    {"survived", COUNT(survived), .hint = "some bits differ, but every check held"},
    {"unseen", COUNT(unseen), .hint = "the same bits everywhere"},
    {"equivalent", COUNT(equivalent), .hint = "not killed, and a rule shows that the change is allowed"},
    {"invalid", .sparse = true, COUNT(invalid), .hint = "not a legal module"},
    {"not run", .sparse = true, COUNT(not_run), .hint = "its outcome is unknown"},
    {"s", .right = true, .put = put_seconds, .hint = "seconds of one worker for all mutants together"},
    {"note", .places = MUTANTS_BY_KERNEL, .wraps = true, .sparse = true, TEXT_OF(struct mutant_row, note)},
    {0},
};

void mutant_table_make(
    struct arena *arena, const struct mutant_tables *tables, enum mutant_table which, struct table *out) {
    const struct mutant_rows *rows = which == MUTANTS_BY_KERNEL   ? &tables->kernels
                                     : which == MUTANTS_BY_FAMILY ? &tables->families
                                                                  : &tables->mutations;
    table_make(out, arena, columns, which, rows->items, sizeof *rows->items, rows->count);
}

void put_mutant_summary(struct text *out, const struct mutant_tables *tables, struct json_object *result) {
    const struct mutant_row *all = &tables->all;
    double score = mutant_row_score(all), seconds = 0;
    for (size_t i = 0; i < json_object_array_length(json_get(result, "mutated")); i++)
        seconds += json_get_double(json_object_array_get_idx(json_get(result, "mutated"), i), "seconds", 0);
    seconds /= fmax(1, (double)json_get_int(result, "jobs", 1));
    int64_t run = all->killed + all->survived + all->unseen, total = run + all->equivalent + all->not_run;
    text_format(out, "%zu kernels, %lld mutants: %lld killed, %lld survived", tables->kernels.count, (long long)total,
        (long long)all->killed, (long long)all->survived);
    if (!isnan(score)) text_format(out, " (score %.3f)", score);
    text_format(out, ", %lld unseen, %lld equivalent", (long long)all->unseen, (long long)all->equivalent);
    if (all->not_run) text_format(out, ", %lld not run", (long long)all->not_run);
    if (all->invalid) text_format(out, "; %lld more were not a legal modules", (long long)all->invalid);
    if (seconds > 0) text_format(out, "; %.0f mutants a minute", (double)(run + all->equivalent) / seconds * 60);
}

// ---- mutants that were not killed, listed

// Up to this many kernels, unseen mutants are listed too.
enum { FEW_KERNELS = 4 };

static void put_mutant(struct text *out, struct json_object *m) {
    const char *instruction = json_get_string(m, "instruction", "");
    const char *reason = json_get_string(m, "reason", NULL);
    int64_t line = json_get_int(m, "line", 0), points = json_get_int(m, "points", 0);
    text_format(out, "%s  %s\n", json_get_string(m, "verdict", ""), json_get_string(m, "name", ""));
    if (line)
        text_format(
            out, "  %s:%lld: %s\n", json_get_string(m, "file", ""), (long long)line, json_get_string(m, "text", ""));
    text_format(out, *instruction ? "  %s: %s\n" : "  %s\n", json_get_string(m, "change", ""), instruction);
    text_format(out, points ? "  run at %lld points" : "  no point reaches it", (long long)points);
    if (json_get_string(m, "point", NULL))
        text_format(out, "; the first with other bits: %s", json_get_string(m, "point", ""));
    text_append(out, "\n");
    if (reason) text_format(out, "  %s\n", reason);
    text_format(out, "  %s\n", json_get_string(m, "replay", ""));
}

// Appends one line about an unseen mutant; if the module has no source lines, it shows the instruction.
static void put_unseen_mutant(struct text *out, struct json_object *m) {
    const char *reason = json_get_string(m, "reason", NULL);
    int64_t line = json_get_int(m, "line", 0), points = json_get_int(m, "points", 0);
    text_format(out, "unseen  %s: %s", json_get_string(m, "name", ""), json_get_string(m, "change", ""));
    text_format(out, ": %s", json_get_string(m, line ? "text" : "instruction", ""));
    text_format(out, points ? " (at %lld points" : " (no point reaches it", (long long)points);
    text_format(out, "%s%s)\n", reason ? ", " : "", reason ? reason : "");
}

static void put_verdicts(struct text *out, const struct mutant_tables *tables, const char *verdict) {
    for (size_t i = 0; i < tables->met_count; i++) {
        struct json_object *m = tables->met[i].mutant;
        if (strcmp(json_get_string(m, "verdict", ""), verdict) != 0) continue;
        (strcmp(verdict, "unseen") == 0 ? put_unseen_mutant : put_mutant)(out, m);
    }
}

void render_mutants(struct json_object *result, FILE *out, int width) {
    struct arena arena = {0};
    struct mutant_tables tables;
    struct table table;
    struct text text = {0};
    mutant_tables_make(&arena, result, &tables);
    put_verdicts(&text, &tables, "not-run");
    put_verdicts(&text, &tables, "survived");
    if (tables.kernels.count <= FEW_KERNELS) put_verdicts(&text, &tables, "unseen");
    fputs(text_str(&text), out);
    for (unsigned which = MUTANTS_BY_KERNEL; which <= MUTANTS_BY_MUTATION; which *= 2) {
        mutant_table_make(&arena, &tables, (enum mutant_table)which, &table);
        fputc('\n', out);
        table_print(&table, out, width ? width : 100);
    }
    text_free(&text);
    put_mutant_summary(&text, &tables, result);
    fprintf(out, "\n%s\n", text_str(&text));
    text_free(&text);
    arena_free(&arena);
}

// ---- markdown

// Returns the number of mutants covered by a rule; *example receives the first one's name.
static size_t covered_by(const struct mutant_tables *tables, const char *rule, const char **example) {
    size_t count = 0;
    for (size_t i = 0; i < tables->met_count; i++) {
        struct json_object *m = tables->met[i].mutant;
        if (strcmp(json_get_string(m, "rule", ""), rule) == 0 && count++ == 0)
            *example = json_get_string(m, "name", "");
    }
    return count;
}

static void put_rules(struct text *out, const struct mutant_tables *tables, struct json_object *result) {
    struct json_object *rules = json_get(result, "rules");
    bool any = false;
    for (size_t i = 0; i < json_object_array_length(rules); i++) {
        struct json_object *rule = json_object_array_get_idx(rules, i);
        const char *name = json_get_string(rule, "name", ""), *example = "";
        size_t count = covered_by(tables, name, &example);
        if (count && !any)
            text_append(out, "\n## What is equivalent\n\n| rule | mutants | the first | why | source |\n"
                             "|---|---:|---|---|---|\n");
        if (!count) continue;
        any = true;
        put_markdown_format(out, "| %s | %zu | %s | %s | %s |\n", name, count, example,
            json_get_string(rule, "why", ""), json_get_string(rule, "source", ""));
    }
}

static void put_survivors(struct text *out, const struct mutant_tables *tables) {
    text_append(out, "\n## What survived\n\n| kernel | where | line | change | mutation |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < tables->met_count; i++) {
        struct json_object *m = tables->met[i].mutant;
        if (strcmp(json_get_string(m, "verdict", ""), "survived") != 0) continue;
        put_markdown_format(out, "| %s | %s:%zu | %s | %s | %s |\n", json_get_string(tables->met[i].kernel, "name", ""),
            json_get_string(m, "file", ""), (size_t)json_get_int(m, "line", 0), json_get_string(m, "text", ""),
            json_get_string(m, "change", ""), json_get_string(m, "operation", ""));
    }
}

bool render_mutants_markdown(struct json_object *result, const char *folder, struct error *err) {
    static const struct {
        enum mutant_table which;
        const char *head;
    } parts[] = {{MUTANTS_BY_FAMILY, "Families"}, {MUTANTS_BY_MUTATION, "Mutations"}, {MUTANTS_BY_KERNEL, "Kernels"}};
    struct arena arena = {0};
    struct mutant_tables tables;
    struct text text = {0};
    struct json_object *device = json_get(result, "device"), *run = json_get(result, "run");
    mutant_tables_make(&arena, result, &tables);
    text_append(&text, "# Mutants\n\nKernels with small faults put into their SPIR-V, and the outcome of their checks "
                       "(`vkassay mutate`).\n\n");
    put_mutant_summary(&text, &tables, result);
    text_append(&text, ".\n\n");
    put_markdown_format(&text, "%s, %s; seed %s.\n", json_get_string(device, "name", ""),
        json_get_string(device, "driver_info", ""), json_get_string(run, "seed", ""));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct table table;
        mutant_table_make(&arena, &tables, parts[i].which, &table);
        text_format(&text, "\n## %s\n\n", parts[i].head);
        put_table_markdown(&text, &table, SIZE_MAX);
    }
    put_rules(&text, &tables, result);
    put_survivors(&text, &tables);
    bool ok = file_write(arena_format(&arena, "%s/mutants.md", folder), text_str(&text), text.length, err);
    text_free(&text);
    arena_free(&arena);
    return ok;
}

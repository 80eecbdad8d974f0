// SPDX-License-Identifier: Apache-2.0
// What is covered, as markdown: each operator with its kernels and what came of it on each device,
// then each seed system with how many of its operators hold. Results of one device are one column.
#include "../render.h"

#include "../../../reference/table.h"
#include "../format.h"
#include "../table/table.h"
#include "tally.h"

#include <math.h>
#include <string.h>

struct coverage {
    const struct kernels *kernels;
    const struct result *results;
    size_t count;
    struct arena arena;
    struct text text;
};

static bool same_device(const struct result *a, const struct result *b) {
    return strcmp(a->device.name, b->device.name) == 0 && strcmp(a->device.driver_name, b->device.driver_name) == 0 &&
           strcmp(a->device.driver_info, b->device.driver_info) == 0;
}

// Whether a result is the first of its device, and so has a column.
static bool heads_column(const struct coverage *c, size_t at) {
    for (size_t i = 0; i < at; i++)
        if (same_device(&c->results[i], &c->results[at])) return false;
    return true;
}

// Over all results of the device whose first is `at`.
static struct tally tally_of_column(const struct coverage *c, size_t at, const char *operator) {
    struct tally all = {0};
    for (size_t i = at; i < c->count; i++)
        if (same_device(&c->results[i], &c->results[at])) tally_add(&all, tally_of(&c->results[i], operator));
    return all;
}

// How much of its bound the worst error of an operator takes up anywhere it passes; below 0: none has a bound.
static double worst_share(const struct coverage *c, const char *operator) {
    double worst = -1;
    for (size_t i = 0; i < c->count; i++)
        for (size_t r = 0; r < c->results[i].count; r++) {
            const struct record *record = &c->results[i].records[r];
            if (record->status == RECORD_PASS && record->check.checked > 0 && record->check.bound_ulp > 0 &&
                strcmp(record->operator, operator) == 0)
                worst = fmax(worst, record->check.worst_ratio);
        }
    return worst;
}

static size_t kernels_of(const struct kernels *kernels, const struct op *op) {
    size_t count = 0;
    for (size_t i = 0; i < kernels->count; i++) count += kernels->items[i]->op == op;
    return count;
}

// What follows the operator's name in the kernels' names: "scalar vec4".
static void put_variants(struct text *out, const struct kernels *kernels, const struct op *op) {
    size_t start = out->length;
    for (size_t i = 0; i < kernels->count; i++) {
        const struct kernel *kernel = kernels->items[i];
        if (kernel->op != op) continue;
        const char *dot = strchr(kernel->name, '.');
        if (out->length > start) text_append(out, ", ");
        text_append(out, dot ? dot + 1 : kernel->name);
    }
    if (out->length == start) text_append(out, NOT_MEASURED);
}

static void put_dtypes(struct text *out, const struct kernels *kernels, const struct op *op) {
    size_t start = out->length;
    for (int dtype = DTYPE_F32; dtype < DTYPE_COUNT; dtype++) {
        bool served = false;
        for (size_t i = 0; i < kernels->count; i++)
            served |= kernels->items[i]->op == op && kernels->items[i]->dtypes[dtype];
        if (!served) continue;
        text_format(out, "%s%s", out->length > start ? " " : "", dtype_info((enum dtype)dtype)->name);
    }
    if (out->length == start) text_append(out, NOT_MEASURED);
}

// `columns`, and one for each device: what `put` says of it.
static const struct column *with_devices(struct coverage *c, const struct column *columns,
    void (*put)(struct text *out, const void *row, struct cell *cell), bool markup) {
    size_t count = 0;
    while (columns[count].title) count++;
    struct column *all = arena_alloc(&c->arena, count + c->count + 1, sizeof *all);
    memcpy(all, columns, count * sizeof *all);
    for (size_t i = 0; i < c->count; i++)
        if (heads_column(c, i))
            all[count++] = (struct column){c->results[i].device.name, .markup = markup, .index = i, .put = put};
    return all;
}

static void put_table(struct coverage *c, const struct column *columns, const void *rows, size_t size, size_t count) {
    struct table table;
    table_make(&table, &c->arena, columns, 0, rows, size, count);
    put_table_markdown(&c->text, &table, SIZE_MAX);
}

// ---- results

struct result_row {
    const char *device, *driver, *suite;
    struct tally tally;
};

static const struct column result_columns[] = {
    {"device", TEXT_OF(struct result_row, device)},
    {"driver", TEXT_OF(struct result_row, driver)},
    {"suite", TEXT_OF(struct result_row, suite)},
    {"pass", COUNT_OF(struct result_row, tally.pass)},
    {"skip", COUNT_OF(struct result_row, tally.skip)},
    {"fail", COUNT_OF(struct result_row, tally.fail)},
    {0},
};

static void put_results(struct coverage *c) {
    struct result_row *rows = arena_alloc(&c->arena, c->count, sizeof *rows);
    for (size_t i = 0; i < c->count; i++) {
        const struct result *result = &c->results[i];
        rows[i] = (struct result_row){result->device.name,
            arena_format(&c->arena, "%s %s", result->device.driver_name, result->device.driver_info),
            json_get_string(json_get(result->context, "run"), "suite", ""), tally_of(result, NULL)};
    }
    put_table(c, result_columns, rows, sizeof *rows, c->count);
}

// ---- operators

struct operator_row {
    const struct coverage *coverage;
    const struct op *op;
};

static void say_named_by(struct text *out, const void *of) {
    const struct operator_row *row = of;
    text_append(out, *row->op->systems ? row->op->systems : NOT_MEASURED);
}
static void say_variants(struct text *out, const void *of) {
    const struct operator_row *row = of;
    put_variants(out, row->coverage->kernels, row->op);
}
static void say_dtypes(struct text *out, const void *of) {
    const struct operator_row *row = of;
    put_dtypes(out, row->coverage->kernels, row->op);
}
static void say_error(struct text *out, const void *of) {
    const struct operator_row *row = of;
    double share = worst_share(row->coverage, row->op->name);
    if (share < 0)
        text_append(out, NOT_MEASURED);
    else
        text_format(out, "%.*f %%", share > 0 && share < 0.01 ? 2 : 0, share * 100);
}
static void put_outcome(struct text *out, const void *of, struct cell *cell) {
    const struct operator_row *row = of;
    struct tally tally = tally_of_column(row->coverage, cell->column->index, row->op->name);
    put_verdict(out, &tally);
}

static const struct column operator_columns[] = {
    {"operator", TEXT_THROUGH(struct operator_row, op, struct op, name)},
    {"named by", .say = say_named_by},
    {"kernels", .say = say_variants},
    {"types", .say = say_dtypes},
    {"error", .say = say_error},
    {0},
};

static void put_families(struct coverage *c) {
    size_t all = 0;
    while (operators[all]) all++;
    struct operator_row *rows = arena_alloc(&c->arena, all, sizeof *rows);
    const struct column *columns = with_devices(c, operator_columns, put_outcome, true);
    for (size_t f = 0; operator_families[f]; f++) {
        size_t count = 0;
        for (size_t o = 0; o < all; o++)
            if (strcmp(operators[o]->family, operator_families[f]) == 0)
                rows[count++] = (struct operator_row){c, operators[o]};
        text_format(&c->text, "\n## %s\n\n", operator_families[f]);
        put_table(c, columns, rows, sizeof *rows, count);
    }
}

// ---- systems

struct system_row {
    const struct coverage *coverage;
    const struct backend_system *system; // NULL: every operator
    const char *name;
    size_t named, served; // operators that it names; of those, with a kernel
};

static bool is_named(const struct system_row *row, const struct op *op) {
    return !row->system || system_is_among(row->system, op->systems);
}
static void put_held(struct text *out, const void *of, struct cell *cell) {
    const struct system_row *row = of;
    size_t held = 0;
    for (size_t o = 0; operators[o]; o++) {
        if (!is_named(row, operators[o])) continue;
        struct tally tally = tally_of_column(row->coverage, cell->column->index, operators[o]->name);
        held += holds(&tally);
    }
    text_format(out, "%zu", held);
}

static const struct column system_columns[] = {
    {"system", TEXT_OF(struct system_row, name)},
    {"named", COUNT_OF(struct system_row, named)},
    {"with a kernel", COUNT_OF(struct system_row, served)},
    {0},
};

static void fill_system(struct system_row *row, struct coverage *c, const struct backend_system *system) {
    *row = (struct system_row){.coverage = c, .system = system, .name = "every operator"};
    if (system) row->name = arena_format(&c->arena, "%s (%s)", system->name, system->letters);
    for (size_t o = 0; operators[o]; o++) {
        row->named += is_named(row, operators[o]);
        row->served += is_named(row, operators[o]) && kernels_of(c->kernels, operators[o]) > 0;
    }
}

static void put_systems(struct coverage *c) {
    size_t count = 0;
    while (backend_systems[count].name) count++;
    struct system_row *rows = arena_alloc(&c->arena, count + 1, sizeof *rows);
    for (size_t i = 0; i <= count; i++) fill_system(&rows[i], c, i < count ? &backend_systems[i] : NULL);
    text_append(&c->text, "\n## Operators that a seed system names\n\n");
    put_table(c, with_devices(c, system_columns, put_held, false), rows, sizeof *rows, count + 1);
    text_append(&c->text, "\nA device's column counts the operators of which points passed and none failed.\n");
}

void render_coverage(const struct kernels *kernels, const struct result *results, size_t count, FILE *out) {
    struct coverage c = {.kernels = kernels, .results = results, .count = count};
    text_append(&c.text, "# Coverage\n\n");
    put_results(&c);
    text_append(&c.text, "\n`pass (n)`: n points passed and none failed. `skip: why`: every point was "
                         "skipped. `-`: nothing was run. Error: how much of its bound the worst error takes up on any "
                         "device. Named by: ");
    put_system_legend(&c.text);
    text_append(&c.text, ".\n");
    put_families(&c);
    put_systems(&c);
    fputs(text_str(&c.text), out);
    text_free(&c.text);
    arena_free(&c.arena);
}

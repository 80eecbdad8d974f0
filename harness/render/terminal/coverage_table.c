// SPDX-License-Identifier: Apache-2.0
// What is covered, as markdown: each operator with its kernels and what came of it on each device,
// then each seed system with how many of its operators hold. Results of one device are one column.
#include "../render.h"

#include "../../../reference/table.h"
#include "../format.h"
#include "../systems.h"
#include "tally.h"

#include <math.h>
#include <string.h>

struct coverage {
    const struct kernels *kernels;
    const struct result *results;
    size_t count;
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
        put_markdown(out, dot ? dot + 1 : kernel->name);
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

// The first line of a table, ended by a column for each device, and the line under it.
static void put_heading(struct coverage *c, const char *columns) {
    size_t bars = 1;
    text_format(&c->text, "| %s |", columns);
    for (const char *bar = columns; (bar = strchr(bar, '|')); bar++) bars++;
    for (size_t i = 0; i < c->count; i++) {
        if (!heads_column(c, i)) continue;
        text_append(&c->text, " ");
        put_markdown(&c->text, c->results[i].device.name);
        text_append(&c->text, " |");
        bars++;
    }
    text_append(&c->text, "\n|");
    for (size_t i = 0; i < bars; i++) text_append(&c->text, "---|");
    text_append(&c->text, "\n");
}

static void put_results(struct coverage *c) {
    text_append(&c->text, "| device | driver | suite | pass | skip | fail |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < c->count; i++) {
        const struct result *result = &c->results[i];
        struct tally all = tally_of(result, NULL);
        text_append(&c->text, "| ");
        put_markdown(&c->text, result->device.name);
        text_append(&c->text, " | ");
        put_markdown(&c->text, result->device.driver_name);
        text_append(&c->text, " ");
        put_markdown(&c->text, result->device.driver_info);
        text_append(&c->text, " | ");
        put_markdown(&c->text, json_get_string(json_get(result->context, "run"), "suite", ""));
        text_format(&c->text, " | %zu | %zu | %zu |\n", all.pass, all.skip, all.fail);
    }
}

static void put_operator(struct coverage *c, const struct op *op) {
    text_format(&c->text, "| %s | %s | ", op->name, *op->systems ? op->systems : NOT_MEASURED);
    put_variants(&c->text, c->kernels, op);
    text_append(&c->text, " | ");
    put_dtypes(&c->text, c->kernels, op);
    double share = worst_share(c, op->name);
    if (share < 0)
        text_append(&c->text, " | " NOT_MEASURED);
    else
        text_format(&c->text, " | %.*f %%", share > 0 && share < 0.01 ? 2 : 0, share * 100);
    for (size_t i = 0; i < c->count; i++) {
        if (!heads_column(c, i)) continue;
        struct tally tally = tally_of_column(c, i, op->name);
        text_append(&c->text, " | ");
        put_verdict(&c->text, &tally);
    }
    text_append(&c->text, " |\n");
}

static void put_families(struct coverage *c) {
    for (size_t f = 0; operator_families[f]; f++) {
        text_format(&c->text, "\n## %s\n\n", operator_families[f]);
        put_heading(c, "operator | named by | kernels | types | error");
        for (size_t o = 0; operators[o]; o++)
            if (strcmp(operators[o]->family, operator_families[f]) == 0) put_operator(c, operators[o]);
    }
}

// One line of the systems' table; no system: every operator.
static void put_system_row(struct coverage *c, const struct backend_system *system) {
    size_t named = 0, served = 0;
    for (size_t o = 0; operators[o]; o++) {
        if (system && !system_is_among(system, operators[o]->systems)) continue;
        named++;
        served += kernels_of(c->kernels, operators[o]) > 0;
    }
    if (system)
        text_format(&c->text, "| %s (%s)", system->name, system->letters);
    else
        text_append(&c->text, "| every operator");
    text_format(&c->text, " | %zu | %zu |", named, served);
    for (size_t i = 0; i < c->count; i++) {
        if (!heads_column(c, i)) continue;
        size_t held = 0;
        for (size_t o = 0; operators[o]; o++) {
            if (system && !system_is_among(system, operators[o]->systems)) continue;
            struct tally tally = tally_of_column(c, i, operators[o]->name);
            held += holds(&tally);
        }
        text_format(&c->text, " %zu |", held);
    }
    text_append(&c->text, "\n");
}

static void put_systems(struct coverage *c) {
    text_append(&c->text, "\n## Operators that a seed system names\n\n");
    put_heading(c, "system | named | with a kernel");
    for (const struct backend_system *system = backend_systems; system->name; system++) put_system_row(c, system);
    put_system_row(c, NULL);
    text_append(&c->text, "\nA device's column counts the operators of which points passed and none failed.\n");
}

bool render_coverage(
    const struct kernels *kernels, const struct result *results, size_t count, FILE *out, struct error *err) {
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
    bool ok = !c.text.failed || error_set(err, STATUS_FAULT, "out of memory for the table");
    if (ok) fputs(text_str(&c.text), out);
    text_free(&c.text);
    return ok;
}

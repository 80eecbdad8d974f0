// SPDX-License-Identifier: Apache-2.0
// Writes coverage as markdown: operators and types with their outcomes on each device, kernels that passed nowhere,
// and each system's operators. All results of one device share a column.
#include "../render/render.h"

#include "../../../reference/table.h"
#include "../render/format.h"
#include "../table/table.h"
#include "coverage.h"
#include "../../record/result.h"
#include "../../../reference/operator.h"
#include "../../record/record.h"
#include "../../device/device_info.h"

#include <string.h>

struct coverage_page {
    struct coverage c;
    struct text text;
};

// Returns `columns` followed by a column for each device, filled by `put`.
static const struct column *with_devices(struct coverage_page *p, const struct column *columns,
    void (*put)(struct text *out, const void *row, struct cell *cell), bool markup) {
    struct coverage *c = &p->c;
    size_t count = 0;
    while (columns[count].title) count++;
    struct column *all = arena_alloc(&c->arena, count + c->column_count + 1, sizeof *all);
    memcpy(all, columns, count * sizeof *all);
    for (size_t d = 0; d < c->column_count; d++)
        all[count++] =
            (struct column){c->results[c->columns[d].places[0]].device->name, .markup = markup, .index = d, .put = put};
    return all;
}

static void put_table(
    struct coverage_page *p, const struct column *columns, const void *rows, size_t size, size_t count) {
    struct table table;
    table_make(&table, &p->c.arena, columns, 0, rows, size, count);
    put_table_markdown(&p->text, &table, SIZE_MAX);
}

// ---- results

struct covered_result {
    const char *device, *driver, *suite;
    struct point_tally tally;
    int64_t checked, elements; // outputs checked, and all outputs
};

static void say_judged(struct text *out, const void *of) {
    const struct covered_result *row = of;
    if (row->elements)
        text_format(out, "%.1f M of %.1f M", (double)row->checked * 1e-6, (double)row->elements * 1e-6);
    else
        text_append(out, NOT_MEASURED);
}

static const struct column result_columns[] = {
    {"device", TEXT_OF(struct covered_result, device)},
    {"driver", TEXT_OF(struct covered_result, driver)},
    {"suite", TEXT_OF(struct covered_result, suite)},
    {"pass", COUNT_OF(struct covered_result, tally.pass)},
    {"skip", COUNT_OF(struct covered_result, tally.skip)},
    {"fail", COUNT_OF(struct covered_result, tally.fail)},
    {"outputs judged", .right = true, .say = say_judged},
    {0},
};

static void put_results(struct coverage_page *p) {
    struct coverage *c = &p->c;
    struct covered_result *rows = arena_alloc(&c->arena, c->count, sizeof *rows);
    for (size_t i = 0; i < c->count; i++) {
        const struct result *result = &c->results[i];
        struct text driver = {0};
        put_driver(&driver, result->device);
        rows[i] = (struct covered_result){.device = result->device->name,
            .driver = arena_take(&c->arena, &driver),
            .suite = result_suite_label(&c->arena, result, "")};
        for (size_t r = 0; r < result->count; r++) {
            tally_count(&rows[i].tally, &result->records[r]);
            rows[i].checked += result->records[r].check.checked;
            rows[i].elements += result->records[r].check.elements;
        }
    }
    put_table(p, result_columns, rows, sizeof *rows, c->count);
}

// ---- operators and types

static void say_named_by(struct text *out, const void *of) {
    const struct covered_type *type = of;
    text_append(out, *type->op->systems ? type->op->systems : NOT_MEASURED);
}

static void say_dtype(struct text *out, const void *of) {
    const struct covered_type *type = of;
    text_append(out, type->dtype == DTYPE_CASE ? NOT_MEASURED : dtype_info(type->dtype)->name);
}

// Appends the kernels' names without the operator's, marking kernels that passed on no device: "scalar, coop
// (nowhere)".
static void say_variants(struct text *out, const void *of) {
    const struct covered_type *type = of;
    for (size_t k = 0; k < type->kernel_count; k++) {
        const char *name = type->kernels[k].kernel->name, *dot = strchr(name, '.');
        text_format(out, "%s%s%s", k ? ", " : "", dot ? dot + 1 : name,
            kernel_is_covered(&type->kernels[k]) ? "" : " (nowhere)");
    }
    if (!type->kernel_count) text_append(out, NOT_MEASURED);
}

static void say_error(struct text *out, const void *of) {
    double share = ((const struct covered_type *)of)->worst_share;
    if (share < 0)
        text_append(out, NOT_MEASURED);
    else
        text_format(out, "%.*f %%", share > 0 && share < 0.01 ? 2 : 0, share * 100);
}

// Appends "as good" up to a factor of two, because errors over few inputs vary by as much.
static void say_beside(struct text *out, const void *of) {
    const struct covered_type *type = of;
    const char *dot = type->apart ? strchr(type->apart, '.') : NULL;
    if (!type->apart)
        text_append(out, NOT_MEASURED);
    else if (type->apart_by <= 2)
        text_append(out, "as good");
    else
        text_format(out, "%s %.3gx", dot ? dot + 1 : type->apart, type->apart_by);
}

static void put_outcome(struct text *out, const void *of, struct cell *cell) {
    put_verdict(out, &((const struct covered_type *)of)->devices[cell->column->index]);
}

static const struct column type_columns[] = {
    {"operator", TEXT_THROUGH(struct covered_type, op, struct op, name)},
    {"type", .say = say_dtype},
    {"named by", .say = say_named_by},
    {"kernels", .say = say_variants},
    {"error", .say = say_error},
    {"beside others", .say = say_beside},
    {0},
};

static void put_families(struct coverage_page *p) {
    struct coverage *c = &p->c;
    struct covered_type *rows = arena_alloc(&c->arena, c->type_count, sizeof *rows);
    const struct column *columns = with_devices(p, type_columns, put_outcome, true);
    for (size_t f = 0; operator_families[f]; f++) {
        size_t count = 0;
        for (size_t i = 0; i < c->type_count; i++)
            if (strcmp(c->types[i].op->family, operator_families[f]) == 0) rows[count++] = c->types[i];
        text_format(&p->text, "\n## %s\n\n", operator_families[f]);
        put_table(p, columns, rows, sizeof *rows, count);
    }
}

// ---- totals

struct coverage_sums {
    size_t types, everywhere, kernels, nowhere;
};

static struct coverage_sums sum_up(const struct coverage *c, bool (*counts)(enum dtype dtype)) {
    struct coverage_sums sums = {0};
    for (size_t i = 0; i < c->type_count; i++) {
        const struct covered_type *type = &c->types[i];
        if (!type->kernel_count || !counts(type->dtype)) continue;
        sums.types++;
        sums.everywhere += holds_everywhere(c, type);
        sums.kernels += type->kernel_count;
        for (size_t k = 0; k < type->kernel_count; k++) sums.nowhere += !kernel_is_covered(&type->kernels[k]);
    }
    return sums;
}

static bool is_f32(enum dtype dtype) {
    return dtype == DTYPE_F32;
}
static bool is_other(enum dtype dtype) {
    return dtype != DTYPE_F32;
}

static void put_sums(struct coverage_page *p) {
    struct coverage_sums f32 = sum_up(&p->c, is_f32), other = sum_up(&p->c, is_other);
    text_format(&p->text,
        "\nOn every device here, %zu of %zu operators with an f32 kernel pass in f32, and %zu of %zu pairs of an "
        "operator and another type pass. On no device, %zu of %zu pairs of a kernel and a type passed.\n",
        f32.everywhere, f32.types, other.everywhere, other.types, f32.nowhere + other.nowhere,
        f32.kernels + other.kernels);
}

// ---- kernels that passed nowhere

struct nowhere_row {
    const struct covered_kernel *kernel;
    const char *name, *dtype;
};

static void say_nowhere_outcome(struct text *out, const void *of) {
    put_verdict(out, &((const struct nowhere_row *)of)->kernel->tally);
}

static const struct column nowhere_columns[] = {
    {"kernel", TEXT_OF(struct nowhere_row, name)},
    {"type", TEXT_OF(struct nowhere_row, dtype)},
    {"on all devices", .markup = true, .say = say_nowhere_outcome},
    {0},
};

static void put_nowhere(struct coverage_page *p) {
    struct coverage *c = &p->c;
    size_t room = 0, count = 0;
    for (size_t i = 0; i < c->type_count; i++) room += c->types[i].kernel_count;
    struct nowhere_row *rows = arena_alloc(&c->arena, room + 1, sizeof *rows);
    for (size_t i = 0; i < c->type_count; i++)
        for (size_t k = 0; k < c->types[i].kernel_count; k++) {
            const struct covered_kernel *kernel = &c->types[i].kernels[k];
            if (!kernel_is_covered(kernel))
                rows[count++] = (struct nowhere_row){kernel, kernel->kernel->name, dtype_info(c->types[i].dtype)->name};
        }
    if (!count) return;
    text_append(&p->text, "\n## Kernels that passed nowhere\n\n");
    put_table(p, nowhere_columns, rows, sizeof *rows, count);
}

// ---- systems

struct system_row {
    const struct coverage *coverage;
    const struct backend_system *system; // NULL: all operators
    const char *name;
    size_t named, served; // operators it names; the named operators with a kernel
};

static bool is_named(const struct system_row *row, const struct op *op) {
    return !row->system || system_is_among(row->system, op->systems);
}

// Returns how many types the operator at `at` has, and in `held` how many of them hold on the device.
static size_t types_of(const struct coverage *c, size_t at, size_t device, size_t *held) {
    size_t end = at;
    *held = 0;
    for (; end < c->type_count && c->types[end].op == c->types[at].op; end++)
        *held += holds(&c->types[end].devices[device]);
    return end - at;
}

// "12 / 9": 12 operators hold in at least one type, 9 in all of their types.
static void put_held(struct text *out, const void *of, struct cell *cell) {
    const struct system_row *row = of;
    const struct coverage *c = row->coverage;
    size_t some = 0, every = 0, held;
    for (size_t i = 0, types; i < c->type_count; i += types) {
        types = types_of(c, i, cell->column->index, &held);
        some += is_named(row, c->types[i].op) && held;
        every += is_named(row, c->types[i].op) && held == types;
    }
    text_format(out, "%zu / %zu", some, every);
}

static const struct column system_columns[] = {
    {"system", TEXT_OF(struct system_row, name)},
    {"named", COUNT_OF(struct system_row, named)},
    {"with a kernel", COUNT_OF(struct system_row, served)},
    {0},
};

static void fill_system(struct system_row *row, struct coverage_page *p, const struct backend_system *system) {
    const struct coverage *c = &p->c;
    *row = (struct system_row){.coverage = c, .system = system, .name = "every operator"};
    if (system) row->name = arena_format(&p->c.arena, "%s (%s)", system->name, system->letters);
    for (size_t i = 0, held; i < c->type_count; i += types_of(c, i, 0, &held)) {
        row->named += is_named(row, c->types[i].op);
        row->served += is_named(row, c->types[i].op) && c->types[i].kernel_count > 0;
    }
}

static void put_systems(struct coverage_page *p) {
    size_t count = 0;
    while (backend_systems[count].name) count++;
    struct system_row *rows = arena_alloc(&p->c.arena, count + 1, sizeof *rows);
    for (size_t i = 0; i <= count; i++) fill_system(&rows[i], p, i < count ? &backend_systems[i] : NULL);
    text_append(&p->text, "\n## Operators that a system names\n\n");
    put_table(p, with_devices(p, system_columns, put_held, false), rows, sizeof *rows, count + 1);
    text_append(&p->text, "\nA device's column has two counts: operators that passed in at least one type, and in "
                          "every type of theirs.\n");
}

static void put_legend_of_coverage(struct text *out) {
    text_append(out,
        "\n`pass (n)`: n points passed and none failed. `skip (n): why`: n were skipped, with the reason of the first. "
        "`-`: nothing was run. Kernels: (nowhere) passed on no device in this type. Error: the worst error / bound on "
        "any device. Bounds follow from the precision that a device declares, and its functions may be far better. "
        "Beside others: the kernel with the largest error against another kernel of the operator, in one type, on one "
        "device, at one size. As good: at most twice the error; `-`: the operator has no other kernel. Named by: ");
    put_system_legend(out);
    text_append(out, ".\n");
}

void render_coverage(const struct kernels *kernels, const struct result *results, size_t count, FILE *out) {
    struct coverage_page p = {0};
    coverage_make(&p.c, kernels, results, count);
    text_append(&p.text, "# Coverage\n\n");
    put_results(&p);
    put_sums(&p);
    put_legend_of_coverage(&p.text);
    put_families(&p);
    put_nowhere(&p);
    put_systems(&p);
    fputs(text_str(&p.text), out);
    text_free(&p.text);
    arena_free(&p.c.arena);
}

// SPDX-License-Identifier: Apache-2.0
#include "checked.h"

#include "../format.h"
#include "../outcomes.h"
#include "exhaustive_table.h"

#include "../../base/names.h"

#include <string.h>

// What came of a kernel in one type.
struct checked {
    const struct view_kernel *kernel;
    size_t points, shapes, sizes;
    size_t right, wrong, skipped;
    const struct record *nearest; // whose error comes nearest to its bound, or NULL
    // Sizes at which several shapes were right and gave the same bits in both of their runs, and how many of those have
    // shapes whose bits differ.
    size_t compared, differing;
};

// Whether the record's bits stand for its shape: right, and the same in both runs.
static bool has_bits(const struct record *record) {
    return record->status == RECORD_PASS && record->check.checked > 0 && record->check.same_bits;
}

static void compare_bits(const struct view_case *c, struct checked *out) {
    const struct record *first = NULL;
    size_t others = 0;
    bool differ = false;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        if (!has_bits(r)) continue;
        others += first != NULL;
        if (!first) first = r;
        differ |= r->check.output_hash != first->check.output_hash;
    }
    out->compared += others > 0;
    out->differing += differ;
}

static void checked_sum(const struct view_kernel *kernel, struct checked *out) {
    struct names shapes = {0};
    *out = (struct checked){.kernel = kernel, .sizes = kernel->count};
    for (size_t i = 0; i < kernel->count; i++) {
        const struct view_case *c = &kernel->cases[i];
        out->points += c->count;
        for (size_t k = 0; k < c->count; k++) {
            const struct record *r = c->records[k];
            names_put(&shapes, record_shape(r), strlen(record_shape(r)), k);
            out->right += r->status == RECORD_PASS;
            out->wrong += is_failure(r);
            out->skipped += r->status == RECORD_SKIP;
        }
        const struct record *worst = c->worst;
        if (worst && (!out->nearest || worst->check.worst_ratio > out->nearest->check.worst_ratio))
            out->nearest = worst;
        compare_bits(c, out);
    }
    out->shapes = shapes.count;
    names_free(&shapes);
}

static void say_error(struct text *out, const void *row) {
    const struct checked *c = row;
    if (c->nearest)
        put_error_of_bound(out, c->nearest);
    else
        text_append(out, NOT_MEASURED);
}
static void say_bits(struct text *out, const void *row) {
    const struct checked *c = row;
    if (!c->compared)
        text_append(out, NOT_MEASURED);
    else if (!c->differing)
        text_append(out, "equal");
    else
        text_format(out, "differ in %zu of %zu", c->differing, c->compared);
}

static const struct column checked_columns[] = {
    {"kernel", TEXT_THROUGH(struct checked, kernel, struct view_kernel, name)},
    {"type", TEXT_THROUGH(struct checked, kernel, struct view_kernel, dtype)},
    {"points", .right = true, COUNT_OF(struct checked, points)},
    {"shapes", .right = true, COUNT_OF(struct checked, shapes)},
    {"sizes", .right = true, COUNT_OF(struct checked, sizes)},
    {"right", .right = true, COUNT_OF(struct checked, right)},
    {"wrong", .right = true, COUNT_OF(struct checked, wrong)},
    {"skipped", .right = true, COUNT_OF(struct checked, skipped)},
    {"error", .right = true, .say = say_error},
    {"bits across shapes", .say = say_bits},
    {0},
};

static void print_validation(const struct view *view, FILE *out) {
    size_t points = 0, messages = 0;
    for (size_t i = 0; i < view->result->count; i++) {
        points += view->result->records[i].validated;
        messages += view->result->records[i].validation_messages;
    }
    if (points) fprintf(out, "validation: %zu message%s over %zu points\n", messages, messages == 1 ? "" : "s", points);
}

void print_checked(const struct view *view, struct arena *arena, FILE *out, int width) {
    size_t compared = 0, differing = 0;
    struct table table;
    if (inputs_count(view->result) == view->result->count) { // they have a table of their own
        print_validation(view, out);
        return;
    }
    struct checked *rows = arena_alloc(arena, view->kernel_count, sizeof *rows);
    for (size_t k = 0; k < view->kernel_count; k++) {
        checked_sum(view->kernels[k], &rows[k]);
        compared += rows[k].compared > 0;
        differing += rows[k].differing > 0;
    }
    fputc('\n', out);
    table_make(&table, arena, checked_columns, 0, rows, sizeof *rows, view->kernel_count);
    table_print(&table, out, width);
    fputs("\nerror: that of the element which came nearest to its bound, in ULP, over that bound.\n", out);
    if (compared)
        fprintf(out,
            "bits: of %zu kernels and types that ran in several shapes at one size, %zu give other bits in another "
            "shape.\n",
            compared, differing);
    print_validation(view, out);
}

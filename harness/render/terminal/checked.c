// SPDX-License-Identifier: Apache-2.0
#include "checked.h"

#include "../format.h"
#include "../outcomes.h"
#include "exhaustive_table.h"

#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static size_t distinct(const char **texts, size_t count) {
    size_t found = 0;
    qsort(texts, count, sizeof *texts, by_text);
    for (size_t i = 0; i < count; i++) found += i == 0 || strcmp(texts[i - 1], texts[i]) != 0;
    return found;
}

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

bool checked_sum(const struct view_kernel *kernel, struct arena *arena, struct checked *out, struct error *err) {
    *out = (struct checked){.sizes = kernel->count};
    for (size_t i = 0; i < kernel->count; i++) out->points += kernel->cases[i].count;
    const char **shapes = arena_alloc(arena, out->points, sizeof *shapes);
    size_t count = 0;
    if (!shapes) return error_set(err, STATUS_FAULT, "out of memory for a table of %zu points", out->points);
    for (size_t i = 0; i < kernel->count; i++) {
        const struct view_case *c = &kernel->cases[i];
        for (size_t k = 0; k < c->count; k++) {
            const struct record *r = c->records[k];
            shapes[count++] = record_shape(r);
            out->right += r->status == RECORD_PASS;
            out->wrong += is_failure(r);
            out->skipped += r->status == RECORD_SKIP;
        }
        const struct record *worst = c->worst;
        if (worst && (!out->nearest || worst->check.worst_ratio > out->nearest->check.worst_ratio))
            out->nearest = worst;
        compare_bits(c, out);
    }
    out->shapes = distinct(shapes, count);
    return true;
}

static void print_line(const struct view_kernel *kernel, const struct checked *c, int width, FILE *out) {
    struct text error = {0}, bits = {0};
    if (c->nearest) {
        put_error_of_bound(&error, c->nearest);
    } else {
        text_append(&error, "-");
    }
    if (!c->compared)
        text_append(&bits, "-");
    else if (!c->differing)
        text_append(&bits, "equal");
    else
        text_format(&bits, "differ in %zu of %zu", c->differing, c->compared);
    fprintf(out, " %-*s %-4s %6zu %6zu %5zu %6zu %5zu %7zu  %11s  %s\n", width, kernel->name, kernel->dtype, c->points,
        c->shapes, c->sizes, c->right, c->wrong, c->skipped, text_str(&error), text_str(&bits));
    text_free(&error);
    text_free(&bits);
}

static void print_validation(const struct view *view, FILE *out) {
    size_t points = 0, messages = 0;
    for (size_t i = 0; i < view->result->count; i++) {
        points += view->result->records[i].validated;
        messages += view->result->records[i].validation_messages;
    }
    if (points) fprintf(out, "validation: %zu message%s over %zu points\n", messages, messages == 1 ? "" : "s", points);
}

bool print_checked(const struct view *view, struct arena *arena, FILE *out, struct error *err) {
    int width = (int)strlen("kernel");
    size_t compared = 0, differing = 0;
    if (inputs_count(view->result) == view->result->count) { // they have a table of their own
        print_validation(view, out);
        return true;
    }
    for (size_t o = 0; o < view->count; o++)
        for (size_t k = 0; k < view->operators[o].count; k++) {
            int length = (int)strlen(view->operators[o].kernels[k].name);
            if (length > width) width = length;
        }
    fprintf(out, "\n %-*s %-4s %6s %6s %5s %6s %5s %7s  %11s  %s\n", width, "kernel", "type", "points", "shapes",
        "sizes", "right", "wrong", "skipped", "error", "bits across shapes");
    for (size_t o = 0; o < view->count; o++)
        for (size_t k = 0; k < view->operators[o].count; k++) {
            struct checked sum;
            if (!checked_sum(&view->operators[o].kernels[k], arena, &sum, err)) return false;
            print_line(&view->operators[o].kernels[k], &sum, width, out);
            compared += sum.compared > 0;
            differing += sum.differing > 0;
        }
    fputs("\nerror: that of the element which came nearest to its bound, in ULP, over that bound.\n", out);
    if (compared)
        fprintf(out,
            "bits: of %zu kernels and types that ran in several shapes at one size, %zu give other bits in another "
            "shape.\n",
            compared, differing);
    print_validation(view, out);
    return true;
}

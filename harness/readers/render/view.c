// SPDX-License-Identifier: Apache-2.0
// Arranges records by operator, kernel and case, each in the order of the plan.
#include "view.h"

#include "../../base/names.h"
#include "../../base/text.h"
#include "../../record/cases.h"
#include "format.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../truth/stats/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool same_dims(const struct record *a, const struct record *b) {
    if (a->dim_count != b->dim_count) return false;
    for (int i = 0; i < a->dim_count; i++)
        if (a->dims[i].value != b->dims[i].value || strcmp(a->dims[i].name, b->dims[i].name) != 0) return false;
    return true;
}

// ---- groups

// Numbers of operators and kernels by name. Numbers, not pointers, because the arrays move while they grow.
struct arranging {
    struct view *view;
    struct names names;
    struct text key;
};

// Returns the number of the key's group; a new group gets the number `fresh`.
static size_t number_of(struct arranging *a, size_t fresh) {
    size_t number = names_get(&a->names, text_str(&a->key), a->key.length);
    if (number != NAMES_NONE) return number;
    const char *kept = arena_copy_n(&a->view->arena, text_str(&a->key), a->key.length);
    return names_put(&a->names, kept, a->key.length, fresh);
}

// Appends a part with its terminating zero, so that "a", "bc" differs from "ab", "c".
static void put_part(struct arranging *a, const char *string) {
    text_append_n(&a->key, string, strlen(string) + 1);
}

// Return the group of a record; open one at the end if there is none.
static struct view_operator *operator_of(struct arranging *a, const struct record *record) {
    struct view *view = a->view;
    a->key.length = 0;
    put_part(a, record->operator);
    size_t number = number_of(a, view->count);
    if (number < view->count) return &view->operators[number];
    view->operators = arena_grow(&view->arena, view->operators, view->count, &view->capacity, sizeof *view->operators);
    struct view_operator *added = &view->operators[view->count++];
    *added = (struct view_operator){.name = record->operator};
    return added;
}

static struct view_kernel *kernel_of(struct arranging *a, struct view_operator *op, const struct record *record) {
    put_part(a, record->kernel);
    put_part(a, record->dtype);
    size_t number = number_of(a, op->count);
    if (number < op->count) return &op->kernels[number];
    op->kernels = arena_grow(&a->view->arena, op->kernels, op->count, &op->capacity, sizeof *op->kernels);
    struct view_kernel *added = &op->kernels[op->count++];
    size_t length = strlen(op->name);
    bool prefixed = strncmp(record->kernel, op->name, length) == 0 && record->kernel[length] == '.';
    *added = (struct view_kernel){.name = record->kernel,
        .dtype = record->dtype,
        .variant = prefixed ? record->kernel + length + 1 : record->kernel};
    return added;
}

static void arrange(struct view *view) {
    const struct result *result = view->result;
    struct arranging arranging = {.view = view};
    struct cases cases;
    cases_make(result->records, result->count, NULL, NULL, &view->arena, &cases);
    view->cases = arena_alloc(&view->arena, cases.count, sizeof(struct view_case *));
    for (size_t i = 0; i < cases.count; i++) {
        const struct case_group *group = &cases.items[i];
        const struct record *first = group->records[0];
        struct view_kernel *kernel = kernel_of(&arranging, operator_of(&arranging, first), first);
        kernel->cases =
            arena_grow(&view->arena, kernel->cases, kernel->count, &kernel->capacity, sizeof *kernel->cases);
        kernel->cases[kernel->count++] = (struct view_case){.records = group->records, .count = group->count};
    }
    names_free(&arranging.names);
    text_free(&arranging.key);
    for (size_t i = 0; i < result->count; i++) {
        view->statuses[result->records[i].status]++;
        view->timed |= record_is_timed(&result->records[i]);
    }
}

// ---- each group

static void describe_case(struct view_case *c) {
    c->best = case_best(c->records, c->count);
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        c->ran += r->status != RECORD_SKIP;
        c->tie_count += case_ties(c->best, r);
        const bool was_checked = r->check.checked > 0 && !isnan(r->check.max_ulp);
        if (was_checked && (!c->worst || r->check.worst_ratio > c->worst->check.worst_ratio)) c->worst = r;
    }
}

// Returns the work of a case, to sort by: its least traffic, or the product of its dims if no record has that.
static double extent(const struct view_case *c) {
    const struct record *r = c->records[0];
    for (size_t i = 0; i < c->count; i++)
        if (c->records[i]->bytes > 0) return c->records[i]->bytes;
    double product = 1;
    for (int i = 0; i < r->dim_count; i++)
        if (r->dims[i].value > 0) product *= r->dims[i].value;
    return product;
}

static int by_extent(const void *a, const void *b) {
    const struct view_case *left = a, *right = b;
    double x = extent(left), y = extent(right);
    if (x != y) return x > y ? 1 : -1;
    return (left->records[0] > right->records[0]) - (left->records[0] < right->records[0]); // the plan's order
}

static int common_dims(const struct view_operator *op) {
    const struct record *first = op->kernels[0].cases[0].records[0];
    int common = first->dim_count;
    for (size_t k = 0; k < op->count; k++)
        for (size_t i = 0; i < op->kernels[k].count; i++) {
            const struct record *r = op->kernels[k].cases[i].records[0];
            if (r->dim_count < common) common = r->dim_count;
            for (int d = 0; d < common; d++)
                if (strcmp(r->dims[d].name, first->dims[d].name) != 0) common = d;
        }
    return common;
}

static void describe_operator(struct view *view, struct view_operator *op) {
    for (size_t k = 0; k < op->count; k++) {
        struct view_kernel *kernel = &op->kernels[k];
        for (size_t i = 0; i < kernel->count; i++) describe_case(&kernel->cases[i]);
        qsort(kernel->cases, kernel->count, sizeof *kernel->cases, by_extent);
        kernel->op = op;
        kernel->number = view->kernel_count;
        view->kernels[view->kernel_count++] = kernel;
        for (size_t i = 0; i < kernel->count; i++) {
            kernel->cases[i].kernel = kernel;
            view->cases[view->case_count++] = &kernel->cases[i];
        }
    }
    op->common_dims = common_dims(op);
}

void view_make(const struct result *result, struct view *out) {
    *out = (struct view){.result = result};
    arrange(out);
    size_t kernels = 0;
    for (size_t o = 0; o < out->count; o++) kernels += out->operators[o].count;
    out->kernels = arena_alloc(&out->arena, kernels, sizeof(struct view_kernel *));
    for (size_t o = 0; o < out->count; o++) describe_operator(out, &out->operators[o]);
}

void view_free(struct view *view) {
    arena_free(&view->arena);
    *view = (struct view){0};
}

// ---- how much is shown

enum { ROWS = 100 }; // in one table of a large result

size_t shown_most(const struct view *view, enum shown most) {
    return view->result->count > SHOWN_WHOLE ? most : SIZE_MAX;
}

size_t shown_cases(const struct view *view, size_t kernels) {
    if (view->result->count <= SHOWN_WHOLE || !kernels) return SIZE_MAX;
    return kernels < ROWS ? ROWS / kernels : 1;
}

bool is_shown(const struct view_kernel *kernel, size_t index, size_t most) {
    return most >= kernel->count || index >= kernel->count - most;
}

void put_left_out(struct text *out, size_t shown, size_t all, const char *what) {
    if (shown < all)
        text_format(
            out, "%zu of %zu %s are shown here; vkassay export --format csv has all of the result.", shown, all, what);
}

// ---- the best of a case, and what others lose

double loss_of(const struct view_case *c, const struct record *record) {
    return c->best && record ? compute_ns(record) / compute_ns(c->best) : NAN;
}

// Ranks failures first, then times, slowest first, then skips.
static double badness(const struct record *record) {
    if (record->status == RECORD_SKIP) return -1;
    return record->status == RECORD_PASS ? fmax(0, compute_ns(record)) : INFINITY;
}

const struct record *worst_of_systems(const struct view_case *c) {
    const struct record *worst = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        if (r->systems && *r->systems && (!worst || badness(r) > badness(worst))) worst = r;
    }
    return worst;
}

bool same_shape(const struct record *a, const struct record *b) {
    if (memcmp(a->wg, b->wg, sizeof a->wg) != 0 || a->tunable_count != b->tunable_count) return false;
    for (int i = 0; i < a->tunable_count; i++)
        if (a->tunables[i].value != b->tunables[i].value || strcmp(a->tunables[i].name, b->tunables[i].name) != 0)
            return false;
    return true;
}

const struct record *with_shape(const struct view_case *c, const struct record *shape) {
    for (size_t i = 0; i < c->count; i++)
        if (same_shape(c->records[i], shape)) return c->records[i];
    return NULL;
}

const struct record *best_of_invocations(const struct view_case *c, uint64_t invocations) {
    const struct record *best = NULL;
    for (size_t i = 0; i < c->count; i++) {
        const struct record *r = c->records[i];
        if (record_invocations(r) != invocations || isnan(compute_ns(r))) continue;
        if (!best || compute_ns(r) < compute_ns(best)) best = r;
    }
    return best;
}

const struct view_case *largest_case(const struct view_kernel *kernel) {
    for (size_t i = kernel->count; i-- > 0;)
        if (kernel->cases[i].best) return &kernel->cases[i];
    return NULL;
}

size_t timed_shapes(const struct view_case *c) {
    size_t timed = 0;
    for (size_t i = 0; i < c->count; i++) timed += isnan(compute_ns(c->records[i])) ? 0 : 1;
    return timed;
}

const struct record *reference_of(const struct view_case *c) {
    for (size_t i = 0; i < c->count; i++)
        if (measured(c->records[i]->reference.ns)) return c->records[i];
    return NULL;
}

double reference_ns(const struct view_case *c) {
    const struct record *record = reference_of(c);
    return record ? record->reference.ns : NAN;
}

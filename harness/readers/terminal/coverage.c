// SPDX-License-Identifier: Apache-2.0
#include "coverage.h"

#include "../../../reference/table.h"
#include "../../record/terms.h"
#include "../../record/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- operators and types

static bool serves(const struct kernel *kernel, const struct covered_type *type) {
    return kernel->op == type->op && kernel->dtypes[type->dtype];
}

static void add_kernels(struct coverage *c, struct covered_type *type, const struct kernels *kernels) {
    size_t room = 0;
    for (size_t i = 0; i < kernels->count; i++) room += serves(kernels->items[i], type);
    type->kernels = arena_alloc(&c->arena, room + 1, sizeof *type->kernels);
    for (size_t i = 0; i < kernels->count; i++)
        if (serves(kernels->items[i], type))
            type->kernels[type->kernel_count++] = (struct covered_kernel){.kernel = kernels->items[i]};
}

// Makes an entry for each type of each operator. An operator's first entry, DTYPE_CASE, stands for no type.
static struct covered_type *make_types(struct coverage *c, const struct kernels *kernels, size_t *all) {
    size_t count = 0;
    while (operators[count]) count++;
    *all = count * DTYPE_COUNT;
    struct covered_type *types = arena_alloc(&c->arena, *all + 1, sizeof *types);
    for (size_t i = 0; i < *all; i++) {
        types[i] = (struct covered_type){
            .op = operators[i / DTYPE_COUNT], .dtype = (enum dtype)(i % DTYPE_COUNT), .worst_share = -1};
        types[i].devices = arena_alloc(&c->arena, c->column_count + 1, sizeof *types[i].devices);
        if (types[i].dtype != DTYPE_CASE) add_kernels(c, &types[i], kernels);
    }
    return types;
}

static struct covered_type *type_of(struct covered_type *types, size_t all, const struct record *record) {
    enum dtype dtype = record->dtype ? dtype_named(record->dtype) : DTYPE_CASE;
    for (size_t i = 0; dtype != DTYPE_CASE && i < all; i += DTYPE_COUNT)
        if (strcmp(operator_name(types[i].op), record->operator) == 0) return &types[i + (size_t)dtype];
    return NULL; // a probe, or an unknown operator
}

static void count_record(struct covered_type *type, size_t column, const struct record *r) {
    tally_count(&type->devices[column], r);
    for (size_t k = 0; k < type->kernel_count; k++)
        if (r->kernel && strcmp(type->kernels[k].kernel->name, r->kernel) == 0) tally_count(&type->kernels[k].tally, r);
    if (r->status == RECORD_PASS && r->check.checked > 0 && r->check.bound_ulp > 0)
        type->worst_share = fmax(type->worst_share, r->check.worst_ratio);
}

// ---- errors of kernels compared with other kernels

// The largest error of a point, compared with other kernels at the same dims and dtype. All entries are of one
// result, so of one seed.
struct error_at {
    size_t type;
    const char *dims; // the part of the case's name after the kernel
    size_t dims_length;
    const char *kernel;
    double ulp;
};

static int same_case_first(const struct error_at *a, const struct error_at *b) {
    if (a->type != b->type) return a->type < b->type ? -1 : 1;
    if (a->dims_length != b->dims_length) return a->dims_length < b->dims_length ? -1 : 1;
    return memcmp(a->dims, b->dims, a->dims_length);
}

static int by_case_and_kernel(const void *a, const void *b) {
    const struct error_at *one = a, *other = b;
    int order = same_case_first(one, other);
    return order ? order : strcmp(one->kernel, other->kernel);
}

static const double least_ulp = 0.5; // lower errors count as this, so lucky rounding does not make others look bad

// Compares the kernels of one case; its errors are sorted by kernel.
static void stand_beside(struct covered_type *type, const struct error_at *errors, size_t count) {
    double least = INFINITY, most = 0;
    const char *worst = NULL;
    if (strcmp(errors[0].kernel, errors[count - 1].kernel) == 0) return;
    for (size_t i = 0; i < count;) {
        const char *kernel = errors[i].kernel;
        double ulp = least_ulp;
        for (; i < count && strcmp(errors[i].kernel, kernel) == 0; i++) ulp = fmax(ulp, errors[i].ulp);
        least = fmin(least, ulp);
        if (ulp > most) worst = kernel;
        most = fmax(most, ulp);
    }
    if (type->apart && !(most / least > type->apart_by)) return;
    type->apart = worst;
    type->apart_by = most / least;
}

static void compare_kernels(struct coverage *c, struct covered_type *types, size_t all, const struct result *result) {
    struct error_at *errors = arena_alloc(&c->arena, result->count + 1, sizeof *errors);
    size_t count = 0;
    for (size_t i = 0; i < result->count; i++) {
        const struct record *r = &result->records[i];
        const struct covered_type *type = type_of(types, all, r);
        const bool is_judged = r->status == RECORD_PASS && r->check.checked > 0 && r->check.bound_ulp > 0;
        if (!type || !is_judged || !isfinite(r->check.max_ulp)) continue;
        if (r->check.errors.draws) continue; // its errors are of other inputs than the case's
        if (!r->kernel || !r->name || !strchr(r->name, '/')) continue;
        const char *dims = strchr(r->name, '/'), *end = r->name + r->case_length;
        errors[count++] = (struct error_at){
            (size_t)(type - types), dims, dims < end ? (size_t)(end - dims) : 0, r->kernel, r->check.max_ulp};
    }
    qsort(errors, count, sizeof *errors, by_case_and_kernel);
    for (size_t i = 0, from; i < count;) {
        for (from = i; i < count && same_case_first(&errors[from], &errors[i]) == 0;) i++;
        stand_beside(&types[errors[from].type], &errors[from], i - from);
    }
}

// ----

// Keeps the types with a kernel or a point; an operator with neither keeps one row.
static void keep_present(struct coverage *c, const struct covered_type *types, size_t all) {
    c->types = arena_alloc(&c->arena, all + 1, sizeof *c->types);
    for (size_t o = 0; o < all; o += DTYPE_COUNT) {
        size_t before = c->type_count;
        for (size_t i = o + 1; i < o + DTYPE_COUNT; i++) {
            size_t points = 0;
            for (size_t d = 0; d < c->column_count; d++)
                points += types[i].devices[d].pass + types[i].devices[d].skip + types[i].devices[d].fail;
            if (types[i].kernel_count || points) c->types[c->type_count++] = types[i];
        }
        if (c->type_count == before) c->types[c->type_count++] = types[o];
    }
}

void coverage_make(struct coverage *out, const struct kernels *kernels, const struct result *results, size_t count) {
    size_t all;
    *out = (struct coverage){.results = results, .count = count};
    out->column_count = result_groups(results, count, DEVICE_MODEL_AND_DRIVER, &out->arena, &out->columns);
    struct covered_type *types = make_types(out, kernels, &all);
    for (size_t d = 0; d < out->column_count; d++)
        for (size_t i = 0; i < out->columns[d].count; i++) {
            const struct result *result = &results[out->columns[d].places[i]];
            for (size_t r = 0; r < result->count; r++) {
                struct covered_type *type = type_of(types, all, &result->records[r]);
                if (type) count_record(type, d, &result->records[r]);
            }
            compare_kernels(out, types, all, result);
        }
    keep_present(out, types, all);
}

bool kernel_is_covered(const struct covered_kernel *kernel) {
    return kernel->tally.pass > 0;
}

bool holds_everywhere(const struct coverage *c, const struct covered_type *type) {
    bool all = c->column_count > 0;
    for (size_t d = 0; d < c->column_count; d++) all &= holds(&type->devices[d]);
    return all;
}

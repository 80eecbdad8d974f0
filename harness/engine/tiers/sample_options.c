// SPDX-License-Identifier: Apache-2.0
// Options: dims that select a behaviour rather than a size (struct option). Every pair of values of two options is
// tried, at one of the suite's cases, and at the kernel's shapes in turn.
#include "covering.h"
#include "sampler.h"

#include "../../shader/manifest/contract/contract.h"
#include "../../../reference/operator.h"

#include <string.h>

_Static_assert(
    (int)COVERING_FACTORS >= (int)OPERATOR_OPTIONS && (int)COVERING_LEVELS >= (int)OPTION_VALUES, "options are a row");

static int count_options(const struct op *op) {
    int count = 0;
    while (count < OPERATOR_OPTIONS && op->options[count].dim) count++;
    return count;
}

static void set_row(const struct op *op, const struct covering_row *row, int64_t *dims) {
    for (int i = 0; i < count_options(op); i++)
        dims[operator_dim_index(op, op->options[i].dim)] = op->options[i].values[row->level[i]];
}

// Lists every combination of options that the shape can run at these dims. `rows` has room for all.
static size_t list_rows(
    const struct case_sampler *s, const struct shape *shape, const int64_t *base, struct covering_row *rows) {
    const struct op *op = s->kernel->op;
    const int options = count_options(op);
    struct covering_row row = {{0}};
    size_t count = 0;
    for (int at = 0; at < options;) {
        int64_t dims[OPERATOR_DIMS * 2];
        memcpy(dims, base, sizeof dims);
        set_row(op, &row, dims);
        if (sampler_affords(s, shape, dims)) rows[count++] = row;
        for (at = 0; at < options && ++row.level[at] == op->options[at].count; at++) row.level[at] = 0;
    }
    return count;
}

// Returns the first of the suite's cases with the most possible combinations.
static struct point best_base(struct case_sampler *s, const struct shape *shape, struct covering_row *rows) {
    struct point best = sampler_start(s);
    size_t most = 0;
    for (size_t i = 0; i < s->base_count; i++) {
        struct point point = s->crossing->items[s->bases[i]];
        kernel_params_conform(s->kernel, point.params);
        size_t count = list_rows(s, shape, point.dims, rows);
        if (count <= most) continue;
        most = count;
        best = point;
    }
    return best;
}

bool sampler_options(struct case_sampler *s, const struct shape_sample *shapes) {
    const struct op *op = s->kernel->op;
    if (!shapes->count || !count_options(op) || (!s->deep && !sampler_is_first_type(s))) return true;
    struct arena scratch = {0};
    size_t combinations = 1;
    for (int i = 0; i < count_options(op); i++) combinations *= (size_t)op->options[i].count;
    struct covering_row *rows = arena_alloc(&scratch, combinations, sizeof *rows);
    const struct point base = best_base(s, &shapes->items[0], rows);
    const size_t count = list_rows(s, &shapes->items[0], base.dims, rows);
    struct covering_counts counts;
    size_t *order, chosen = 0;
    if (count) chosen = covering_choose(&scratch, rows, count, count_options(op), NULL, s->key, count, &order, &counts);
    bool ok = true;
    for (size_t i = 0; ok && i < chosen; i++) {
        int added = 0;
        struct point point = base;
        set_row(op, &rows[order[i]], point.dims);
        operator_derive(op, point.dims);
        ok = sampler_add(s, &point, &shapes->items[i % shapes->count], &added);
        if (ok && !added) ok = sampler_add(s, &point, &shapes->items[0], &added);
    }
    arena_free(&scratch);
    return ok;
}

bool sampler_revealing(struct case_sampler *s, const struct shape_sample *shapes) {
    const struct op *op = s->kernel->op;
    const size_t rows = sizeof op->revealing / sizeof *op->revealing;
    bool ok = true;
    for (size_t i = 0; ok && i < rows && shapes->count && sampler_is_first_type(s); i++) {
        struct point point = sampler_thin(s, &shapes->items[0], -1);
        bool set = false;
        for (int d = 0; d < operator_dims(op); d++)
            if (op->revealing[i][d]) set |= sampler_set_size(s, &shapes->items[0], point.dims, d, op->revealing[i][d]);
        ok = !set || sampler_add(s, &point, &shapes->items[0], &(int){0});
    }
    return ok;
}

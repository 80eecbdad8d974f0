// SPDX-License-Identifier: Apache-2.0
// Operators along the rows of a matrix that depend on the order of elements: running sums, and sorting by size.
#include "../rows.h"

#include <stdlib.h>

// Computes running sums. Partial sums of the first j + 1 terms are at most the sum of their absolute values. No path
// is longer than the serial one.
static void cumsum_row(const struct call *c, int64_t first, int64_t cols) {
    double magnitude = 0;
    real sum = 0;
    for (int64_t j = 0; j < cols; j++) {
        const real x = c->in[0][first + j];
        sum += x;
        if (TRUTH) magnitude += fabs((double)x);
        emit(c, first + j, sum, magnitude, TRUTH ? bound_sum_within(c, j) : 0);
    }
}

REFERENCE(cumsum, c) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += cols) cumsum_row(c, first, cols);
}

// An element and its position, the unit of sorting.
struct placed {
    real value;
    int64_t place;
};

static int by_place(const struct placed *a, const struct placed *b) {
    return (a->place > b->place) - (a->place < b->place);
}

// Compares values: NaN is the greatest, and all NaNs are equal.
static int by_value(const struct placed *a, const struct placed *b) {
    if (isnan(a->value) || isnan(b->value)) return (isnan(a->value) != 0) - (isnan(b->value) != 0);
    return (a->value > b->value) - (a->value < b->value);
}

static int ascending(const void *left, const void *right) {
    const struct placed *a = left, *b = right;
    int order = by_value(a, b);
    return order ? order : by_place(a, b);
}

static int descending(const void *left, const void *right) {
    const struct placed *a = left, *b = right;
    int order = by_value(b, a);
    return order ? order : by_place(a, b);
}

// Returns one sorted row; the caller frees it. Returns NULL without memory; the outputs are then NaN, so no kernel
// matches.
static struct placed *sorted_row(const real *x, int64_t cols, int (*order)(const void *, const void *)) {
    struct placed *row = malloc((size_t)cols * sizeof *row);
    if (!row) return NULL;
    for (int64_t j = 0; j < cols; j++) row[j] = (struct placed){x[j], j};
    qsort(row, (size_t)cols, sizeof *row, order);
    return row;
}

// Writes the first `kept` of each sorted row: their values or their positions.
static void emit_sorted(const struct call *c, int64_t kept, bool places, int (*order)(const void *, const void *)) {
    const int64_t cols = c->dims[1];
    for (int64_t first = c->first; first < c->first + c->count; first += kept) {
        struct placed *row = sorted_row(c->in[0] + first / kept * cols, cols, order);
        for (int64_t j = 0; j < kept; j++) {
            real out = row ? places ? (real)row[j].place : row[j].value : NAN;
            emit(c, first + j, out, 0, 0);
        }
        free(row);
    }
}

REFERENCE(topk, c) {
    emit_sorted(c, c->dims[2], c->output == 2, descending);
}

REFERENCE(argsort, c) {
    emit_sorted(c, c->dims[1], true, ascending);
}

#define TIES .fill = FILL_STEPS, .low = -1, .high = 1, .below = "cols"

OPERATOR(cumsum) = {
    NAMED(cumsum, "reduction"),
    .summary = "running sum along each row, each element included in its own",
    .formula = "y[i, j] = sum over l <= j of x[i, l]",
    .source = "PyTorch, torch.cumsum(dim=-1)",
    .conventions = "any order of summation",
    .systems = "",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1, .lines = LINES_ANY},
        {"y", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}},
    .flops = rows_flops,
    .bound = "as sum, of the elements so far",
};

// A comparison for each level of a tournament among all, and one for each level and winner.
COST(topk_flops, D(0) * (D(1) + D(2) * log2(D(1) + 1)))

static const char *topk_derive(int64_t *dims) {
    return dims[2] <= dims[1] ? NULL : "k is above cols";
}

OPERATOR(topk) = {
    NAMED(topk, "reduction"),
    .summary = "the k largest elements of each row, largest first, and their places",
    .formula = "values[i, :], indices[i, :] = first k of x[i, :] in descending order",
    .source = "PyTorch, torch.topk",
    .conventions = "of equal elements the first comes first (PyTorch leaves it open), both zeros being "
                   "equal; NaN is greater than any number, as in PyTorch, and one NaN equals another",
    .systems = "TL",
    .dims = {"rows", "cols", "k"},
    .derive = topk_derive,
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, TIES, .lines = LINES_ORDERED},
        {"values", ROLE_OUT, .shape = {"rows", "k"}, .granule = {"k"}},
        {"indices", ROLE_OUT, .dtype = DTYPE_I32, .shape = {"rows", "k"}, .granule = {"k"}}},
    .flops = topk_flops,
    .bound = "exact: a selection",
};

COST(argsort_flops, D(0) * D(1) * log2(D(1) + 1))

OPERATOR(argsort) = {
    NAMED(argsort, "reduction"),
    .summary = "the places of each row's elements in ascending order",
    .formula = "x[i, y[i, 0]] <= x[i, y[i, 1]] <= ...",
    .source = "PyTorch, torch.argsort(stable=True)",
    .conventions = "stable: of equal elements the first comes first, both zeros being equal; NaN is "
                   "greater than any number, as in PyTorch, and one NaN equals another",
    .systems = "TL",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, TIES, .lines = LINES_ORDERED},
        {"y", ROLE_OUT, .dtype = DTYPE_I32, .shape = {"rows", "cols"}, .granule = {"cols"}}},
    .flops = argsort_flops,
    .bound = "exact: a selection",
};

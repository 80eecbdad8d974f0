// SPDX-License-Identifier: Apache-2.0
// Writing through the indices of indexing.c. Writes out of range are dropped. Elements without an index keep their
// values.
#include "../sums.h"
#include "../reference.h"

enum { OUTER, SIZE, INNER, COUNT }; // the dims of all three, in this order

// Returns the position in y of source `at` ([outer, count, inner]) with this index, or -1 if it is out of range.
static inline int64_t target(const struct call *c, int64_t at, int32_t index) {
    const int64_t inner = c->dims[INNER], outer = at / inner / c->dims[COUNT];
    if ((int64_t)(uint32_t)index >= c->dims[SIZE]) return -1;
    return (outer * c->dims[SIZE] + index) * inner + at % inner;
}

static inline int64_t sources_of_slice(const struct call *c) {
    return c->dims[COUNT] * c->dims[INNER];
}

// Starts a slice of y with its old values.
static void start_slice(const struct call *c, int64_t first) {
    const int64_t size = c->dims[SIZE] * c->dims[INNER];
    for (int64_t i = first; i < first + size; i++) emit(c, i, c->in[2][i], 0, 0);
}

// Writes sources in order, so the last of several sources for one position stays.
REFERENCE(scatter, c) {
    const int64_t size = c->dims[SIZE] * c->dims[INNER], sources = sources_of_slice(c);
    for (int64_t first = c->first; first < c->first + c->count; first += size) {
        start_slice(c, first);
        for (int64_t at = first / size * sources; at < (first / size + 1) * sources; at++) {
            const int64_t to = target(c, at, c->ints[0][at]);
            if (to >= 0) emit(c, to, c->in[1][at], 0, 0);
        }
    }
}

// Adds a source. Until all are added, an element's bound counts its additions.
static inline void add_source(const struct call *c, int64_t at, int64_t to) {
    if (to < 0) return;
    c->out[to - c->first] += c->in[1][at];
    if (TRUTH && c->magnitude) c->magnitude[to - c->first] += fabs((double)c->in[1][at]);
    if (TRUTH && c->bound) c->bound[to - c->first] += 1;
}

static void finish_slice(const struct call *c, int64_t first, int64_t size) {
    if (!TRUTH || !c->bound) return;
    double *bound = c->bound + (first - c->first);
    for (int64_t i = 0; i < size; i++) bound[i] = bound_sum_within(c, (int64_t)bound[i]);
}

REFERENCE(scatter_add, c) {
    const int64_t size = c->dims[SIZE] * c->dims[INNER], sources = sources_of_slice(c);
    for (int64_t first = c->first; first < c->first + c->count; first += size) {
        start_slice(c, first);
        for (int64_t at = first / size * sources; at < (first / size + 1) * sources; at++)
            add_source(c, at, target(c, at, c->ints[0][at]));
        finish_slice(c, first, size);
    }
}

REFERENCE(index_add, c) {
    const int64_t size = c->dims[SIZE] * c->dims[INNER], sources = sources_of_slice(c);
    for (int64_t first = c->first; first < c->first + c->count; first += size) {
        start_slice(c, first);
        for (int64_t i = 0; i < sources; i++) {
            const int64_t at = first / size * sources + i;
            add_source(c, at, target(c, at, c->ints[0][i / c->dims[INNER]]));
        }
        finish_slice(c, first, size);
    }
}

#define DROPPED "a negative index or one beyond the axis is dropped and touches no memory (PyTorch: an error)"
#define SUM_BOUND                                                                                                      \
    "ULP at the sum of the absolute terms: as many additions as sources meet, in any order (see "                      \
    "sum_rows); 0 where there is none"
// clang-format off
#define DIMS .dims = {"outer", "size", "inner", "count"}
#define INDEX(...) {"index", ROLE_IN, DTYPE_I32, .shape = {__VA_ARGS__}, .fill = FILL_OUT_OF_RANGE,       \
                    .below = "size"}
#define SRC_AND_Y(...) {"src", ROLE_IN, .shape = {"outer", "count", "inner"}, .low = -0.25, .high = 1,     \
                    .lines = LINES_SOME, __VA_ARGS__}, \
    {"y", ROLE_INOUT, .shape = {"outer", "size", "inner"}, .granule = {"size", "inner"},           \
     .low = -0.25, .high = 1, .lines = LINES_SOME, __VA_ARGS__}
// clang-format on

COST(sources, D(OUTER) * D(COUNT) * D(INNER))

// Indices and sources read, as much of y written; a sum reads it as well.
COST(scatter_bytes, 12 * sources(dims))
COST(scatter_add_bytes, 16 * sources(dims))
COST(index_add_bytes, 12 * sources(dims) + 4 * D(COUNT))

OPERATOR(scatter) = {
    NAMED(scatter, "indexing"),
    .summary = "elements written along one axis, each to its own place",
    .formula = "y[o, index[o, j, i], i] = src[o, j, i]",
    .source = "PyTorch, Tensor.scatter_",
    .conventions = "of several sources for one place the last (the largest j) stays (PyTorch: "
                   "any); " DROPPED,
    .systems = "CF TL",
    DIMS,
    .operands = {INDEX("outer", "count", "inner"), SRC_AND_Y(MOVED)},
    .flops = flops_none,
    .bytes = scatter_bytes,
    .bound = EXACT_COPY,
};

OPERATOR(scatter_add) = {
    NAMED(scatter_add, "indexing"),
    .summary = "elements added along one axis, each to its own place",
    .formula = "y[o, index[o, j, i], i] += src[o, j, i]",
    .source = "PyTorch, Tensor.scatter_add_",
    .conventions = DROPPED "; any order of summation",
    .systems = "CF TL",
    DIMS,
    .operands = {INDEX("outer", "count", "inner"), SRC_AND_Y(.preserves = PRESERVES_VALUE)},
    .flops = sources,
    .bytes = scatter_add_bytes,
    .bound = SUM_BOUND,
};

OPERATOR(index_add) = {
    NAMED(index_add, "indexing"),
    .summary = "slices added along one axis, each to its own place (the gradient of an embedding)",
    .formula = "y[o, index[j], i] += src[o, j, i]",
    .source = "PyTorch, Tensor.index_add_",
    .conventions = DROPPED "; any order of summation",
    .systems = "CF TL",
    DIMS,
    .operands = {INDEX("count"), SRC_AND_Y(.preserves = PRESERVES_VALUE)},
    .flops = sources,
    .bytes = index_add_bytes,
    .bound = SUM_BOUND,
};

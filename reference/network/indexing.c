// SPDX-License-Identifier: Apache-2.0
// Reading through indices. Indices are 32 bits, signed or not: a negative index is a large unsigned one. An index not
// below the size of the axis is out of range and reads 0.
//
// As in rearrange.c, an operator along one axis has a tensor of [outer, size, inner].
#include "../reference.h"

static inline bool in_range(int32_t index, int64_t size) {
    return (int64_t)(uint32_t)index < size;
}

REFERENCE(embedding, c) {
    const int64_t rows = c->dims[0], cols = c->dims[1];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        const int32_t index = c->ints[0][i / cols];
        emit(c, i, in_range(index, rows) ? c->in[1][index * cols + i % cols] : 0, 0, 0);
    }
}

enum { OUTER, SIZE, INNER, COUNT }; // the dims of the other two, in this order

// Returns element `place` of the axis for output i.
static inline real element(const struct call *c, int64_t i, int32_t place) {
    const int64_t inner = c->dims[INNER], outer = i / inner / c->dims[COUNT];
    if (!in_range(place, c->dims[SIZE])) return 0;
    return c->in[1][(outer * c->dims[SIZE] + place) * inner + i % inner];
}

REFERENCE(index_select, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, element(c, i, c->ints[0][i / c->dims[INNER] % c->dims[COUNT]]), 0, 0);
}

REFERENCE(gather, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, element(c, i, c->ints[0][i]), 0, 0);
}

#define OUT_OF_RANGE "a negative index or one beyond the axis reads 0 and touches no memory (PyTorch: an error)"
// clang-format off
#define INDEX(...) {"index", ROLE_IN, DTYPE_I32, .shape = {__VA_ARGS__}, .fill = FILL_OUT_OF_RANGE,       \
                    .below = "size"}
// clang-format on

// The part read of the table is as large as the output; indices are read too.
COST(embedding_bytes, 4 * D(2) * (2 * D(1) + 1))

OPERATOR(embedding) = {
    NAMED(embedding, "indexing"),
    .summary = "rows of a table by their numbers (get_rows)",
    .formula = "y[i, :] = table[index[i], :]",
    .source = "PyTorch, torch.nn.functional.embedding; GGML, GGML_OP_GET_ROWS",
    .conventions = OUT_OF_RANGE "; bytes count the number of rows to read, not the table",
    .systems = "CF TL",
    .dims = {"rows", "cols", "n"},
    .operands = {{"index", ROLE_IN, DTYPE_I32, .shape = {"n"}, .fill = FILL_OUT_OF_RANGE, .below = "rows"},
        {"table", ROLE_IN, .shape = {"rows", "cols"}, MOVED}, {"y", ROLE_OUT, .shape = {"n", "cols"}, MOVED}},
    .flops = flops_none,
    .bytes = embedding_bytes,
    .bound = EXACT_COPY,
};

COST(index_select_bytes, 8 * (D(OUTER) * D(COUNT) * D(INNER)) + 4 * D(COUNT))

OPERATOR(index_select) = {
    NAMED(index_select, "indexing"),
    .summary = "slices of a tensor along one axis by their numbers",
    .formula = "y[o, j, i] = x[o, index[j], i]",
    .source = "PyTorch, torch.index_select",
    .conventions = OUT_OF_RANGE,
    .systems = "CF TL",
    .dims = {"outer", "size", "inner", "count"},
    .operands = {INDEX("count"), {"x", ROLE_IN, .shape = {"outer", "size", "inner"}, MOVED},
        {"y", ROLE_OUT, .shape = {"outer", "count", "inner"}, MOVED}},
    .flops = flops_none,
    .bytes = index_select_bytes,
    .bound = EXACT_COPY,
};

COST(gather_bytes, 12 * D(OUTER) * D(COUNT) * D(INNER))

OPERATOR(gather) = {
    NAMED(gather, "indexing"),
    .summary = "elements of a tensor along one axis, each by its own number",
    .formula = "y[o, j, i] = x[o, index[o, j, i], i]",
    .source = "PyTorch, torch.gather",
    .conventions = OUT_OF_RANGE,
    .systems = "CF TL",
    .dims = {"outer", "size", "inner", "count"},
    .operands = {INDEX("outer", "count", "inner"), {"x", ROLE_IN, .shape = {"outer", "size", "inner"}, MOVED},
        {"y", ROLE_OUT, .shape = {"outer", "count", "inner"}, MOVED}},
    .flops = flops_none,
    .bytes = gather_bytes,
    .bound = EXACT_COPY,
};

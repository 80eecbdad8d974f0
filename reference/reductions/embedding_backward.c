// SPDX-License-Identifier: Apache-2.0
// Gradient of an embedding: each row of the table receives the sum of the gradients of its readers, and 0 without
// any.
#include "../sums.h"
#include "../reference.h"

// Adds a reader, in order. Until all are added, an element's bound counts its terms.
static void add_place(const struct call *c, int64_t row, const real *dy) {
    const int64_t cols = c->dims[1], at = row * cols - c->first;
    for (int64_t j = 0; j < cols; j++) {
        c->out[at + j] += dy[j];
        if (TRUTH && c->magnitude) c->magnitude[at + j] += fabs((double)dy[j]);
        if (TRUTH && c->bound) c->bound[at + j] += 1;
    }
}

REFERENCE(embedding_backward, c) {
    const int64_t cols = c->dims[1], first = c->first / cols, rows = c->count / cols;
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, 0, 0, 0);
    for (int64_t i = 0; i < c->dims[2]; i++) {
        const int64_t row = (int64_t)(uint32_t)c->ints[0][i];
        if (row >= first && row < first + rows) add_place(c, row, c->in[1] + i * cols);
    }
    for (int64_t j = 0; TRUTH && c->bound && j < c->count; j++)
        c->bound[j] = c->bound[j] > 0 ? bound_sum_within(c, (int64_t)c->bound[j] - 1) : 0;
}

COST(embedding_backward_flops, D(1) * D(2))

// Sets `outer` for kernels of index_add; this operator is index_add with one outer slice.
static const char *embedding_backward_derive(int64_t *dims) {
    dims[3] = 1;
    return NULL;
}

OPERATOR(embedding_backward) = {
    NAMED(embedding_backward, "backward"),
    .summary = "gradient of an embedding: rows summed by their indices",
    .formula = "dtable[r, :] = sum over i with index[i] = r of dy[i, :]",
    .source = "PyTorch, embedding_dense_backward",
    .conventions =
        "the whole table is written, 0 in rows without an index (index_add adds to the old values). An index out of "
        "range is dropped and touches no memory, because embedding reads 0 for it. Any order of summation",
    .systems = "CF LT",
    .dims = {"rows", "cols", "n"},
    .derived = {"outer"},
    .derive = embedding_backward_derive,
    .operands = {{"index", ROLE_IN, DTYPE_I32, .shape = {"n"}, .fill = FILL_OUT_OF_RANGE, .below = "rows"},
        {"dy", ROLE_IN, .shape = {"n", "cols"}, .low = -0.25, .high = 1, .lines = LINES_SOME},
        {"dtable", ROLE_OUT, .shape = {"rows", "cols"}, .granule = {"cols"}}},
    .flops = embedding_backward_flops,
    .bound = "ULP at the sum of the absolute terms: one addition less than the reads of the row, in any order (see "
             "sum_rows); 0 for one read or none",
};

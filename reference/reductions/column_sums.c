// SPDX-License-Identifier: Apache-2.0
// Sums over the first axis.
#include "column_sums.h"
#include "../sums.h"

REFERENCE(sum_cols, c) {
    const int64_t rows = c->dims[0], cols = c->dims[1];
    struct summed_column *columns = columns_open(c);
    for (int64_t row = 0; row < rows; row++)
        for (int64_t j = 0; j < c->count; j++) column_add(c, columns, j, c->in[0][row * cols + c->first + j], 0, 0);
    columns_close(c, columns, bound_sum_of(c, rows - 1));
}

COST(sum_cols_flops, (double)(dims[0] - 1) * D(1))

OPERATOR(sum_cols) = {
    NAMED(sum_cols, "reduction"),
    .summary = "sum of each column of a matrix (the gradient of a linear layer's bias)",
    .formula = "y[j] = sum over i of x[i, j]",
    .source = "PyTorch, torch.sum(dim=0)",
    .conventions =
        "any order of summation. The other gradients of linear, y = x w^T + b, are matmul (dx = dy w) and matmul_tn "
        "(dw = dy^T x). The gradients of matmul, c = a b, are matmul_nt (da = dc b^T) and matmul_tn (db = a^T dc)",
    .systems = "LT TS",
    .dims = {"rows", "cols"},
    .operands = {{"x", ROLE_IN, .shape = {"rows", "cols"}, .low = -0.25, .high = 1, .lines = LINES_ANY},
        {"y", ROLE_OUT, .shape = {"cols"}}},
    .flops = sum_cols_flops,
    .bound = "ULP at the sum of |x|: as sum_rows",
};

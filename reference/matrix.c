// SPDX-License-Identifier: Apache-2.0
// Products of matrices and vectors. Inputs are uniform in [-0.25, 1), see reduction.c.
#include "bounds.h"
#include "products.h"

#define DOT_BOUND                                                                                  \
    "ULP at the sum of the products' absolute values: the sum (see sum_rows; d = terms - 1 "      \
    "unless the kernel says) and two basic operations for the products, fused or not"

static void matvec_reference(const struct call *c) {
    const int64_t cols = c->dims[1];
    const double bound = bound_dot(depth_of(c, cols - 1), c->rte);
    for (int64_t row = c->first; row < c->first + c->count; row++) {
        double magnitude = 0;
        real sum = dot(c->in[0] + row * cols, c->in[1], cols, &magnitude);
        emit(c, row, sum, magnitude, bound);
    }
}
REFERENCE(matvec_reference)

#if VKASSAY_TABLE
static double matvec_flops(const int64_t *dims) {
    return 2 * (double)dims[0] * (double)dims[1];
}

const struct operator operator_matvec = {
    .name = "matvec",
    .family = "matrix",
    .summary = "matrix times vector",
    .formula = "y[i] = sum over j of w[i, j] x[j]",
    .source = "BLAS level 2, GEMV; quantised blocks: GGML, Q8_0 and Q4_0",
    .conventions =
        "w is row-major, one row an output, as in a linear layer; any order of summation",
    .seeds = "TL",
    .dims = {"rows", "cols"},
    .operands = {{"w", ROLE_IN, .weights = true, .shape = {"rows", "cols"}, .low = -0.25,
                     .high = 1},
        {"x", ROLE_IN, .shape = {"cols"}, .low = -0.25, .high = 1},
        {"y", ROLE_OUT, .shape = {"rows"}}},
    .flops = matvec_flops,
    .bound = DOT_BOUND,
    REFERENCES(matvec_reference),
};
#endif

// Row by row, and within a row in i-k-j order, so that b is read as it lies in memory. A range may
// begin and end within a row.
static void matmul_reference(const struct call *c) {
    const int64_t n = c->dims[1], k = c->dims[2];
    const double bound = bound_dot(depth_of(c, k - 1), c->rte);
    for (int64_t at = 0; at < c->count;) {
        const int64_t row = (c->first + at) / n, col = (c->first + at) % n;
        const int64_t count = n - col < c->count - at ? n - col : c->count - at;
        combine_rows(c->in[0] + row * k, c->in[1] + col, k, n, count, c->out + at,
            c->magnitude ? c->magnitude + at : NULL);
        fill_bound(c, at, count, bound);
        at += count;
    }
}
REFERENCE(matmul_reference)

#if VKASSAY_TABLE
static double matmul_flops(const int64_t *dims) {
    return 2 * (double)dims[0] * (double)dims[1] * (double)dims[2];
}

const struct operator operator_matmul = {
    .name = "matmul",
    .family = "matrix",
    .summary = "matrix times matrix",
    .formula = "c[i, j] = sum over l of a[i, l] b[l, j]",
    .source = "BLAS level 3, GEMM without transposition, alpha 1 and beta 0",
    .conventions = "all three row-major; any order of summation",
    .seeds = "TL TS CF TF LT",
    .dims = {"m", "n", "k"},
    .operands = {{"a", ROLE_IN, .shape = {"m", "k"}, .low = -0.25, .high = 1},
        {"b", ROLE_IN, .shape = {"k", "n"}, .low = -0.25, .high = 1},
        {"c", ROLE_OUT, .shape = {"m", "n"}}},
    .flops = matmul_flops,
    .bound = DOT_BOUND,
    REFERENCES(matmul_reference),
};
#endif

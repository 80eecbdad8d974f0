// SPDX-License-Identifier: Apache-2.0
// Products of matrices and vectors. Inputs are uniform in [-0.25, 1), see reduction.c.
#include "../sums.h"
#include "../products.h"

REFERENCE(matvec, c) {
    const int64_t cols = c->dims[1];
    const double bound = bound_dot_of(c, cols - 1);
    for (int64_t row = c->first; row < c->first + c->count; row++) {
        double magnitude = 0;
        real sum = dot(c->in[0] + row * cols, c->in[1], cols, &magnitude);
        emit(c, row, sum, magnitude, bound);
    }
}

COST(matvec_flops, 2 * D(0) * D(1))

OPERATOR(matvec) = {
    NAMED(matvec, "matrix"),
    .along = "rows",
    .line_of = "matmul_nt",
    .summary = "matrix times vector",
    .formula = "y[i] = sum over j of w[i, j] x[j]",
    .source = "BLAS level 2, GEMV; quantised blocks: GGML, Q8_0 and Q4_0",
    .conventions = "w is row-major, one row an output, as in a linear layer; any order of summation",
    .systems = "TL",
    .dims = {"rows", "cols"},
    .operands = {WEIGHTS("w", "rows", "cols"), FACTOR("x", "cols"), PRODUCT("y", "rows")},
    .flops = matvec_flops,
    .even_bound = true,
    .bound = DOT_BOUND,
};

// The factors of one row of a product: k elements of a, a step apart, and the matrix b. The latter is read row by row
// in memory order.
struct factors {
    const real *a, *b;
    int64_t step;
};

// Computes row by row, and within a row in i-k-j order. A range may begin and end within a row.
static void product_rows(
    const struct call *c, int64_t n, int64_t k, struct factors (*of_row)(const struct call *, int64_t row)) {
    const double bound = bound_dot_of(c, k - 1);
    for (int64_t at = 0; at < c->count;) {
        const int64_t row = (c->first + at) / n, col = (c->first + at) % n;
        const int64_t count = n - col < c->count - at ? n - col : c->count - at;
        const struct factors f = of_row(c, row);
        combine_rows_step(f.a, f.step, f.b + col, k, n, count, c->out + at, c->magnitude ? c->magnitude + at : NULL);
        fill_bound(c, at, count, bound);
        at += count;
    }
}

static struct factors matmul_row(const struct call *c, int64_t row) {
    return (struct factors){c->in[0] + row * c->dims[2], c->in[1], 1};
}

REFERENCE(matmul, c) {
    product_rows(c, c->dims[1], c->dims[2], matmul_row);
}

static struct factors matmul_tn_row(const struct call *c, int64_t row) {
    return (struct factors){c->in[0] + row, c->in[1], c->dims[0]};
}

REFERENCE(matmul_tn, c) {
    product_rows(c, c->dims[1], c->dims[2], matmul_tn_row);
}

REFERENCE(matmul_nt, c) {
    const int64_t n = c->dims[1], k = c->dims[2];
    const double bound = bound_dot_of(c, k - 1);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        double magnitude = 0;
        real sum = dot(c->in[0] + i / n * k, c->in[1] + i % n * k, k, &magnitude);
        emit(c, i, sum, magnitude, bound);
    }
}

// Selects the matrices of a row; a batch of one serves all matrices of the other operand.
static struct factors bmm_row(const struct call *c, int64_t row) {
    const int64_t m = c->dims[2], n = c->dims[3], k = c->dims[4], matrix = row / m;
    const int64_t of_a = c->dims[0] > 1 ? matrix : 0, of_b = c->dims[1] > 1 ? matrix : 0;
    return (struct factors){c->in[0] + (of_a * m + row % m) * k, c->in[1] + of_b * k * n, 1};
}

REFERENCE(bmm, c) {
    product_rows(c, c->dims[3], c->dims[4], bmm_row);
}

COST(matmul_flops, 2 * D(0) * D(1) * D(2))
COST(bmm_flops, 2 * D(5) * D(2) * D(3) * D(4))

static const char *bmm_derive(int64_t *dims) {
    if (dims[0] != dims[1] && dims[0] != 1 && dims[1] != 1) return "batch_a and batch_b differ and neither is 1";
    dims[5] = dims[0] > dims[1] ? dims[0] : dims[1];
    return NULL;
}

#define ROW_MAJOR "all three row-major; any order of summation"

OPERATOR(matmul) = {
    NAMED(matmul, "matrix"),
    .along = "n",
    .summary = "matrix times matrix",
    .formula = "c[i, j] = sum over l of a[i, l] b[l, j]",
    .source = "BLAS level 3, GEMM without transposition, alpha 1 and beta 0",
    .conventions = ROW_MAJOR,
    .systems = "TL TS CF TF LT",
    .dims = {"m", "n", "k"},
    .operands = {FACTOR("a", "m", "k"), FACTOR("b", "k", "n"), PRODUCT("c", "m", "n")},
    .flops = matmul_flops,
    .even_bound = true,
    .bound = DOT_BOUND,
};

// Multiplies integers: every sum is exact in any order.
REFERENCE(matmul_i8, c) {
    product_rows(c, c->dims[1], c->dims[2], matmul_row);
    fill_bound(c, 0, c->count, 0);
}

enum { LONGEST_I8 = 131071 }; // times 2^14, the largest product, stays below 2^31

static const char *matmul_i8_derive(int64_t *dims) {
    return dims[2] > LONGEST_I8 ? "k is above 131071, so a sum may not fit 32 bits" : NULL;
}

#define BYTES(NAME, ...)                                                                                               \
    { NAME, ROLE_IN, .shape = {__VA_ARGS__}, .fill = FILL_WHOLE, .low = -128, .high = 128 }

OPERATOR(matmul_i8) = {
    NAMED(matmul_i8, "matrix"),
    .summary = "matrix times matrix of 8-bit integers, sums in 32 bits",
    .formula = "c[i, j] = sum over l of a[i, l] b[l, j]",
    .source = "PyTorch, torch._int_mm; the integer matrix products of VK_KHR_cooperative_matrix",
    .conventions = ROW_MAJOR "; a and b are signed bytes, c is i32",
    .systems = "",
    .dims = {"m", "n", "k"},
    .derive = matmul_i8_derive,
    .operands = {BYTES("a", "m", "k"), BYTES("b", "k", "n"), {"c", ROLE_OUT, DTYPE_I32, .shape = {"m", "n"}}},
    .flops = matmul_flops,
    .bound = "exact: whole numbers, and their sums fit 32 bits",
};

OPERATOR(matmul_nt) = {
    NAMED(matmul_nt, "matrix"),
    .along = "n",
    .summary = "matrix times transposed matrix",
    .formula = "c[i, j] = sum over l of a[i, l] b[j, l]",
    .source = "BLAS level 3, GEMM with b transposed; quantised blocks: GGML, Q8_0 and Q4_0",
    .conventions = ROW_MAJOR "; b holds one row an output column, as a linear layer's weights do",
    .systems = "TL TS CF LT",
    .dims = {"m", "n", "k"},
    .operands = {FACTOR("a", "m", "k"), WEIGHTS("b", "n", "k"), PRODUCT("c", "m", "n")},
    .flops = matmul_flops,
    .even_bound = true,
    .bound = DOT_BOUND,
};

OPERATOR(matmul_tn) = {
    NAMED(matmul_tn, "matrix"),
    .along = "n",
    .summary = "transposed matrix times matrix",
    .formula = "c[i, j] = sum over l of a[l, i] b[l, j]",
    .source = "BLAS level 3, GEMM with a transposed",
    .conventions = ROW_MAJOR,
    .systems = "TS CF LT",
    .dims = {"m", "n", "k"},
    .operands = {FACTOR("a", "k", "m"), FACTOR("b", "k", "n"), PRODUCT("c", "m", "n")},
    .flops = matmul_flops,
    .even_bound = true,
    .bound = DOT_BOUND,
};

OPERATOR(bmm) = {
    NAMED(bmm, "matrix"),
    .along = "n",
    .summary = "batched matrix times matrix",
    .formula = "c[t, i, j] = sum over l of a[t, i, l] b[t, l, j]",
    .source = "PyTorch, torch.bmm; batches of one are broadcast, as torch.matmul does",
    .conventions = ROW_MAJOR "; batch = max(batch_a, batch_b), and a batch of 1 serves every t",
    .systems = "TF TS",
    .dims = {"batch_a", "batch_b", "m", "n", "k"},
    .derived = {"batch"},
    .derive = bmm_derive,
    .operands = {FACTOR("a", "batch_a", "m", "k"), FACTOR("b", "batch_b", "k", "n"), PRODUCT("c", "batch", "m", "n")},
    .flops = bmm_flops,
    .even_bound = true,
    .bound = DOT_BOUND,
};

REFERENCE(outer, c) {
    const int64_t n = c->dims[1];
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[0][i / n] * c->in[1][i % n], 0, bound_basic(c->rte));
}

REFERENCE(dot, c) {
    const int64_t n = c->dims[0];
    double magnitude = 0;
    real sum = dot(c->in[0], c->in[1], n, &magnitude);
    emit(c, 0, sum, magnitude, bound_dot_of(c, n - 1));
}

COST(outer_flops, D(0) * D(1))
COST(dot_flops, 2 * D(0))

OPERATOR(outer) = {
    NAMED(outer, "matrix"),
    .summary = "every product of two vectors' elements",
    .formula = "c[i, j] = a[i] b[j]",
    .source = "BLAS level 2, GER with alpha 1 onto zeros",
    .systems = "CF",
    .dims = {"m", "n"},
    .operands = {FACTOR("a", "m"), FACTOR("b", "n"), PRODUCT("c", "m", "n")},
    .flops = outer_flops,
    .bound = "one correctly rounded operation: 0.5 ULP with round-to-nearest-even declared, else 1",
};

OPERATOR(dot) = {
    NAMED(dot, "matrix"),
    .summary = "inner product of two vectors",
    .formula = "y = sum over i of a[i] b[i]",
    .source = "BLAS level 1, DOT",
    .conventions = "any order of summation",
    .systems = "CF",
    .dims = {"n"},
    .operands = {{"a", ROLE_IN, .shape = {"n"}, .low = -0.25, .high = 1, .lines = LINES_ANY}, FACTOR("b", "n"),
        {"y", ROLE_OUT, .shape = {NULL}}},
    .flops = dot_flops,
    .bound = DOT_BOUND,
};

// SPDX-License-Identifier: Apache-2.0
// Products with activations that a kernel first converts to 8-bit integers. Blocks of quantised weights are then
// multiplied by integer dot products. The product with those integers is judged, not the one with the activations.
#include "../sums.h"
#include "../products.h"

// Up to 32 activations of a line in a kernel's form: whole numbers of a step each, the largest 127.
enum { ACTIVATIONS = 32, COLUMNS_AT_ONCE = 64 };
struct eight_bits {
    int64_t count;
    real step;
    real whole[ACTIVATIONS];
    bool doubt[ACTIVATIONS]; // so near to halfway between two integers that either is right
};

static void quantise(const real *x, int64_t count, struct eight_bits *q) {
    const double steps_of_quotient = 2 * BOUND_DIVISION + 1; // x (127 / most), or x over most / 127
    real most = 0;
    for (int64_t i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    q->count = count;
    q->step = most / 127;
    for (int64_t i = 0; i < count; i++) {
        const real quotient = most > 0 ? x[i] * (127 / most) : 0;
        q->whole[i] = rint(quotient);
        if (!TRUTH) continue;
        const double from_middle = fabs(fabs((double)(quotient - q->whole[i])) - 0.5);
        q->doubt[i] = from_middle <= steps_of_quotient * 0x1p-23 * fabs((double)quotient);
    }
}

// Adds a block's share to `count` outputs. Their rows of weights begin at `weights` and are `k` apart.
struct eight_bit_sums {
    real sum[COLUMNS_AT_ONCE];
    double size[COLUMNS_AT_ONCE], doubt[COLUMNS_AT_ONCE];
};

static void add_block(
    const struct eight_bits *q, const real *weights, int64_t k, int64_t count, struct eight_bit_sums *sums) {
    for (int64_t j = 0; j < count; j++, weights += k) {
        real block = 0;
        for (int64_t i = 0; i < q->count; i++) {
            block += q->whole[i] * weights[i];
            if (!TRUTH) continue;
            const double step = fabs((double)(q->step * weights[i]));
            sums->size[j] += fabs((double)q->whole[i]) * step;
            sums->doubt[j] += q->doubt[i] ? step : 0;
        }
        sums->sum[j] += block * q->step;
    }
}

// Computes outputs [first, first + count) of one row of activations.
static void eight_bit_row(
    const struct call *c, const real *x, const real *weights, int64_t k, int64_t first, int64_t count) {
    const double bound = bound_dot_of(c, (k - 1) / ACTIVATIONS) + 2 * BOUND_DIVISION;
    // An output with a doubt has a bound for any order, because its error does not come from sums.
    const double any_order = bound_dot(k - 1, c->rte) + 2 * BOUND_DIVISION;
    for (int64_t at = 0; at < count; at += COLUMNS_AT_ONCE) {
        const int64_t some = count - at < COLUMNS_AT_ONCE ? count - at : COLUMNS_AT_ONCE;
        struct eight_bit_sums sums = {0};
        for (int64_t l = 0; l < k; l += ACTIVATIONS) {
            struct eight_bits q;
            quantise(x + l, k - l < ACTIVATIONS ? k - l : ACTIVATIONS, &q);
            add_block(&q, weights + at * k + l, k, some, &sums);
        }
        for (int64_t j = 0; j < some; j++)
            emit(c, first + at + j, sums.sum[j], sums.size[j],
                sums.doubt[j] > 0 ? any_order + ulps_of(sums.doubt[j], sums.size[j]) : bound);
    }
}

REFERENCE(q8_matvec, c) {
    const int64_t cols = c->dims[1];
    eight_bit_row(c, c->in[1], c->in[0] + c->first * cols, cols, c->first, c->count);
}

REFERENCE(q8_matmul_nt, c) {
    const int64_t n = c->dims[1], k = c->dims[2];
    for (int64_t i = c->first; i < c->first + c->count;) {
        const int64_t col = i % n, left = c->first + c->count - i, count = n - col < left ? n - col : left;
        eight_bit_row(c, c->in[0] + i / n * k, c->in[1] + col * k, k, i, count);
        i += count;
    }
}

COST(q8_matvec_flops, 2 * D(0) * D(1))
COST(q8_matmul_nt_flops, 2 * D(0) * D(1) * D(2))

// Finite only: 0 times a factor that is not finite depends on whether a block's integers are added first.
#define Q8_LINE(NAME, ...)                                                                                             \
    { NAME, ROLE_IN, .shape = {__VA_ARGS__}, .low = -0.25, .high = 1, .lines = LINES_FINITE }
#define Q8_WEIGHTS(NAME, ...)                                                                                          \
    { NAME, ROLE_IN, .weights = true, .shape = {__VA_ARGS__}, .low = -0.25, .high = 1, .lines = LINES_FINITE }
#define Q8_SOURCE "GGML, products of Q8_0 and Q4_0 blocks with activations in Q8_1"
#define Q8_CONVENTIONS(X)                                                                                              \
    X ", in blocks of 32 along its lines: q = " X " / d rounded to the nearest whole number, d = max |" X "| / 127; "  \
      "ties either way; d is not rounded to f16, as GGML does"
#define Q8_BOUND                                                                                                       \
    DOT_BOUND ", of blocks; two divisions for d; and a step of every activation that lies as near the middle of two "  \
              "whole numbers as its quotient may err"

OPERATOR(q8_matvec) = {
    NAMED(q8_matvec, "matrix"),
    .line_of = "q8_matmul_nt",
    .summary = "matrix times vector, the vector in 8 bits",
    .formula = "y[i] = sum over blocks of d sum over j of w[i, j] q[j]",
    .source = Q8_SOURCE,
    .conventions = Q8_CONVENTIONS("x"),
    .systems = "",
    .dims = {"rows", "cols"},
    .operands = {Q8_WEIGHTS("w", "rows", "cols"), Q8_LINE("x", "cols"), PRODUCT("y", "rows")},
    .flops = q8_matvec_flops,
    .bound = Q8_BOUND,
};

OPERATOR(q8_matmul_nt) = {
    NAMED(q8_matmul_nt, "matrix"),
    .summary = "matrix times transposed matrix, the left one in 8 bits",
    .formula = "c[i, j] = sum over blocks of d sum over l of q[i, l] b[j, l]",
    .source = Q8_SOURCE,
    .conventions = Q8_CONVENTIONS("a"),
    .systems = "",
    .dims = {"m", "n", "k"},
    .operands = {Q8_LINE("a", "m", "k"), Q8_WEIGHTS("b", "n", "k"), PRODUCT("c", "m", "n")},
    .flops = q8_matmul_nt_flops,
    .bound = Q8_BOUND,
};

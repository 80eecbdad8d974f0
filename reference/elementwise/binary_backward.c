// SPDX-License-Identifier: Apache-2.0
// Gradients of arithmetic between tensors of one shape: two results, da and db.
#include "../bounds.h"
#include "../reference.h"

enum { DY, A, B, DA, DB };       // operands of products and quotients
enum { SUM_DY, SUM_DA, SUM_DB }; // operands of sums and differences

REFERENCE(add_backward, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, c->in[SUM_DY][i], 0, 0);
}

REFERENCE(sub_backward, c) {
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->output == SUM_DA ? c->in[SUM_DY][i] : -c->in[SUM_DY][i], 0, 0);
}

REFERENCE(mul_backward, c) {
    const real *other = c->in[c->output == DA ? B : A];
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[DY][i] * other[i], 0, bound_basic(c->rte));
}

// Returns the bound of two divisions and a product, or of two products and a division, in any order. A kernel that
// uses b^2 may lose results if it is out of range. Subnormal intermediate results may be flushed.
static inline double quotient_bound(double dy, double a, double b, double value, bool rte) {
    const double open = bound_division(b * b), steps[] = {dy * a, a / b, dy / b, dy * a / b};
    bool flushed = false;
    for (int i = 0; i < 4; i++) flushed = flushed || (steps[i] != 0 && fabs(steps[i]) < 0x1p-126);
    if (isinf(open)) return open;
    return ulps_at(2 * BOUND_DIVISION + 2 * bound_basic(rte) + (flushed ? 0x1p23 : 0), value);
}

REFERENCE(div_backward, c) {
    const real *dy = c->in[DY], *a = c->in[A], *b = c->in[B];
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        if (c->output == DA) {
            emit(c, i, dy[i] / b[i], 0, bound_division((double)b[i]));
            continue;
        }
        const real db = -dy[i] * (a[i] / b[i]) / b[i];
        const double bound = quotient_bound((double)dy[i], (double)a[i], (double)b[i], (double)db, c->rte);
        emit(c, i, db, 0, TRUTH ? bound : 0);
    }
}

// clang-format off
#define GIVEN(NAME) {NAME, ROLE_IN, .shape = {"n"}, .specials = true}
#define RESULT(NAME, ...) {NAME, ROLE_OUT, .shape = {"n"}, __VA_ARGS__}
#define SIGNED .preserves = PRESERVES_SIGN
// clang-format on
#define ELEMENTWISE(NAME) NAMED(NAME, "backward"), .systems = "LT", .dims = {"n"}
#define SAME_SHAPE "a and b of one shape; broadcast_add_backward where they are not"

COST(two_each, 2 * D(0))
COST(five_each, 5 * D(0))

OPERATOR(add_backward) = {
    ELEMENTWISE(add_backward),
    .summary = "gradients of a sum: the gradient of the result, twice",
    .formula = "da = dy; db = dy",
    .source = "PyTorch, derivatives.yaml, add",
    .conventions = SAME_SHAPE,
    .operands = {GIVEN("dy"), RESULT("da", MOVED), RESULT("db", MOVED)},
    NOTHING_COMPUTED,
};

OPERATOR(sub_backward) = {
    ELEMENTWISE(sub_backward),
    .summary = "gradients of a difference: the gradient of the result, once with the other sign",
    .formula = "da = dy; db = -dy",
    .source = "PyTorch, derivatives.yaml, sub",
    .conventions = SAME_SHAPE,
    .operands = {GIVEN("dy"), RESULT("da", MOVED), RESULT("db", SIGNED)},
    .flops = flops_one_each,
    .bound = "exact: a sign bit",
};

OPERATOR(mul_backward) = {
    ELEMENTWISE(mul_backward),
    .summary = "gradients of an elementwise product",
    .formula = "da = dy * b; db = dy * a",
    .source = "PyTorch, derivatives.yaml, mul",
    .conventions = "a and b of one shape; broadcast_mul_backward where they are not",
    .operands = {GIVEN("dy"), GIVEN("a"), GIVEN("b"), RESULT("da", SIGNED), RESULT("db", SIGNED)},
    .flops = two_each,
    .bound = "one correctly rounded operation: 0.5 ULP with round-to-nearest-even declared, else 1",
};

OPERATOR(div_backward) = {
    ELEMENTWISE(div_backward),
    .summary = "gradients of an elementwise quotient",
    .formula = "da = dy / b; db = -dy a / b^2",
    .source = "PyTorch, derivatives.yaml, div",
    .conventions = "db as -dy (a / b) / b, so that b^2 need not be in range",
    .operands = {GIVEN("dy"), {"a", ROLE_IN, .shape = {"n"}}, GIVEN("b"), RESULT("da", SIGNED),
        RESULT("db", .preserves = PRESERVES_VALUE)},
    .flops = five_each,
    .bound = "da: 2.5 ULP (Vulkan, OpFDiv) for |b| in [2^-126, 2^126]; db: epsilons, two such divisions and two basic "
             "operations for b^2 in that range, none beyond; subnormal intermediate values may be flushed",
};

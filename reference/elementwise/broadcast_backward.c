// SPDX-License-Identifier: Apache-2.0
// Gradients of arithmetic by NumPy's rule: a repeated element receives the sum over its repetitions.
#include "../sums.h"
#include "../strided_view.h"

enum { A_DIMS = 0, B_DIMS = 4, Y_DIMS = 8 };
enum { ADD_DY, ADD_DA, ADD_DB };
enum { MUL_DY, MUL_A, MUL_B, MUL_DA, MUL_DB };

// Two walks over one tensor, the result or the other operand: over an operand's own elements, and over the
// repetitions of one.
struct broadcast_walk {
    struct strided_view own, repetitions;
};

static struct broadcast_walk walk_of(const int64_t *own, const int64_t *result, const int64_t *through) {
    struct broadcast_walk w = {{.base = 0}, {.base = 0}};
    for (int64_t i = 3, step = 1; i >= 0; i--) {
        w.own.size[i] = own[i];
        w.repetitions.size[i] = own[i] == 1 ? result[i] : 1;
        w.own.stride[i] = w.repetitions.stride[i] = through[i] == 1 ? 0 : step;
        step *= through[i];
    }
    return w;
}

// The terms of the sum: dy or -dy, or dy times or over the other operand. The last is -dy times the other over the
// square of the own operand.
enum term { TERM_DY, TERM_NEGATED, TERM_TIMES, TERM_OVER, TERM_QUOTIENT };

static inline real term_of(enum term kind, real dy, real other, real own) {
    switch (kind) {
    case TERM_DY:
        break;
    case TERM_NEGATED:
        return -dy;
    case TERM_TIMES:
        return dy * other;
    case TERM_OVER:
        return dy / other;
    case TERM_QUOTIENT:
        return -dy * (other / own) / own;
    }
    return dy;
}

// Returns the bound of a term, in epsilons. A sum of terms has at most twice as many ULP.
static inline double term_bound(enum term kind, bool rte) {
    if (kind == TERM_TIMES) return bound_basic(rte);
    if (kind == TERM_OVER) return BOUND_DIVISION;
    return kind == TERM_QUOTIENT ? 2 * BOUND_DIVISION + bound_basic(rte) : 0;
}

// Computes the gradient of b or of a. Sums and differences have no operands among their inputs.
static void sum_repetitions(const struct call *c, enum term kind, bool of_b) {
    const int64_t *own = c->dims + (of_b ? B_DIMS : A_DIMS), *other = c->dims + (of_b ? A_DIMS : B_DIMS);
    const int64_t *result = c->dims + Y_DIMS;
    const bool has_other = kind != TERM_DY && kind != TERM_NEGATED;
    const real *values = has_other ? c->in[of_b ? MUL_A : MUL_B] : NULL;
    const real *self = kind == TERM_QUOTIENT ? c->in[of_b ? MUL_B : MUL_A] : NULL;
    const struct broadcast_walk dy = walk_of(own, result, result), by = walk_of(own, result, other);
    int64_t count = 1;
    for (int i = 0; i < 4; i++) count *= dy.repetitions.size[i];
    const double each = term_bound(kind, c->rte), one = kind == TERM_QUOTIENT ? 2 * each : each;
    const double bound = count == 1 ? one : bound_sum_of(c, count - 1) + 2 * each;
    struct place at = view_place(&dy.own, c->first), at_by = view_place(&by.own, c->first);
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        struct place in = view_place(&dy.repetitions, 0), in_by = view_place(&by.repetitions, 0);
        real sum = 0;
        double magnitude = 0;
        for (int64_t j = 0; j < count; j++) {
            const real term = term_of(kind, c->in[0][at.offset + in.offset],
                values ? values[at_by.offset + in_by.offset] : 1, self ? self[i] : 1);
            sum += term;
            if (TRUTH) magnitude += (double)fabs(term);
            view_next(&dy.repetitions, &in);
            view_next(&by.repetitions, &in_by);
        }
        emit(c, i, sum, magnitude, bound);
        view_next(&dy.own, &at);
        view_next(&by.own, &at_by);
    }
}

REFERENCE(broadcast_add_backward, c) {
    sum_repetitions(c, TERM_DY, c->output == ADD_DB);
}

REFERENCE(broadcast_sub_backward, c) {
    const bool of_b = c->output == ADD_DB;
    sum_repetitions(c, of_b ? TERM_NEGATED : TERM_DY, of_b);
}

REFERENCE(broadcast_mul_backward, c) {
    sum_repetitions(c, TERM_TIMES, c->output == MUL_DB);
}

REFERENCE(broadcast_div_backward, c) {
    const bool of_b = c->output == MUL_DB;
    sum_repetitions(c, of_b ? TERM_QUOTIENT : TERM_OVER, of_b);
}

// Computes the dims of the result as in broadcast_add. For kernels that add up, it also computes each operand's
// elements and repetitions.
static bool count_elements(const int64_t *own, const int64_t *result, int64_t *counts) {
    counts[0] = counts[1] = 1;
    for (int i = 0; i < 4; i++) {
        const int64_t times = own[i] == 1 ? result[i] : 1;
        if (__builtin_mul_overflow(counts[0], own[i], &counts[0]) ||
            __builtin_mul_overflow(counts[1], times, &counts[1]))
            return false;
    }
    return true;
}

static const char *broadcast_backward_derive(int64_t *dims) {
    for (int i = 0; i < 4; i++) {
        const int64_t a = dims[A_DIMS + i], b = dims[B_DIMS + i];
        if (a != b && a != 1 && b != 1) return "sizes along a dim differ, and neither is 1";
        dims[Y_DIMS + i] = a > b ? a : b;
    }
    if (!count_elements(dims + A_DIMS, dims + Y_DIMS, dims + Y_DIMS + 4) ||
        !count_elements(dims + B_DIMS, dims + Y_DIMS, dims + Y_DIMS + 6))
        return "an operand's size overflows";
    return NULL;
}

COST(results, D(8) * D(9) * D(10) * D(11))

// An addition for each element of dy and operand.
COST(broadcast_add_backward_flops, 2 * results(dims))
COST(broadcast_sub_backward_flops, 2 * results(dims))
COST(broadcast_mul_backward_flops, 4 * results(dims))
COST(broadcast_div_backward_flops, 6 * results(dims))

// clang-format off
#define OF(NAME, PREFIX, ROLE)                                                                     \
    {NAME, ROLE, .shape = {PREFIX "0", PREFIX "1", PREFIX "2", PREFIX "3"},                        \
     .low = -0.25, .high = 1, .lines = LINES_SOME}
// clang-format on
#define BROADCAST_BACKWARD(NAME)                                                                                       \
    NAMED(NAME, "backward"), .systems = "CF LT", .dims = {"a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"},             \
                             .options = {BROADCAST_OPTIONS},                                                           \
                             .derived = {"y0", "y1", "y2", "y3", "size_a", "repeat_a", "size_b", "repeat_b"},          \
                             .derive = broadcast_backward_derive, .flops = NAME##_flops
#define SHAPES                                                                                                         \
    "shapes have four dims, outermost first; a dim of 1 was repeated and is summed over; any "                         \
    "order of summation"

OPERATOR(broadcast_add_backward) = {
    BROADCAST_BACKWARD(broadcast_add_backward),
    .summary = "gradients of a sum with repeated dims of 1 (reduction to a shape)",
    .formula = "da = sum of dy over the repeated dims of a; db alike",
    .source = "PyTorch, Tensor.sum_to_size and derivatives.yaml, add",
    .conventions = SHAPES,
    .operands = {OF("dy", "y", ROLE_IN), OF("da", "a", ROLE_OUT), OF("db", "b", ROLE_OUT)},
    .bound = "ULP at the sum of |dy|: as sum_rows, with as many terms as repetitions; exact where "
             "nothing was repeated",
};

OPERATOR(broadcast_mul_backward) = {
    BROADCAST_BACKWARD(broadcast_mul_backward),
    .summary = "gradients of a product with repeated dims of 1",
    .formula = "da = sum of dy * b over the repeated dims of a; db of dy * a alike",
    .source = "PyTorch, Tensor.sum_to_size and derivatives.yaml, mul",
    .conventions = SHAPES,
    .operands = {OF("dy", "y", ROLE_IN), OF("a", "a", ROLE_IN), OF("b", "b", ROLE_IN), OF("da", "a", ROLE_OUT),
        OF("db", "b", ROLE_OUT)},
    .bound = "ULP at the sum of |dy b|: the sum, with as many terms as repetitions, and two basic "
             "operations for the products, fused or not; one where nothing was repeated",
};

OPERATOR(broadcast_sub_backward) = {
    BROADCAST_BACKWARD(broadcast_sub_backward),
    .summary = "gradients of a difference with repeated dims of 1",
    .formula = "da = sum of dy over the repeated dims of a; db = -sum of dy over the repeated dims of b",
    .source = "PyTorch, Tensor.sum_to_size and derivatives.yaml, sub",
    .conventions = SHAPES,
    .operands = {OF("dy", "y", ROLE_IN), OF("da", "a", ROLE_OUT), OF("db", "b", ROLE_OUT)},
    .bound = "as broadcast_add_backward",
};

OPERATOR(broadcast_div_backward) = {
    BROADCAST_BACKWARD(broadcast_div_backward),
    .summary = "gradients of a quotient with repeated dims of 1",
    .formula = "da = sum of dy / b over the repeated dims of a; db = -sum of dy a / b^2 over the repeated dims of b",
    .source = "PyTorch, Tensor.sum_to_size and derivatives.yaml, div",
    .conventions = SHAPES,
    .operands = {OF("dy", "y", ROLE_IN), OF("a", "a", ROLE_IN),
        {"b", ROLE_IN, .shape = {"b0", "b1", "b2", "b3"}, .low = 0.5, .high = 2, .signs = true},
        OF("da", "a", ROLE_OUT), OF("db", "b", ROLE_OUT)},
    .bound =
        "ULP at the sum of the terms' sizes: the sum, with as many terms as repetitions, and twice a term's own: da "
        "2.5 of a division; db two of them and a product",
};

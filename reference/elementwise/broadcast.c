// SPDX-License-Identifier: Apache-2.0
// Arithmetic between tensors of different shapes, by NumPy's rule.
#include "../bounds.h"
#include "../strided_view.h"

enum { SIZE = 8, STRIDE_A = 12, STRIDE_B = 16 }; // positions among the dims

static struct strided_view operand_view(const int64_t *dims, int strides) {
    struct strided_view view = {.base = 0};
    for (int i = 0; i < 4; i++) {
        view.size[i] = dims[SIZE + i];
        view.stride[i] = dims[strides + i];
    }
    return view;
}

#define BROADCAST(NAME, OPERATOR, BOUND)                                                                               \
    REFERENCE(NAME, c) {                                                                                               \
        const struct strided_view a = operand_view(c->dims, STRIDE_A), b = operand_view(c->dims, STRIDE_B);            \
        struct place at_a = view_place(&a, c->first), at_b = view_place(&b, c->first);                                 \
        for (int64_t i = c->first; i < c->first + c->count; i++) {                                                     \
            emit(c, i, c->in[0][at_a.offset] OPERATOR c->in[1][at_b.offset], 0, BOUND);                                \
            view_next(&a, &at_a);                                                                                      \
            view_next(&b, &at_b);                                                                                      \
        }                                                                                                              \
    }

BROADCAST(broadcast_add, +, bound_basic(c->rte))
BROADCAST(broadcast_sub, -, bound_basic(c->rte))
BROADCAST(broadcast_mul, *, bound_basic(c->rte))
BROADCAST(broadcast_div, /, TRUTH ? bound_division((double)c->in[1][at_b.offset]) : 0)

// Computes strides; an operand with a single element along a dim does not move there, so its stride is 0.
static bool repeat(const int64_t *own, int64_t *stride) {
    bool fits = view_contiguous(own, stride);
    for (int i = 0; i < 4; i++)
        if (own[i] == 1) stride[i] = 0;
    return fits;
}

static const char *broadcast_derive(int64_t *dims) {
    for (int i = 0; i < 4; i++) {
        int64_t a = dims[i], b = dims[4 + i];
        if (a != b && a != 1 && b != 1) return "sizes along a dim differ, and neither is 1";
        dims[SIZE + i] = a > b ? a : b;
    }
    bool fits = repeat(dims, dims + STRIDE_A) && repeat(dims + 4, dims + STRIDE_B);
    return fits ? NULL : "an operand's size overflows";
}

COST(broadcast_flops, D(8) * D(9) * D(10) * D(11))

// clang-format off
#define TERM(NAME, ...) {#NAME, ROLE_IN, .shape = {__VA_ARGS__}, .lines = LINES_SOME}
#define DIVISOR .low = 0.25, .high = 2, .signs = true
// clang-format on

#define DESCRIBE(NAME, ...)                                                                                            \
    OPERATOR(NAME) = {NAMED(NAME, "elementwise"), .source = "NumPy user guide, Broadcasting",                          \
        .conventions = "both shapes have four dims, outermost first, and a dim of 1 repeats", .systems = "CF TF LT",   \
        .dims = {"a0", "a1", "a2", "a3", "b0", "b1", "b2", "b3"}, .options = {BROADCAST_OPTIONS},                      \
        .derived = {"y0", "y1", "y2", "y3", "sa0", "sa1", "sa2", "sa3", "sb0", "sb1", "sb2", "sb3"},                   \
        .derive = broadcast_derive, .flops = broadcast_flops, __VA_ARGS__};
#define TERMS(...)                                                                                                     \
    .operands = {TERM(a, "a0", "a1", "a2", "a3"),                                                                      \
        {"b", ROLE_IN, .shape = {"b0", "b1", "b2", "b3"}, .lines = LINES_SOME, __VA_ARGS__},                           \
        {"y", ROLE_OUT, .shape = {"y0", "y1", "y2", "y3"}, .preserves = PRESERVES_SIGN}}
#define ROUNDED_ONCE                                                                                                   \
    TERMS(), .bound = "one correctly rounded operation: 0.5 ULP with round-to-nearest-even declared, else 1"

DESCRIBE(broadcast_add, .summary = "sum of two tensors; dims of 1 are repeated",
    .formula = "y[i, j, k, l] = a[i, j, k, l] + b[i, j, k, l]", ROUNDED_ONCE)
DESCRIBE(broadcast_sub, .summary = "difference of two tensors; dims of 1 are repeated",
    .formula = "y[i, j, k, l] = a[i, j, k, l] - b[i, j, k, l]", ROUNDED_ONCE)
DESCRIBE(broadcast_mul, .summary = "product of two tensors; dims of 1 are repeated",
    .formula = "y[i, j, k, l] = a[i, j, k, l] * b[i, j, k, l]", ROUNDED_ONCE)
DESCRIBE(broadcast_div, .summary = "quotient of two tensors; dims of 1 are repeated",
    .formula = "y[i, j, k, l] = a[i, j, k, l] / b[i, j, k, l]", TERMS(DIVISOR),
    .bound = "2.5 ULP (Vulkan, OpFDiv) for |b| in [2^-126, 2^126], none beyond")

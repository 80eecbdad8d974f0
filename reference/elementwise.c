// SPDX-License-Identifier: Apache-2.0
// Arithmetic between tensors of one shape.
#include "bounds.h"
#include "reference.h"

#define BASIC_BOUND                                                                                \
    "one correctly rounded operation: 0.5 ULP with round-to-nearest-even declared, else 1"

static void add_reference(const struct call *c) {
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[0][i] + c->in[1][i], 0, bound_basic(c->rte));
}
REFERENCE(add_reference)

static void mul_reference(const struct call *c) {
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[0][i] * c->in[1][i], 0, bound_basic(c->rte));
}
REFERENCE(mul_reference)

// The specification bounds a division for divisors in [2^-126, 2^126] alone. Zeros, infinities and
// NaN give results that are judged by class, to which no bound applies.
static inline double division_bound(double divisor) {
    double size = fabs(divisor);
    bool unbounded = (size > 0 && size < 0x1p-126) || (size > 0x1p126 && size < INFINITY);
    return unbounded ? INFINITY : BOUND_DIVISION;
}

static void div_reference(const struct call *c) {
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[0][i] / c->in[1][i], 0, division_bound((double)c->in[1][i]));
}
REFERENCE(div_reference)

#if VKASSAY_TABLE
// clang-format off
#define BINARY_OPERANDS                                                                            \
    {{"a", ROLE_IN, .shape = {"n"}, .specials = true},                                             \
     {"b", ROLE_IN, .shape = {"n"}, .specials = true},                                             \
     {"y", ROLE_OUT, .shape = {"n"}}}
// clang-format on

const struct operator operator_add = {
    .name = "add",
    .family = "elementwise",
    .summary = "sum of two tensors of one shape",
    .formula = "y = a + b",
    .source = "IEEE 754-2019, 5.4.1",
    .seeds = "TL TS CF TF LT",
    .dims = {"n"},
    .operands = BINARY_OPERANDS,
    .flops = flops_one_each,
    .bound = BASIC_BOUND,
    REFERENCES(add_reference),
};

const struct operator operator_mul = {
    .name = "mul",
    .family = "elementwise",
    .summary = "product of two tensors of one shape, element by element",
    .formula = "y = a * b",
    .source = "IEEE 754-2019, 5.4.1",
    .seeds = "TL TS CF TF LT",
    .dims = {"n"},
    .operands = BINARY_OPERANDS,
    .flops = flops_one_each,
    .bound = BASIC_BOUND,
    REFERENCES(mul_reference),
};

const struct operator operator_div = {
    .name = "div",
    .family = "elementwise",
    .summary = "quotient of two tensors of one shape, element by element",
    .formula = "y = a / b",
    .source = "IEEE 754-2019, 5.4.1",
    .conventions = "1/0 = +inf, -1/0 = -inf, 0/0 = NaN, as IEEE 754",
    .seeds = "TL TS CF TF LT",
    .dims = {"n"},
    .operands = BINARY_OPERANDS,
    .flops = flops_one_each,
    .bound = "2.5 ULP (Vulkan, OpFDiv) for |b| in [2^-126, 2^126]; none beyond",
    REFERENCES(div_reference),
};
#endif

// SPDX-License-Identifier: Apache-2.0
// Unary mathematics and activations.
#include "bounds.h"
#include "reference.h"

static void relu_reference(const struct call *c) {
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, c->in[0][i] > 0 ? c->in[0][i] : 0, 0, 0);
}
REFERENCE(relu_reference)

#if VKASSAY_TABLE
const struct operator operator_relu = {
    .name = "relu",
    .family = "activation",
    .summary = "rectified linear unit",
    .formula = "y = x > 0 ? x : 0",
    .source = "V. Nair and G. Hinton, Rectified linear units improve restricted Boltzmann "
              "machines, ICML 2010",
    .conventions = "relu(NaN) = 0, as the comparison has it (PyTorch propagates NaN)",
    .seeds = "TS CF TF LT",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .specials = true}, {"y", ROLE_OUT, .shape = {"n"}}},
    .flops = flops_one_each,
    .bound = "exact: a selection",
    REFERENCES(relu_reference),
};
#endif

// The logistic function's error and, in the form x * sigmoid(x), a product.
static inline double silu_bound(double x, double y, bool rte) {
    return ulps_at(bound_logistic(x, rte) + bound_basic(rte), y);
}

static void silu_reference(const struct call *c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        real x = c->in[0][i], y = x / (1 + exp(-x));
        emit(c, i, y, 0, TRUTH ? silu_bound((double)x, (double)y, c->rte) : 0);
    }
}
REFERENCE(silu_reference)

#if VKASSAY_TABLE
static double silu_flops(const int64_t *dims) {
    return 3 * (double)dims[0]; // exp, add, divide
}

const struct operator operator_silu = {
    .name = "silu",
    .family = "activation",
    .summary = "sigmoid linear unit (swish with beta 1)",
    .formula = "y = x / (1 + exp(-x))",
    .source = "S. Elfwing, E. Uchibe and K. Doya, Sigmoid-weighted linear units, Neural Networks "
              "107 (2018)",
    .conventions = "silu(-inf) = NaN, as the formula and PyTorch have it",
    .seeds = "TL CF",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .low = -8, .high = 8, .specials = true},
        {"y", ROLE_OUT, .shape = {"n"}}},
    .flops = silu_flops,
    .bound = "epsilons: (3 + 2|x|) / (1 + exp(x)) of exp by its share of the divisor, 2.5 of the "
             "division, a basic operation each for the sum and a product; 1 relative where "
             "1 + exp(-x) is above 2^126",
    REFERENCES(silu_reference),
};
#endif

static void tanh_reference(const struct call *c) {
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        real x = c->in[0][i];
        emit(c, i, tanh(x), 1, TRUTH ? bound_tanh((double)x, c->rte) : 0);
    }
}
REFERENCE(tanh_reference)

#if VKASSAY_TABLE
const struct operator operator_tanh = {
    .name = "tanh",
    .family = "activation",
    .summary = "hyperbolic tangent",
    .formula = "y = tanh(x)",
    .source = "C17, 7.12.5.6",
    .conventions =
        "finite over the whole line: a kernel must not divide the infinite exp of a large |x| by "
        "itself. The error is absolute (ULP of 1), as that of the specification's own formula is "
        "near 0",
    .seeds = "TS CF TF",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .low = -4, .high = 4, .specials = true},
        {"y", ROLE_OUT, .shape = {"n"}}},
    .flops = flops_one_each,
    .bound = "ULP of 1, from (E - F) / (E + F) with E = exp(x), F = exp(-x): (3 + 2|x|) / "
             "cosh(x)^2, two basic operations and 2.5 of the division",
    REFERENCES(tanh_reference),
};
#endif

static void exp_reference(const struct call *c) {
    for (int64_t i = c->first; i < c->first + c->count; i++)
        emit(c, i, exp(c->in[0][i]), 0, bound_exp((double)c->in[0][i]));
}
REFERENCE(exp_reference)

#if VKASSAY_TABLE
const struct operator operator_exp = {
    .name = "exp",
    .family = "activation",
    .summary = "exponential",
    .formula = "y = exp(x)",
    .source = "C17, 7.12.6.1",
    .seeds = "TS CF TF",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .low = -10, .high = 10, .specials = true},
        {"y", ROLE_OUT, .shape = {"n"}}},
    .flops = flops_one_each,
    .bound = "3 + 2|x| ULP (Vulkan, GLSL.std.450 Exp)",
    REFERENCES(exp_reference),
};
#endif

static void gelu_tanh_reference(const struct call *c) {
    const real root = (real)0.79788456080286535588; // sqrt(2 / pi)
    for (int64_t i = c->first; i < c->first + c->count; i++) {
        real x = c->in[0][i], z = root * (x + (real)0.044715 * x * x * x), t = tanh(z);
        double magnitude = (double)((real)0.5 * fabs(x) * (1 + fabs(t)));
        emit(c, i, (real)0.5 * x * (1 + t), magnitude,
            TRUTH ? ulps_at(bound_gelu_tanh((double)z, c->rte), magnitude) : 0);
    }
}
REFERENCE(gelu_tanh_reference)

#if VKASSAY_TABLE
static double gelu_tanh_flops(const int64_t *dims) {
    return 9 * (double)dims[0]; // five for the argument, tanh, add, two products
}

const struct operator operator_gelu_tanh = {
    .name = "gelu_tanh",
    .family = "activation",
    .summary = "Gaussian error linear unit, tanh form",
    .formula = "y = 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))",
    .source = "D. Hendrycks and K. Gimpel, Gaussian error linear units, arXiv:1606.08415 (2016)",
    .conventions =
        "the tanh form (PyTorch approximate='tanh', GGML gelu), not erf and not the quick form; "
        "gelu(-inf) = NaN, as the formula and PyTorch have it",
    .seeds = "TS CF",
    .dims = {"n"},
    .operands = {{"x", ROLE_IN, .shape = {"n"}, .low = -8, .high = 8, .specials = true},
        {"y", ROLE_OUT, .shape = {"n"}}},
    .flops = gelu_tanh_flops,
    .bound =
        "epsilons at 0.5|x| (1 + |t|): of t = tanh(z), (3 + 2|z|) / cosh(z)^2 + 2.5 + two basic "
        "operations; seven roundings of z by z / cosh(z)^2; two basic operations for 1 + t, two "
        "for the products",
    REFERENCES(gelu_tanh_reference),
};
#endif

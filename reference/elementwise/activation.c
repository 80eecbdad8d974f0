// SPDX-License-Identifier: Apache-2.0
// The common unary functions of networks: relu, silu, tanh, exp, and gelu in its tanh form.
#include "maps.h"

#define FAMILY "activation"

UNARY(relu, 1, x > 0 ? x : 0, 0, .summary = "rectified linear unit", .formula = "y = x > 0 ? x : 0",
    .source = "V. Nair and G. Hinton, Rectified linear units improve restricted Boltzmann "
              "machines, ICML 2010",
    .conventions = "relu(NaN) = 0, as the comparison has it (PyTorch propagates NaN)", .systems = "TS CF TF LT",
    .operands = X_TO_Y(-1, 1), .bound = "exact: a selection")

// The bound is the logistic function's error and, in the form x * sigmoid(x), a product.
UNARY(silu, 3, x / (1 + exp(-x)), ulps_at(bound_logistic((double)x, c->rte) + bound_basic(c->rte), (double)y),
    .summary = "sigmoid linear unit (swish with beta 1)", .formula = "y = x / (1 + exp(-x))",
    .source = "S. Elfwing, E. Uchibe and K. Doya, Sigmoid-weighted linear units, Neural Networks "
              "107 (2018)",
    .conventions = "silu(-inf) = NaN, as the formula and PyTorch have it", .systems = "TL CF",
    .operands = X_TO_Y(-8, 8),
    .bound = "epsilons: (3 + 2|x|) / (1 + exp(x)) of exp by its share of the divisor, 2.5 of the "
             "division, a basic operation each for the sum and a product; 1 relative where "
             "1 + exp(-x) is above 2^126")

MAP(tanh, 1, INPUT_X, tanh(x), 1, bound_tanh((double)x, c->rte), .summary = "hyperbolic tangent",
    .formula = "y = tanh(x)", .source = "C17, 7.12.5.6",
    .conventions = "finite over the whole line: a kernel must not divide the infinite exp of a large |x| by "
                   "itself. The error is absolute (ULP of 1), as that of the specification's own formula is "
                   "near 0",
    .systems = "TS CF TF", .operands = X_TO_Y(-4, 4),
    .bound = "ULP of 1, from (E - F) / (E + F) with E = exp(x), F = exp(-x): (3 + 2|x|) / "
             "cosh(x)^2, two basic operations and 2.5 of the division")

UNARY(exp, 1, exp(x), bound_counted(bound_exp((double)x)), .summary = "exponential", .formula = "y = exp(x)",
    .source = "C17, 7.12.6.1", .systems = "TS CF TF", .operands = X_TO_Y(-10, 10),
    .bound = "3 + 2|x| ULP (Vulkan, GLSL.std.450 Exp), counted from the correctly rounded result")

// Five operations for the argument, tanh, a sum, two products.
#define GELU_Z ((real)0.79788456080286535588 * (x + (real)0.044715 * x * x * x)) // sqrt(2 / pi)
#define GELU_SIZE (0.5 * fabs((double)x) * (1 + fabs(tanh((double)GELU_Z))))

MAP(gelu_tanh, 9, INPUT_X, (real)0.5 * x * (1 + tanh(GELU_Z)), GELU_SIZE,
    ulps_at(bound_gelu_tanh((double)GELU_Z, c->rte), GELU_SIZE), .summary = "Gaussian error linear unit, tanh form",
    .formula = "y = 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))",
    .source = "D. Hendrycks and K. Gimpel, Gaussian error linear units, arXiv:1606.08415 (2016)",
    .conventions = "the tanh form (PyTorch approximate='tanh', GGML gelu), not erf and not the quick form; "
                   "gelu(-inf) = NaN, as the formula and PyTorch have it",
    .systems = "TS CF", .operands = X_TO_Y(-8, 8),
    .bound = "epsilons at 0.5|x| (1 + |t|): of t = tanh(z), (3 + 2|z|) / cosh(z)^2 + 2.5 + two basic "
             "operations; seven roundings of z by z / cosh(z)^2; two basic operations for 1 + t, two "
             "for the products")

// SPDX-License-Identifier: Apache-2.0
// Mathematical functions of one number.
#include "maps.h"

#define FAMILY "activation"
#define SEEDS "TS CF TF"

UNARY(neg, 1, -x, 0, .summary = "negation", .formula = "y = -x", .source = "IEEE 754-2019, 5.5.1", .systems = SEEDS,
    .operands = X_TO_SIGNED(-1, 1), .bound = "exact: a sign bit")

UNARY(abs, 1, fabs(x), 0, .summary = "absolute value", .formula = "y = |x|", .source = "IEEE 754-2019, 5.5.1",
    .systems = SEEDS, .operands = X_TO_SIGNED(-1, 1), .bound = "exact: a sign bit")

UNARY(sign, 1, (real)((x > 0) - (x < 0)), 0, .summary = "sign", .formula = "y = 1 where x > 0, -1 where x < 0, else 0",
    .source = "PyTorch, torch.sign", .conventions = "sign(NaN) = 0, as the comparisons have it", .systems = "CF",
    .operands = X_TO_Y(-1, 1), .bound = "exact: a selection")

UNARY(square, 1, (x * x), bound_basic(c->rte), .summary = "square", .formula = "y = x * x",
    .source = "PyTorch, torch.square", .systems = SEEDS, .operands = X_TO_SIGNED(-2, 2), .bound = BASIC_BOUND)

UNARY(reciprocal, 1, 1 / x, bound_division((double)x), .summary = "reciprocal", .formula = "y = 1 / x",
    .source = "IEEE 754-2019, 5.4.1", .conventions = "1/0 = +inf, 1/-0 = -inf, as IEEE 754", .systems = SEEDS,
    .operands = X_TO_SIGNED(-4, 4), .bound = "2.5 ULP (Vulkan, OpFDiv) for |x| in [2^-126, 2^126]; none beyond")

// The specification derives sqrt from 1 / inversesqrt; neither is defined below zero.
UNARY(sqrt, 1, sqrt(x), x < 0 ? INFINITY : ulps_at(BOUND_SQRT, (double)y), .summary = "square root",
    .formula = "y = sqrt(x)", .source = "IEEE 754-2019, 5.4.1", .systems = SEEDS, .operands = X_TO_Y(0, 4),
    .bound = "epsilons, as 1 / inversesqrt(x): 2 and 2.5 of the division (Vulkan, GLSL.std.450 "
             "Sqrt); none below 0")

UNARY(rsqrt, 1, 1 / sqrt(x), x <= 0 ? INFINITY : bound_counted(BOUND_INVERSESQRT), .summary = "reciprocal square root",
    .formula = "y = 1 / sqrt(x)", .source = "PyTorch, torch.rsqrt", .systems = SEEDS, .operands = X_TO_Y(0, 4),
    .bound = "2 ULP (Vulkan, GLSL.std.450 InverseSqrt), counted from the correctly rounded result; none for x <= 0")

UNARY(log, 1, log(x), bound_counted(bound_log((double)x, (double)y)), .summary = "natural logarithm",
    .formula = "y = log(x)", .source = "C17, 7.12.6.7", .systems = SEEDS, .operands = X_TO_Y(0, 8),
    .bound = "3 ULP outside [0.5, 2], an absolute 2^-21 inside (Vulkan, GLSL.std.450 Log), counted from the correctly "
             "rounded result; none for x <= 0, where GLSL.std.450 leaves it undefined")

#define CIRCLE_BOUND "an absolute 2^-11 in [-pi, pi] (Vulkan, GLSL.std.450 Sin and Cos); none beyond"
#define PI 3.14159265358979323846

// Returns whether x is out of range. NaN is not: it stays NaN.
static inline bool beyond_pi(double x) {
    return fabs(x) > PI;
}

UNARY(sin, 1, sin(x), beyond_pi((double)x) ? INFINITY : ulps_of(0x1p-11, (double)y), .summary = "sine",
    .formula = "y = sin(x)", .source = "C17, 7.12.4.6", .systems = SEEDS, .operands = X_TO_Y(-3.14159, 3.14159),
    .bound = CIRCLE_BOUND)

UNARY(cos, 1, cos(x), beyond_pi((double)x) ? INFINITY : ulps_of(0x1p-11, (double)y), .summary = "cosine",
    .formula = "y = cos(x)", .source = "C17, 7.12.4.5", .systems = SEEDS, .operands = X_TO_Y(-3.14159, 3.14159),
    .bound = CIRCLE_BOUND)

// From 1/16, well above flushed numbers, to the size from which every f16 is whole.
#define X_TO_WHOLE                                                                                                     \
    {                                                                                                                  \
        {"x", ROLE_IN, .shape = {"n"}, .fill = FILL_SPREAD, .low = 0x1p-4, .high = 2048, .signs = true,                \
            .specials = true},                                                                                         \
            RESULT_PRESERVES(PRESERVES_SIGN)                                                                           \
    }

UNARY(floor, 1, floor(x), 0, .summary = "largest whole number not above x", .formula = "y = floor(x)",
    .source = "C17, 7.12.9.2", .systems = "CF", .operands = X_TO_WHOLE,
    .bound = "exact: the result is a number of the type")

UNARY(ceil, 1, ceil(x), 0, .summary = "least whole number not below x", .formula = "y = ceil(x)",
    .source = "C17, 7.12.9.1", .systems = "CF", .operands = X_TO_WHOLE,
    .bound = "exact: the result is a number of the type")

UNARY(round, 1, rint(x), 0, .summary = "nearest whole number", .formula = "y = nearest whole number to x",
    .source = "IEEE 754-2019, 5.9, roundToIntegralTiesToEven",
    .conventions = "ties go to even, as PyTorch and NumPy have it (C's round goes away from zero)", .systems = "CF",
    .operands = X_TO_WHOLE, .bound = "exact: the result is a number of the type")

UNARY(erf, 1, erf(x), ulps_of(bound_erf((double)x, c->rte) * 0x1p-23, (double)y), .summary = "error function",
    .formula = "y = 2 / sqrt(pi) times the integral of exp(-t^2) to x", .source = "C17, 7.12.8.1",
    .conventions = "the error is absolute, as that of 1 - erfc(|x|) is near 0", .systems = "CF",
    .operands = X_TO_Y(-4, 4),
    .bound = "ULP of 1: 1.5e-7 of the approximation (Abramowitz and Stegun, 7.1.26), erfc(|x|) times "
             "3 + 2x^2 of exp, x^2 basic operations of its argument, 2.5 of a division and four "
             "basic operations; one for the difference")

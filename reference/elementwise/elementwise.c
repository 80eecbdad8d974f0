// SPDX-License-Identifier: Apache-2.0
// Arithmetic between tensors of one shape, and between a tensor and scalars.
#include "maps.h"

#define FAMILY "elementwise"
#define ALL_SEEDS "TL TS CF TF LT"
#define LARGEST_F32 0x1.fffffep127

// Returns the bound of x^y = exp2(y log2 x). The logarithm errs by 3 epsilon outside [0.5, 2] and by an absolute
// 2^-21 inside. The exponent errs by y times this error, and a rounding. An absolute error becomes ln 2 times as much
// relative error in exp2. Its own error of 3 + 2|exponent| is added. There is no bound if the exponent may be off by
// more than half. Nor is there one if the exponent is NaN but the power is not (1^inf).
static inline double pow_bound(double x, double y, double value, bool rte) {
    if (x < 0 || (x == 0 && y <= 0)) return INFINITY; // undefined in GLSL.std.450
    double exponent = y * log2(x);
    if (isnan(exponent)) return isnan(value) ? 0 : INFINITY;
    if (isinf(exponent)) return 3;
    double log_error = x >= 0.5 && x <= 2 ? 0x1p-21 : 3 * 0x1p-23 * fabs(log2(x));
    double error = fabs(y) * log_error + bound_basic(rte) * 0x1p-23 * fabs(exponent);
    if (error * M_LN2 > 0.5) return INFINITY;
    return ulps_at(bound_exp(exponent) + error * M_LN2 * 0x1p23, value);
}

// Returns whether a product overflows by itself. It is then an infinity if it is rounded before the sum.
static inline bool overflows(double size) {
    return isfinite(size) && size > LARGEST_F32;
}

// Returns the bound of a b + c at |ab| + |c|, fused or with two roundings. A product that overflows by itself may
// meet an infinity as another infinity. A subnormal product may be flushed.
static inline double fma_bound(double product, double c, bool rte) {
    double size = fabs(product);
    if (isinf(c) && overflows(size)) return INFINITY;
    double flushed = size < 0x1p-126 ? ulps_of(size, size + fabs(c)) : 0;
    return 2 * bound_basic(rte) + flushed;
}

// Returns the bound of sqrt(s) for s = a b + c within two basic operations at |ab| + |c|. A root halves the relative
// error. The result is left open if the sum cancels to less than a quarter, or if a part of it may overflow or be
// flushed.
static inline double root_of_sum_bound(double product, double c, double y, bool rte) {
    double sum = product + c, magnitude = fabs(product) + fabs(c);
    if (isnan(sum)) return 0;
    bool vanishes = sum > 0 && sum < 0x1p-125;
    if (sum < magnitude / 4 || overflows(magnitude) || overflows(fabs(product)) || vanishes) return INFINITY;
    double lost = sum > 0 && isfinite(sum) ? bound_basic(rte) * magnitude / sum : 0;
    return ulps_at(lost + BOUND_SQRT, y);
}

BINARY(add, 1, a + b, bound_basic(c->rte), .summary = "sum of two tensors of one shape", .formula = "y = a + b",
    .source = "IEEE 754-2019, 5.4.1", .systems = ALL_SEEDS, .operands = A_B_TO_SIGNED(-1, 1), .bound = BASIC_BOUND)

BINARY(sub, 1, a - b, bound_basic(c->rte), .summary = "difference of two tensors of one shape", .formula = "y = a - b",
    .source = "IEEE 754-2019, 5.4.1", .systems = ALL_SEEDS, .operands = A_B_TO_SIGNED(-1, 1), .bound = BASIC_BOUND)

BINARY(mul, 1, (a * b), bound_basic(c->rte), .summary = "product of two tensors of one shape, element by element",
    .formula = "y = a * b", .source = "IEEE 754-2019, 5.4.1", .systems = ALL_SEEDS, .operands = A_B_TO_SIGNED(-1, 1),
    .bound = BASIC_BOUND)

BINARY(div, 1, a / b, bound_division((double)b), .summary = "quotient of two tensors of one shape, element by element",
    .formula = "y = a / b", .source = "IEEE 754-2019, 5.4.1",
    .conventions = "1/0 = +inf, -1/0 = -inf, 0/0 = NaN, as IEEE 754", .systems = ALL_SEEDS,
    .operands = A_B_TO_SIGNED(-1, 1), .bound = "2.5 ULP (Vulkan, OpFDiv) for |b| in [2^-126, 2^126]; none beyond")

#define NUMBER_WINS "a number wins over NaN, and the two zeros are interchangeable, as fmin and fmax"

BINARY(minimum, 1, fmin(a, b), 0, .summary = "the smaller of two elements", .formula = "y = b < a ? b : a",
    .source = "IEEE 754-2019, 9.6, minimumNumber", .conventions = NUMBER_WINS, .systems = "TS CF TF",
    .operands = A_B_TO_Y(-1, 1), .bound = "exact: a selection")

BINARY(maximum, 1, fmax(a, b), 0, .summary = "the larger of two elements", .formula = "y = a < b ? b : a",
    .source = "IEEE 754-2019, 9.6, maximumNumber", .conventions = NUMBER_WINS, .systems = "TS CF TF",
    .operands = A_B_TO_Y(-1, 1), .bound = "exact: a selection")

BINARY(pow, 1, pow(a, b), pow_bound((double)a, (double)b, (double)y, c->rte), .summary = "power of positive bases",
    .formula = "y = a^b", .source = "C17, 7.12.7.4",
    .conventions = "as exp2(b log2 a): negative bases are not defined (C and PyTorch take whole "
                   "exponents)",
    .systems = "TS CF TF",
    .operands = {{"a", ROLE_IN, .shape = {"n"}, .fill = FILL_SPREAD, .low = 0.1, .high = 10, .specials = true},
        SPECIAL(b, -4, 4), RESULT_Y},
    .bound = "epsilons: 3 + 2|e| of exp2 with e = b log2 a; ln 2 times the error of e, that is |b| "
             "times "
             "the logarithm's (3 epsilon, or 2^-21 for a in [0.5, 2]) and a basic operation; none for "
             "a < 0 and 0^b with b <= 0")

#define A_B_C_TO_Y(LOW)                                                                                                \
    { SPECIAL(a, LOW, 1), SPECIAL(b, LOW, 1), SPECIAL(c, LOW, 1), RESULT_Y }

#define PRODUCT ((double)a * (double)b)

MAP(fma, 2, INPUTS_A_B_C, (a * b + c_), fabs(PRODUCT) + fabs((double)c_), fma_bound(PRODUCT, (double)c_, c->rte),
    .summary = "product and sum", .formula = "y = a * b + c", .source = "GLSL 4.60, 8.3, fma",
    .conventions = "one rounding or two: either is right", .systems = "TS", .operands = A_B_C_TO_Y(-1),
    .bound = "ULP at |ab| + |c|: two basic operations")

MAP(mul_add_sqrt, 3, INPUTS_A_B_C, sqrt((a * b) + c_), 0, root_of_sum_bound(PRODUCT, (double)c_, (double)y, c->rte),
    .summary = "root of a product and a sum: measures the gain of fusing three kernels",
    .formula = "y = sqrt(a * b + c)", .source = "the tensor_frame fusion example", .systems = "TF",
    .operands = A_B_C_TO_Y(0),
    .bound = "epsilons: two basic operations at |ab| + |c| over ab + c, halved by the root, and 4.5 of "
             "the root; none where ab + c is negative or cancels to under a quarter")

UNARY(scale, 1, P(0) * x, bound_basic(c->rte), .summary = "product with a scalar", .formula = "y = scale * x",
    .source = "BLAS, xSCAL", .systems = "LT CF TS", .operands = X_TO_SIGNED(-1, 1),
    .params = {{"scale", .standard = 0.3125, TELLING(0, -2.7, 70001, 1e-6)}}, .bound = BASIC_BOUND)

MAP(affine, 2, INPUT_X, P(0) * x + P(1), fabs((double)P(0) * (double)x) + fabs(c->params[1]),
    fma_bound(c->params[0] * (double)x, c->params[1], c->rte), .summary = "product with a scalar and sum with another",
    .formula = "y = m * x + a", .source = "Candle, Tensor::affine",
    .conventions = "one rounding or two: either is right", .systems = "LT CF TS", .operands = X_TO_Y(-1, 1),
    .params = {{"m", .standard = 0.3125, TELLING(0, -2.7, 70001, 1e-6)},
        {"a", .standard = -0.6875, TELLING(0, 2.7, 70001, 1e-6)}},
    .bound = "ULP at |mx| + |a|: two basic operations")

UNARY(add_scalar, 1, x + P(0), bound_basic(c->rte), .summary = "sum with a scalar", .formula = "y = x + s",
    .source = "PyTorch, torch.add", .systems = "LT CF TS", .operands = X_TO_SIGNED(-1, 1),
    .params = {{"s", .standard = 0.6875, TELLING(0, -2.7, 70001, 1e-6)}}, .bound = BASIC_BOUND)

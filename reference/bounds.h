// SPDX-License-Identifier: Apache-2.0
// The largest distance of a right kernel from the truth.
//
// The bounds of single operations are those of the Vulkan specification, appendix "Vulkan Environment for SPIR-V",
// section "Precision and Operation of SPIR-V Instructions", in ULP of the result. Bounds of whole operators are built
// from them to first order, in one of two units:
//
//   `ULP`      Of the arithmetic's type at the output's magnitude: the unit a reference emits.
//   `epsilon`  One ULP of 1, as a relative error. Relative errors of factors add. Any k ULP of a number are at
//              most k epsilon of it, whatever its leading bits. Function ulps_at() converts back.
#ifndef VKASSAY_REFERENCE_BOUNDS_H
#define VKASSAY_REFERENCE_BOUNDS_H

#include "dtype.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// Returns the bound of x + y, x - y or x * y. They are correctly rounded; the direction is free unless
// round-to-nearest-even is declared.
static inline double bound_basic(bool rte) {
    return rte ? 0.5 : 1;
}

// The bounds of x / y for |y| in [2^-126, 2^126] (single precision), of inversesqrt(x), and of sqrt(x) as 1 /
// inversesqrt(x).
#define BOUND_DIVISION 2.5
#define BOUND_INVERSESQRT 2.0
#define BOUND_SQRT (BOUND_INVERSESQRT + BOUND_DIVISION)

// Returns the bound of a division. The specification gives no bound for divisors beyond that range. Zeros, infinities
// and NaN give results judged by class, without a bound.
static inline double bound_division(double divisor) {
    double size = fabs(divisor);
    bool unbounded = (size > 0 && size < 0x1p-126) || (size > 0x1p126 && size < INFINITY);
    return unbounded ? INFINITY : BOUND_DIVISION;
}

// Returns the bound of exp(x): 3 + 2|x| ULP. Beyond 1000 the result is 0 or infinity in every type, and the bound
// only needs to be finite.
static inline double bound_exp(double x) {
    return 3 + 2 * fmin(fabs(x), 1000);
}

// Returns the bound of a single instruction of the extended set, from the truth. Vendors count ULP from the correctly
// rounded result (NVIDIA, CUDA C++ Programming Guide, "Mathematical Functions"), which is up to half an ULP away.
// Drivers use it: llvmpipe's exp(-0.048281811) is 3.37 ULP from the truth, and log(0.388331294) of an H200 3.11.
static inline double bound_counted(double ulps) {
    return ulps + 0.5;
}

// Converts a relative error of `epsilons` at the value `at` to ULP. With at = m * 2^e and m in [0.5, 1), an epsilon
// of it is 2m ULP, in any binary type. Below the smallest normal number an ULP is worth more, so the result is never
// too strict.
static inline double ulps_at(double epsilons, double at) {
    int exponent;
    if (at == 0 || !isfinite(at)) return epsilons;
    return epsilons * 2 * frexp(fabs(at), &exponent);
}

// Returns whether `value` times `by` is an infinity or NaN, depending on the error of `value` (in epsilons of 1). A
// kernel may have 0 for the value, because less than the smallest normal number may be flushed. Or it may have
// something else for 0.
static inline bool is_infinite_or_nan(double value, double error, double by) {
    const double size = fabs(value);
    if (!isinf(by) || isinf(value)) return false;
    return size < 0x1p-126 ? size > 0 || error > 0 : size <= error * 0x1p-23;
}

// Converts an absolute error in a result of about `at` to ULP of single precision. Absolute errors are stated for
// single precision. They mean a wider bound for results near zero.
static inline double ulps_of(double error, double at) {
    return isnan(at) ? 0 : error / dtype_ulp(DTYPE_F32, at);
}

// Returns the bound of log(x), a result of about `y`: 3 ULP outside [0.5, 2], an absolute 2^-21 inside. GLSL.std.450
// defines no logarithm of numbers that are not positive.
static inline double bound_log(double x, double y) {
    if (x <= 0) return INFINITY;
    return x >= 0.5 && x <= 2 ? ulps_of(0x1p-21, y) : 3;
}

// Returns the bound of a sum with `depth` additions on the longest path, in ULP at the sum of the absolute terms.
//
// No partial sum exceeds the sum M of the absolute terms. So each addition errs by at most 0.5 ULP at M, or by 1 ULP
// if the direction of rounding is free. The worst case is depth / 2 (or depth) ULP.
//
// When rounding to nearest, the errors are close to independent with mean zero. By Hoeffding's inequality their sum
// exceeds lambda sqrt(depth) / 2 only with a probability of 2 exp(-lambda^2 / 2): N. J. Higham and T. Mary, "A new
// approach to probabilistic rounding error analysis", SIAM J. Sci. Comput. 41 (2019). With lambda = 6 this is 3e-8
// for any distribution. It is 2 exp(-3 lambda^2 / 2) = 7e-24 for uniform errors, and those of random data are nearly
// uniform.
//
// The mean is zero only while an addend spans many units of the partial sum. An addend spread over w units leaves a
// bias of up to 0.5 / w ULP. Near the end of a long serial sum of 24-bit numbers, w is 2^23 / depth. This gives the
// second term. It takes the bound back to the worst case once the sum stagnates.
#define BOUND_LAMBDA 6.0
static inline double bound_sum(int64_t depth, bool rte) {
    double d = (double)depth;
    if (!rte) return d;
    return fmin(d / 2, BOUND_LAMBDA * sqrt(d) / 2 + d * d * 0x1p-24);
}

// Returns the bound of a sum of `terms` numbers in a range of `spread` times their size; 0: not known.
//
// An addend of the last additions is itself a sum of terms / depth terms. It spans 2^23 spread / sqrt(terms depth)
// units of the sum. If these are few, all addends are rounded alike and only the worst case holds. An even spread
// over w units has a mean error of at most 1 / (8 w). Over 4 units, the mean error of a serial sum is half of lambda
// sqrt(depth) / 2.
static inline double bound_close_sum(int64_t depth, int64_t terms, double spread, bool rte) {
    const double worst = (double)depth / (rte ? 2 : 1), units = spread * 0x1p23 / sqrt((double)terms * (double)depth);
    return spread > 0 && units < 4 ? worst : bound_sum(depth, rte);
}

// Returns the bound of a product of factors by `count` multiplications, in epsilons. Each adds its own relative
// error, whatever their order and depth. The bias above does not occur, because a factor spans as many units as the
// product.
static inline double bound_product(int64_t count, bool rte) {
    double n = (double)count;
    return rte ? fmin(n / 2, BOUND_LAMBDA * sqrt(n) / 2) : n;
}

// Returns the rounding of the products themselves in a sum of products, in ULP at the sum M of their absolute values.
// It is at most `basic` epsilon of M, less than twice as many ULP. A fused multiply-add has one rounding less; both
// are legal.
static inline double bound_products(bool rte) {
    return 2 * bound_basic(rte);
}

// Returns the bound of a sum of products, in ULP at M.
static inline double bound_dot(int64_t depth, bool rte) {
    return bound_sum(depth, rte) + bound_products(rte);
}

// Returns the bound of 1 / (1 + exp(-x)), in epsilon. The exponential's error counts by its share e / (1 + e) of the
// divisor; then follow an addition and a division. If 1 + e is above 2^126, the specification gives no bound for the
// division. The result must then be no further from the truth than 0 is: 2^23 epsilons are 1, and the truth is below
// 2^-126.
static inline double bound_logistic(double x, bool rte) {
    double share = 1 / (1 + exp(x));
    double units = bound_exp(x) * share + bound_basic(rte) + BOUND_DIVISION;
    return exp(-x) > 0x1p126 ? units + 0x1p23 : units;
}

// Returns the bound of erf(x), in ULP at 1. The kernel may use 1 - erfc(|x|), with erfc as exp(-x^2) times a fraction
// of polynomials. The approximation error is 1.5e-7: M. Abramowitz and I. Stegun, Handbook of mathematical functions
// (1964), 7.1.26, the least exact in common use. In proportion to erfc come exp, its argument's rounding, a division
// and four basic operations. Then comes the difference.
static inline double bound_erf(double x, bool rte) {
    double square = fmin(x * x, 1000), basic = bound_basic(rte);
    double share = bound_exp(square) + square * basic + BOUND_DIVISION + 4 * basic;
    return 1.5e-7 * 0x1p23 + erfc(fabs(x)) * share + basic;
}

// Returns the bound of tanh(x), in ULP at 1: an absolute error. The specification derives tanh from sinh / cosh. This
// is (E - F) / (E + F) with E = exp(x) and F = exp(-x), each within (3 + 2|x|) epsilon. By the derivative of the
// quotient these errors become (3 + 2|x|) / cosh(x)^2. The difference and the sum of E and F round, and the division
// adds 2.5. All are relative to a result of at most 1.
//
// The forms 1 - 2 / (exp(2x) + 1) and 2 / (1 + exp(-2x)) - 1 err by a logistic function of up to 2|x|, twice, and by
// the difference. The larger one of both bounds holds.
static inline double bound_tanh(double x, bool rte) {
    double size = fmin(fabs(x), 300); // beyond, the first term vanishes and cosh may overflow
    double by_quotient = bound_exp(size) / (cosh(size) * cosh(size)) + 2 * bound_basic(rte) + BOUND_DIVISION;
    double by_logistic = 2 / (1 + exp(-2 * size)) * bound_logistic(2 * size, rte) + bound_basic(rte);
    return fmax(by_quotient, by_logistic);
}

// Returns the bound of the logistic function as (1 + tanh(x / 2)) / 2, in ULP at 1: half of the error of tanh, and a
// sum. Halves are exact.
static inline double bound_logistic_by_tanh(double x, bool rte) {
    return bound_tanh(x / 2, rte) / 2 + bound_basic(rte);
}

// Returns the bound of a gate x (1 + t) / 2 with t within `inner` ULP of 1. The unit is epsilon at |x| (1 + |t|) / 2,
// because the gate cancels for negative x. The sum 1 + t and two products add their errors.
static inline double bound_gelu(double inner, double t, bool rte) {
    return (inner + 2 * bound_basic(rte)) / (1 + fabs(t)) + 2 * bound_basic(rte);
}

// Returns the same for t = tanh(z), z = sqrt(2/pi) (x + 0.044715 x^3). There are seven roundings in z: three
// products, a sum, a product, two constants. The share of each in t is z / cosh(z)^2.
static inline double bound_gelu_tanh(double z, bool rte) {
    double size = fmin(fabs(z), 300), c = cosh(size);
    return bound_gelu(bound_tanh(z, rte) + 7 * bound_basic(rte) * size / (c * c), tanh(z), rte);
}

#endif

// SPDX-License-Identifier: Apache-2.0
// How far a right kernel may be from the truth.
//
// The bounds of single operations are those of the Vulkan specification, appendix "Vulkan
// Environment for SPIR-V", section "Precision and Operation of SPIR-V Instructions", in ULP of the
// result. Bounds of whole operators are built from them to first order, in one of two units:
//
//   ULP      of the arithmetic's type at the output's magnitude: what a reference emits;
//   epsilon  one ULP of 1, as a relative error. k ULP of a number are at most k epsilon of it,
//            whatever its leading bits; ulps_at() goes back. Relative errors of factors add.
#ifndef VKASSAY_REFERENCE_BOUNDS_H
#define VKASSAY_REFERENCE_BOUNDS_H

#include "dtype.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

// x + y, x - y, x * y are correctly rounded, in a direction that is free unless
// round-to-nearest-even is declared.
static inline double bound_basic(bool rte) {
    return rte ? 0.5 : 1;
}

// x / y: 2.5 ULP for |y| in [2^-126, 2^126] (single precision). inversesqrt(x): 2 ULP. sqrt(x): as
// 1 / inversesqrt(x).
#define BOUND_DIVISION 2.5
#define BOUND_INVERSESQRT 2.0
#define BOUND_SQRT (BOUND_INVERSESQRT + BOUND_DIVISION)

// Beyond those divisors the specification bounds nothing. Zeros, infinities and NaN give results
// that are judged by class, to which no bound applies.
static inline double bound_division(double divisor) {
    double size = fabs(divisor);
    bool unbounded = (size > 0 && size < 0x1p-126) || (size > 0x1p126 && size < INFINITY);
    return unbounded ? INFINITY : BOUND_DIVISION;
}

// exp(x): 3 + 2|x| ULP. Beyond 1000 the result is 0 or infinity in every type, and a bound is only
// to be finite.
static inline double bound_exp(double x) {
    return 3 + 2 * fmin(fabs(x), 1000);
}

// A relative error of `epsilons` at the value `at`, in ULP. With at = m * 2^e and m in [0.5, 1), an
// epsilon of it is 2m ULP, in any binary type. Below the smallest normal number an ULP is worth
// more, so the result is never too strict.
static inline double ulps_at(double epsilons, double at) {
    int exponent;
    if (at == 0 || !isfinite(at)) return epsilons;
    return epsilons * 2 * frexp(fabs(at), &exponent);
}

// A number with this error in epsilons of 1, times an infinity, is an infinity or NaN: a kernel may have 0 for the one,
// as less than the smallest normal number may be flushed, or something else for 0.
static inline bool is_infinite_or_nan(double value, double error, double by) {
    const double size = fabs(value);
    if (!isinf(by)) return false;
    return size < 0x1p-126 ? size > 0 || error > 0 : size <= error * 0x1p-23;
}

// An absolute error in a result of about `at`, in ULP of single precision there: absolute errors
// are stated for single precision, and a wider bound for results near zero is what they mean.
static inline double ulps_of(double error, double at) {
    return isnan(at) ? 0 : error / dtype_ulp(DTYPE_F32, at);
}

// log(x), of about `y`: 3 ULP outside [0.5, 2], an absolute 2^-21 inside. What is not positive has
// no logarithm that GLSL.std.450 defines.
static inline double bound_log(double x, double y) {
    if (x <= 0) return INFINITY;
    return x >= 0.5 && x <= 2 ? ulps_of(0x1p-21, y) : 3;
}

// A sum with `depth` additions on the longest path to it, in ULP at the sum of the absolute terms.
//
// No partial sum exceeds the sum M of the absolute terms, so each addition errs by at most 0.5 ULP
// at M (1 when the direction of rounding is free): depth / 2 (or depth) ULP in the worst case.
//
// To nearest, the errors are close to independent with mean zero, and then their sum stays within
// lambda sqrt(depth) / 2 but for a probability of 2 exp(-lambda^2 / 2), by Hoeffding's inequality:
// N. J. Higham and T. Mary, "A new approach to probabilistic rounding error analysis", SIAM J. Sci.
// Comput. 41 (2019). With lambda = 6 that is 3e-8 whatever their distribution, and
// 2 exp(-3 lambda^2 / 2) = 7e-24 when they are uniform, as those of random data nearly are.
//
// The mean is zero only while an addend spans many units of the partial sum it joins: an addend
// spread over w units leaves a bias of up to 0.5 / w ULP. Near the end of a long serial sum of
// 24-bit numbers w is 2^23 / depth, hence the second term, which takes the bound back to the worst
// case where the sum stagnates.
#define BOUND_LAMBDA 6.0
static inline double bound_sum(int64_t depth, bool rte) {
    double d = (double)depth;
    if (!rte) return d;
    return fmin(d / 2, BOUND_LAMBDA * sqrt(d) / 2 + d * d * 0x1p-24);
}

// The same of `terms` that lie closer together than they are large: within `spread` of their size; 0: nothing is said.
//
// An addend of the last additions is a sum of terms / depth of them, and so spans 2^23 spread / sqrt(terms depth) units
// of the sum it joins. Once that is few, all of them are rounded alike and nothing but the worst case holds. Of an even
// spread over w units the mean is at most 1 / (8 w): over 4 units that of a serial sum is half of lambda sqrt(depth)
// / 2.
static inline double bound_close_sum(int64_t depth, int64_t terms, double spread, bool rte) {
    const double worst = (double)depth / (rte ? 2 : 1), units = spread * 0x1p23 / sqrt((double)terms * (double)depth);
    return spread > 0 && units < 4 ? worst : bound_sum(depth, rte);
}

// A product of factors by `count` multiplications, in epsilons: each adds its own relative error,
// whatever their order and however deep their tree. The bias above has no place here: a factor
// spans as many units as the product it joins.
static inline double bound_product(int64_t count, bool rte) {
    double n = (double)count;
    return rte ? fmin(n / 2, BOUND_LAMBDA * sqrt(n) / 2) : n;
}

// What the own roundings of products come to in a sum of them, in ULP at the sum M of their absolute
// values: at most `basic` epsilon of M, which is less than twice as many ULP. A fused multiply-add has
// one rounding less: both are legal.
static inline double bound_products(bool rte) {
    return 2 * bound_basic(rte);
}

// A sum of products, in ULP at M.
static inline double bound_dot(int64_t depth, bool rte) {
    return bound_sum(depth, rte) + bound_products(rte);
}

// 1 / (1 + exp(-x)), in epsilon: the exponential's error counts by its share e / (1 + e) of the
// divisor, then an addition and a division. Once 1 + e is above 2^126 the specification bounds no
// division; what is asked there is a result no further from the truth than 0 is, as 2^23 epsilons
// are 1 (and the truth is below 2^-126).
static inline double bound_logistic(double x, bool rte) {
    double share = 1 / (1 + exp(x));
    double units = bound_exp(x) * share + bound_basic(rte) + BOUND_DIVISION;
    return exp(-x) > 0x1p126 ? units + 0x1p23 : units;
}

// erf(x), in ULP at 1, of a kernel that takes it as 1 - erfc(|x|) and erfc as exp(-x^2) by a
// fraction of polynomials. Approximation: 1.5e-7, what M. Abramowitz and I. Stegun, Handbook of
// mathematical functions (1964), 7.1.26 states of theirs, the least exact in common use. In
// proportion to erfc: exp, its argument's own rounding, a division and four basic operations. Then
// the difference.
static inline double bound_erf(double x, bool rte) {
    double square = fmin(x * x, 1000), basic = bound_basic(rte);
    double share = bound_exp(square) + square * basic + BOUND_DIVISION + 4 * basic;
    return 1.5e-7 * 0x1p23 + erfc(fabs(x)) * share + basic;
}

// tanh(x), in ULP at 1: an absolute error. The specification derives tanh from sinh / cosh, that is
// (E - F) / (E + F) with E = exp(x) and F = exp(-x), each within (3 + 2|x|) epsilon. By the
// derivative of the quotient these come to (3 + 2|x|) / cosh(x)^2. The difference and the sum of E
// and F round, then 2.5 for the division, all of them relative to a result of at most 1.
// The form 1 - 2 / (exp(2|x|) + 1) stays within the same bound.
static inline double bound_tanh(double x, bool rte) {
    double size = fmin(fabs(x), 300); // beyond, the first term is nothing and cosh may overflow
    return bound_exp(size) / (cosh(size) * cosh(size)) + 2 * bound_basic(rte) + BOUND_DIVISION;
}

// A gate x (1 + t) / 2 whose t is within `inner` ULP of 1, in epsilon at |x| (1 + |t|) / 2, as it
// cancels for negative x: the sum 1 + t and two products add theirs.
static inline double bound_gelu(double inner, double t, bool rte) {
    return (inner + 2 * bound_basic(rte)) / (1 + fabs(t)) + 2 * bound_basic(rte);
}

// The same for t = tanh(z), z = sqrt(2/pi) (x + 0.044715 x^3): z has seven roundings (three
// products, a sum, a product, two constants), of which z / cosh(z)^2 reaches t.
static inline double bound_gelu_tanh(double z, bool rte) {
    double size = fmin(fabs(z), 300), c = cosh(size);
    return bound_gelu(bound_tanh(z, rte) + 7 * bound_basic(rte) * size / (c * c), tanh(z), rte);
}

#endif

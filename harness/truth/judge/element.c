// SPDX-License-Identifier: Apache-2.0
#include "element.h"

#include <math.h>

// Compares the classes of the expected and the actual value before any arithmetic. An infinity of the wrong sign is
// as wrong as NaN.
enum want { WANT_NAN, WANT_INFINITE, WANT_OVERFLOW, WANT_FINITE, WANT_COUNT };
enum got { GOT_NAN, GOT_OTHER_INFINITY, GOT_SAME_INFINITY, GOT_FINITE, GOT_COUNT };
enum rule {
    RIGHT,    // equal
    GATED,    // wrong if NaN and Inf are honoured, otherwise excluded
    BROKEN,   // wrong, unless a partial result may overflow
    CROSSED,  // as GATED, unless a partial result may overflow to the other side
    MET,      // as GATED, unless the finite terms may overflow and meet an infinity of the other sign
    MEASURED, // by the distance in ULP
    ROUNDED,  // infinity for a finite value: judged as the number following the largest
    SATURATED // a finite number for an overflow: the largest is right, others are measured
};
static const enum rule rules[WANT_COUNT][GOT_COUNT] = {
    [WANT_NAN] = {RIGHT, GATED, GATED, GATED},
    [WANT_INFINITE] = {MET, GATED, RIGHT, GATED},
    [WANT_OVERFLOW] = {CROSSED, CROSSED, RIGHT, SATURATED},
    [WANT_FINITE] = {BROKEN, BROKEN, ROUNDED, MEASURED},
};

struct tolerance tolerance_make(const struct judge_input *input) {
    const enum dtype dtype = input->dtype, arithmetic = input->arithmetic;
    const struct dtype_info *out = dtype_info(dtype), *in = dtype_info(arithmetic);
    struct policy policy = input->policy;
    policy.denorms |= input->moved;
    if (!in->is_float) in = out;
    bool low = in->largest < out->largest; // f16 arithmetic stored as f32 overflows at the limit of f16
    int exponent = in->least_exponent > out->least_exponent ? in->least_exponent : out->least_exponent;
    double largest = low ? in->largest : out->largest;
    return (struct tolerance){
        .dtype = dtype,
        .arithmetic = arithmetic,
        .policy = policy,
        .exact = !out->is_float,
        .correct = out->is_float && policy.rte && in->significand >= out->significand,
        .narrowed = out->is_float && policy.narrows && in->significand > out->significand,
        .signs = input->signs && out->is_float && policy.specials,
        .widened = in->significand < out->significand,
        .largest = largest,
        .next = largest + dtype_ulp(low ? arithmetic : dtype, largest),
        .least_normal = ldexp(1, exponent),
        .partial_largest = in->largest,
    };
}

double judge_bound(enum dtype output, enum dtype arithmetic, bool nearest, double bound) {
    const struct dtype_info *out = dtype_info(output), *in = dtype_info(arithmetic);
    if (bound == 0 || output == arithmetic || !out->is_float || !in->is_float) return bound;
    double scaled = ldexp(bound, out->significand - in->significand);
    if (out->significand >= in->significand) return scaled;
    return scaled + (nearest ? 0.5 : 1);
}

static enum want want_of(const struct tolerance *tolerance, double want) {
    if (isnan(want)) return WANT_NAN;
    if (isinf(want)) return WANT_INFINITE;
    // Nearest-even rounds to infinity from halfway between the largest number and the next one.
    bool overflows = !tolerance->exact && fabs(want) >= tolerance->largest / 2 + tolerance->next / 2;
    return overflows ? WANT_OVERFLOW : WANT_FINITE;
}

static enum got got_of(double got, double want) {
    if (isnan(got)) return GOT_NAN;
    if (isinf(got)) return signbit(got) == signbit(want) ? GOT_SAME_INFINITY : GOT_OTHER_INFINITY;
    return GOT_FINITE;
}

// Returns the bound in ULP of the output. The ULP of narrower arithmetic has a higher floor than that of the output.
// So near zero their ratio is greater than the significands suggest.
static double bound_at(const struct tolerance *tolerance, double bound, double scale, double ulp) {
    if (tolerance->exact) return 0;
    const bool even = tolerance->policy.rte || tolerance->policy.narrows;
    if (!tolerance->widened) return judge_bound(tolerance->dtype, tolerance->arithmetic, even, bound);
    return bound * (dtype_ulp(tolerance->arithmetic, scale) / ulp);
}

static struct element_verdict right(double bound) {
    return (struct element_verdict){.passed = true, .bound = bound};
}

static struct element_verdict excluded(void) {
    return (struct element_verdict){.excluded = true};
}

static struct element_verdict wrong(double bound) {
    return (struct element_verdict){.error = INFINITY, .bound = bound};
}

static struct element_verdict measured(
    const struct tolerance *tolerance, const struct element *element, double got, double ulp, double bound) {
    // If the direction of rounding is free, -0 is accepted for +0: a sum that cancels gives -0 when rounding downwards.
    const bool counts = tolerance->signs && (signbit(element->want) || tolerance->policy.rte);
    if (counts && got == 0 && element->want == 0 && !signbit(got) != !signbit(element->want)) return wrong(bound);
    double error = fabs(got - element->want) / ulp;
    bool may_flush = !tolerance->exact && !tolerance->policy.denorms;
    if (may_flush && got == 0 && fabs(element->want) - bound * ulp < tolerance->least_normal) return right(bound);
    return (struct element_verdict){.passed = error <= bound, .error = error, .bound = bound};
}

// Returns whether the arithmetic gives the wanted value itself in any direction of rounding, and the shader rounds it.
static bool is_narrowed_exactly(const struct tolerance *tolerance, const struct element *element) {
    const double basic = tolerance->policy.rte ? 0.5 : 1; // bound_basic() in reference/bounds.h
    return tolerance->narrowed && element->bound == basic &&
           dtype_round(tolerance->arithmetic, element->want) == element->want;
}

// Returns whether only one value is right: the nearest to the result of a single operation.
static bool is_one_right(const struct tolerance *tolerance, const struct element *element) {
    return (tolerance->correct && element->bound == 0.5) || is_narrowed_exactly(tolerance, element);
}

// Returns whether the input, the policy or the specification leaves the output open.
static bool is_open(const struct policy *policy, double bound, uint8_t touched) {
    return (isinf(bound) && bound > 0) || ((touched & 1) && !policy->specials) || ((touched & 2) && !policy->denorms);
}

double judge_allowed(const struct judge_input *input, double want, double magnitude, double bound, uint8_t touched) {
    const struct tolerance tolerance = tolerance_make(input);
    const struct policy *policy = &tolerance.policy;
    const enum want wanted = want_of(&tolerance, want);
    const double size = wanted == WANT_NAN ? 0 : fabs(want), scale = magnitude > size ? magnitude : size;
    if (is_open(policy, bound, touched) || wanted == WANT_OVERFLOW) return INFINITY;
    if (wanted == WANT_INFINITE && isfinite(magnitude) && magnitude > tolerance.partial_largest) return INFINITY;
    if (wanted != WANT_FINITE) return policy->specials ? 0 : INFINITY;
    if (!tolerance.exact && scale > tolerance.partial_largest) return INFINITY;
    const double ulp = tolerance.exact ? 1 : dtype_ulp(tolerance.dtype, scale);
    const double allowed = bound_at(&tolerance, bound, scale, ulp) * ulp;
    const bool may_flush = !tolerance.exact && !policy->denorms && size - allowed < tolerance.least_normal;
    return may_flush ? fmax(allowed, size) : allowed;
}

struct element_verdict element_judge(const struct tolerance *tolerance, const struct element *element) {
    const struct policy *policy = &tolerance->policy;
    if (is_open(policy, element->bound, element->touched)) return excluded();

    double want = element->want, got = element->got;
    enum want wanted = want_of(tolerance, want);
    double size = wanted == WANT_NAN ? 0 : fabs(want);
    double scale = element->magnitude > size ? element->magnitude : size;
    double ulp = tolerance->exact ? 1 : dtype_ulp(tolerance->dtype, scale);
    double bound = bound_at(tolerance, element->bound, scale, ulp);
    switch (rules[wanted][got_of(got, want)]) {
    case RIGHT:
        return right(bound);
    case GATED:
        return policy->specials ? wrong(bound) : excluded();
    case CROSSED: // the sum of the terms of the other sign: (sum of absolute terms - |sum|) / 2
        if ((scale - size) / 2 > tolerance->partial_largest) return excluded();
        return policy->specials ? wrong(bound) : excluded();
    case MET:
        if (isfinite(element->magnitude) && element->magnitude > tolerance->partial_largest) return excluded();
        return policy->specials ? wrong(bound) : excluded();
    case BROKEN:
        break;
    case MEASURED: {
        struct element_verdict verdict = measured(tolerance, element, got, ulp, bound);
        if (verdict.error > 0 && is_one_right(tolerance, element)) // a flushed value has no error
            verdict.passed &= got == dtype_round(tolerance->dtype, dtype_round(tolerance->arithmetic, want));
        return verdict;
    }
    case ROUNDED: {
        struct element_verdict verdict = measured(tolerance, element, copysign(tolerance->next, want), ulp, bound);
        if (verdict.passed) return verdict;
        break;
    }
    case SATURATED:
        if (fabs(got) >= tolerance->largest && signbit(got) == signbit(want)) return right(bound);
        return measured(tolerance, element, got, ulp, bound);
    }
    // Terms may be added in any order. If their absolute sum is out of range, some order overflows on the way.
    return !tolerance->exact && scale > tolerance->partial_largest ? excluded() : wrong(bound);
}

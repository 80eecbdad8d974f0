// SPDX-License-Identifier: Apache-2.0
// The header for a family's source. It is compiled twice, with VKASSAY_REAL 64 and 32; the table's entries are those
// of the double pass:
//
//    REFERENCE(relu, c) {
//        for (int64_t i = c->first; i < c->first + c->count; i++)
//            emit(c, i, c->in[0][i] > 0 ? c->in[0][i] : 0, 0, 0);
//    }
//
//    OPERATOR(relu) = {NAMED(relu, "activation"), .summary = ...};
//
// Constants with a fraction are written (real)0.5, so the float pass computes only in float.
#ifndef VKASSAY_REFERENCE_REFERENCE_H
#define VKASSAY_REFERENCE_REFERENCE_H

#include "operator.h"

#include <float.h>
#include <tgmath.h>

// REFERENCE begins a function of the call C. The double pass sees both forms of it, so it declares the float one. The
// float pass needs an operator's description only because of its functions, and the compiler drops it.
#if VKASSAY_REAL == 32
typedef float real;
#define call call_f32
#define REFERENCE(NAME, C)                                                                                             \
    void NAME##_reference_f32(const struct call_f32 *C);                                                               \
    void NAME##_reference_f32(const struct call_f32 *C)
#define REFERENCES(NAME) .f32 = NAME##_reference_f32
#define OPERATOR(NAME) static const struct op operator_##NAME __attribute__((unused))
#else
typedef double real;
#define call call_f64
#define REFERENCE(NAME, C)                                                                                             \
    void NAME##_reference_f32(const struct call_f32 *C);                                                               \
    static void NAME##_reference_f64(const struct call_f64 *C)
#define REFERENCES(NAME) .f64 = NAME##_reference_f64, .f32 = NAME##_reference_f32
#define OPERATOR(NAME) const struct op operator_##NAME
#endif
#define NAMED(NAME, FAMILY_NAME) .name = #NAME, .family = FAMILY_NAME, REFERENCES(NAME)

// Guards computations of the double pass (magnitudes, bounds). The float pass is timed and must not do them.
enum { TRUTH = VKASSAY_REAL == 64 };

// Returns a bound that is not NaN. Infinities and NaN among the inputs can make it NaN. If the value is not finite,
// it is judged by class and needs no bound. A finite value from terms that are not finite is left open.
static inline double settled_bound(double value, double bound) {
    return !isnan(bound) ? bound : isfinite(value) ? INFINITY : 0;
}

// Returns the part of a term in a magnitude. An infinite or NaN term adds nothing. So the magnitude shows if the sum
// of the other terms may overflow.
static inline double size_of(real term) {
    const double size = fabs((double)term);
    return size <= DBL_MAX ? size : 0;
}

// Writes output element `i`. A magnitude of 0 means |value|.
static inline void emit(const struct call *c, int64_t i, real value, double magnitude, double bound) {
    c->out[i - c->first] = value;
    if (!TRUTH) return;
    if (c->magnitude) c->magnitude[i - c->first] = fmax(magnitude, size_of(value));
    if (c->bound) c->bound[i - c->first] = settled_bound((double)value, bound);
}

static inline double flops_none(const int64_t *dims) {
    (void)dims;
    return 0;
}
// Operands whose numbers are only moved.
#define MOVED .preserves = PRESERVES_BITS
#define EXACT_COPY "exact: nothing is computed"
#define NOTHING_COMPUTED .flops = flops_none, .bound = EXACT_COPY

// Defines an operator's cost (flops or bytes) as an expression of its dims as numbers: D(0), D(1), ...
#define D(INDEX) ((double)dims[INDEX])
#define COST(NAME, VALUE)                                                                                              \
    static inline double NAME(const int64_t *dims) {                                                                   \
        return VALUE;                                                                                                  \
    }
COST(flops_one_each, D(0)) // one for each of the n elements in the first dim

#endif

// SPDX-License-Identifier: Apache-2.0
// What a family's source includes. It is compiled twice, with VKASSAY_REAL 64 and 32; the table's
// entries are those of the double pass:
//
//     REFERENCE(relu, c) {
//         for (int64_t i = c->first; i < c->first + c->count; i++)
//             emit(c, i, c->in[0][i] > 0 ? c->in[0][i] : 0, 0, 0);
//     }
//
//     OPERATOR(relu) = {NAMED(relu, "activation"), .summary = ...};
//
// Constants with a fraction are written (real)0.5, so that the float pass computes in float
// throughout.
#ifndef VKASSAY_REFERENCE_REFERENCE_H
#define VKASSAY_REFERENCE_REFERENCE_H

#include "operator.h"

#include <float.h>
#include <tgmath.h>

// REFERENCE begins a function of the call C. The double pass sees both forms of it, so it declares the
// float one; the float pass has an operator's description for its functions' sake alone, and the
// compiler drops it.
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

// Guards what the double pass alone computes (magnitudes, bounds); the float pass is timed and must
// not carry it.
enum { TRUTH = VKASSAY_REAL == 64 };

// Infinities and NaN among the inputs leave a NaN of a bound: where the value is one of them it is judged by class, to
// which no bound applies; a number whose terms are not all numbers is left open.
static inline double settled_bound(double value, double bound) {
    return !isnan(bound) ? bound : isfinite(value) ? INFINITY : 0;
}

// What a term adds to a magnitude: one that is infinite or NaN nothing, so that it tells whether the sum of the others
// may overflow beside it.
static inline double size_of(real term) {
    const double size = fabs((double)term);
    return size <= DBL_MAX ? size : 0;
}

// Writes output element `i`. A magnitude of 0 stands for |value|.
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
// Operands whose numbers are moved and nothing else.
#define MOVED .keeps = KEEPS_BITS
#define EXACT_COPY "exact: nothing is computed"
#define NOTHING_COMPUTED .flops = flops_none, .bound = EXACT_COPY

// What an operator costs (its flops or bytes), by its dims as numbers: D(0), D(1), ...
#define D(INDEX) ((double)dims[INDEX])
#define COST(NAME, VALUE)                                                                                              \
    static inline double NAME(const int64_t *dims) {                                                                   \
        return VALUE;                                                                                                  \
    }
COST(flops_one_each, D(0)) // for each of the n elements that the first dim counts

#endif

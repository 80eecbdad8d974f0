// SPDX-License-Identifier: Apache-2.0
// What a family's source includes. It is compiled twice, with VKASSAY_REAL 64 and 32; the table
// entries are compiled once, with the double pass:
//
//     static void relu_reference(const struct call *c) {
//         for (int64_t i = c->first; i < c->first + c->count; i++)
//             emit(c, i, c->in[0][i] > 0 ? c->in[0][i] : 0, 0, 0);
//     }
//     REFERENCE(relu_reference)
//
//     #if VKASSAY_TABLE
//     const struct op operator_relu = {.name = "relu", ..., REFERENCES(relu_reference)};
//     #endif
//
// Constants with a fraction are written (real)0.5, so that the float pass computes in float
// throughout.
#ifndef VKASSAY_REFERENCE_REFERENCE_H
#define VKASSAY_REFERENCE_REFERENCE_H

#include "operator.h"

#include <tgmath.h>

// The table's pass sees both forms of a function, so it declares the float one; each form is a
// plain call that the compiler makes disappear.
#if VKASSAY_REAL == 32
typedef float real;
#define call call_f32
#define VKASSAY_TABLE 0
#define REFERENCE(function)                                                                                            \
    void function##_f32(const struct call_f32 *c);                                                                     \
    void function##_f32(const struct call_f32 *c) {                                                                    \
        function(c);                                                                                                   \
    }
#else
typedef double real;
#define call call_f64
#define VKASSAY_TABLE 1
#define REFERENCE(function)                                                                                            \
    void function##_f32(const struct call_f32 *c);                                                                     \
    static void function##_f64(const struct call_f64 *c) {                                                             \
        function(c);                                                                                                   \
    }
#define REFERENCES(function) .f64 = function##_f64, .f32 = function##_f32
#endif

// Guards what the double pass alone computes (magnitudes, bounds); the float pass is timed and must
// not carry it.
enum { TRUTH = VKASSAY_TABLE };

// Writes output element `i`. A magnitude of 0 stands for |value|.
static inline void emit(const struct call *c, int64_t i, real value, double magnitude, double bound) {
    c->out[i - c->first] = value;
    if (!TRUTH) return;
    if (c->magnitude) c->magnitude[i - c->first] = fmax(magnitude, fabs((double)value));
    if (c->bound) c->bound[i - c->first] = bound;
}

// Additions on the longest path to one output: what the kernel states, or those of a serial sum.
static inline int64_t depth_of(const struct call *c, int64_t serial) {
    return c->depth > 0 ? c->depth : serial;
}

#if VKASSAY_TABLE
// Costs that many operators share: operations for each of the n elements that the first dim counts.
static inline double flops_none(const int64_t *dims) {
    (void)dims;
    return 0;
}
static inline double flops_one_each(const int64_t *dims) {
    return (double)dims[0];
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// What a family's source includes. It is compiled twice, with VKASSAY_REAL 64 and 32; the table entries are
// compiled once, with the double pass:
//
//     static real relu(real x) ...
//     static void relu_reference(const struct call *c) {
//         for (int64_t i = c->first; i < c->first + c->count; i++) emit(c, i, relu(c->in[0][i]), 0, 0);
//     }
//     REFERENCE(relu_reference)
//
//     #if VKASSAY_TABLE
//     const struct operator operator_relu = {.name = "relu", ..., REFERENCES(relu_reference)};
//     #endif
#ifndef VKASSAY_REFERENCE_REFERENCE_H
#define VKASSAY_REFERENCE_REFERENCE_H

#include "operator.h"

#include <tgmath.h>

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

// Writes output element `i`. The float pass is timed and keeps the value alone.
static inline void emit(const struct call *c, int64_t i, real value, real magnitude, double bound) {
    c->out[i - c->first] = value;
#if VKASSAY_REAL == 32
    (void)magnitude;
    (void)bound;
#else
    if (c->magnitude) c->magnitude[i - c->first] = magnitude;
    if (c->bound) c->bound[i - c->first] = bound;
#endif
}

#endif

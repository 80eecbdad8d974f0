// SPDX-License-Identifier: Apache-2.0
// Operators that compute each output from the inputs at the same position, in a few lines each:
//
//    UNARY(square, 1, x * x, bound_basic(c->rte), .summary = ..., .operands = X_TO_Y(-1, 1), ...)
//
// The arguments are the name, the number of operations per element, the value, its bound, and the rest of the
// description. Value and bound are expressions of x (of a and b; of a, b and c_), the parameters P(0), P(1), ... and
// the call. The bound may also use the value y. MAP has an argument for the magnitude, too. A file that includes this
// header defines FAMILY.
#ifndef VKASSAY_REFERENCE_MAPS_H
#define VKASSAY_REFERENCE_MAPS_H

#include "../bounds.h"
#include "../reference.h"

#define P(index) ((real)c->params[index])

#define MAP(NAME, OPERATIONS, INPUTS, VALUE, MAGNITUDE, BOUND, ...)                                                    \
    REFERENCE(NAME, c) {                                                                                               \
        for (int64_t i = c->first; i < c->first + c->count; i++) {                                                     \
            const real INPUTS, y = (VALUE);                                                                            \
            emit(c, i, y, TRUTH ? (double)(MAGNITUDE) : 0, TRUTH ? (double)(BOUND) : 0);                               \
        }                                                                                                              \
    }                                                                                                                  \
    COST(NAME##_flops, (OPERATIONS)*D(0))                                                                              \
    OPERATOR(NAME) = {NAMED(NAME, FAMILY), .dims = {"n"}, .flops = NAME##_flops, __VA_ARGS__};

#define INPUT_X x = c->in[0][i]
#define INPUTS_A_B a = c->in[0][i], b = c->in[1][i]
#define INPUTS_A_B_C a = c->in[0][i], b = c->in[1][i], c_ = c->in[2][i]

#define UNARY(NAME, OPERATIONS, VALUE, BOUND, ...) MAP(NAME, OPERATIONS, INPUT_X, VALUE, 0, BOUND, __VA_ARGS__)
#define BINARY(NAME, OPERATIONS, VALUE, BOUND, ...) MAP(NAME, OPERATIONS, INPUTS_A_B, VALUE, 0, BOUND, __VA_ARGS__)

// Operands filled uniformly in [LOW, HIGH), with special values first.
#define SPECIAL(NAME, LOW, HIGH)                                                                                       \
    { #NAME, ROLE_IN, .shape = {"n" }, .low = LOW, .high = HIGH, .specials = true }
#define RESULT_PRESERVES(KIND)                                                                                         \
    { "y", ROLE_OUT, .shape = {"n"}, .preserves = KIND }
#define RESULT_Y RESULT_PRESERVES(PRESERVES_VALUE)
#define X_TO_Y(LOW, HIGH)                                                                                              \
    { SPECIAL(x, LOW, HIGH), RESULT_Y }
#define A_B_TO_Y(LOW, HIGH)                                                                                            \
    { SPECIAL(a, LOW, HIGH), SPECIAL(b, LOW, HIGH), RESULT_Y }
// Operands of a single operation that gives each zero its sign.
#define X_TO_SIGNED(LOW, HIGH)                                                                                         \
    { SPECIAL(x, LOW, HIGH), RESULT_PRESERVES(PRESERVES_SIGN) }
#define A_B_TO_SIGNED(LOW, HIGH)                                                                                       \
    { SPECIAL(a, LOW, HIGH), SPECIAL(b, LOW, HIGH), RESULT_PRESERVES(PRESERVES_SIGN) }

#define BASIC_BOUND "one correctly rounded operation: 0.5 ULP with round-to-nearest-even declared, else 1"

#endif

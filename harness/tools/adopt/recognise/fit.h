// SPDX-License-Identifier: Apache-2.0
// An operator laid over a recorded dispatch, and whether the recorded outputs are its own.
#ifndef VKASSAY_RECOGNISE_FIT_H
#define VKASSAY_RECOGNISE_FIT_H

#include "seen.h"

struct fit {
    const struct op *op;
    enum dtype dtype;                    // of the case
    enum dtype types[OPERATOR_OPERANDS]; // an operand in another type than the operator states; otherwise DTYPE_CASE
    int8_t buffer[OPERATOR_OPERANDS];    // of each operand; -1: an input that is missing, `fixed` everywhere
    double fixed[OPERATOR_OPERANDS];
    int64_t dims[2 * OPERATOR_DIMS]; // given and derived
    double params[OPERATOR_PARAMS];
};

// Judged outputs. They are evidence as far as they differ by more than their bounds.
// `judged` is the number of all outputs with a bound, less those without.
enum { EVIDENCE_VALUES = 1024 };
struct evidence {
    struct evidence_value {
        double got, tolerance;
    } values[EVIDENCE_VALUES];
    int count;
    int64_t judged;
};

// Returns the type of an operand's elements in its buffer.
enum dtype fit_dtype(const struct fit *fit, int operand);
// Computes the elements of an operand by the fit's dims.
int64_t fit_elements(const struct fit *fit, int operand);
// Returns the given dims as "rows=7,cols=33", in the arena.
const char *fit_dims(struct arena *arena, const struct fit *fit);

// Returns whether the outputs are within the operator's bounds: first a few, then all within a few seconds.
// `evidence` receives some of them.
bool fit_holds(struct seen *seen, const struct fit *fit, struct evidence *evidence);

// Returns how many values differ from the most frequent one by more than their bounds.
int evidence_apart(struct evidence *evidence);

// Returns NULL if two fits of a dispatch are one function at its dims: with other inputs the outputs are the same.
// Otherwise returns the difference as a text in the arena.
const char *fit_difference(struct arena *arena, struct seen *seen, const struct fit *a, const struct fit *b);

#endif

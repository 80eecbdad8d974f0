// SPDX-License-Identifier: Apache-2.0
// The verdict on one element. This header is private to harness/truth/judge.
#ifndef VKASSAY_JUDGE_ELEMENT_H
#define VKASSAY_JUDGE_ELEMENT_H

#include "judge.h"

#include <string.h>

// Returns the floor of the binary logarithm of |value|, finite and not 0, from its bits. Calls of the C library would
// dominate the time of judging. A subnormal double counts as 2^-1023.
static inline int double_exponent(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

// Tolerance shared by all elements of one judge_input.
struct tolerance {
    enum dtype dtype, arithmetic;
    struct policy policy;
    bool exact;    // integers
    bool signs;    // as in judge_input
    bool correct;  // a bound of 0.5 means one operation, correctly rounded to nearest even
    bool narrowed; // the shader itself rounds results of the arithmetic to the output
    bool widened;  // the arithmetic is narrower than the output
    double largest,
        next;               // largest finite value of a result, and the number following it
    double least_normal;    // a smaller result may be flushed
    double partial_largest; // a larger partial result overflows in the arithmetic
};
struct tolerance tolerance_make(const struct judge_input *input);

struct element {
    double want, got, magnitude, bound; // bound in ULP of the arithmetic's type
    uint8_t touched;                    // as in judge_input
};

struct element_verdict {
    bool excluded, passed;
    double error; // ULP of the output; infinite for a mismatch of class
    double bound; // ULP of the output
};
struct element_verdict element_judge(const struct tolerance *tolerance, const struct element *element);

#endif

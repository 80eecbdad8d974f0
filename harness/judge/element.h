// SPDX-License-Identifier: Apache-2.0
// The verdict on one element. Private to harness/judge.
#ifndef VKASSAY_JUDGE_ELEMENT_H
#define VKASSAY_JUDGE_ELEMENT_H

#include "judge.h"

// What holds for every element of one judge_input.
struct yardstick {
    enum dtype dtype, arithmetic;
    struct policy policy;
    bool exact;   // integers
    bool widened; // the arithmetic is narrower than the output
    double largest,
        next; // largest finite value a result can take, and the number that would follow it
    double least_normal;    // below it a result may be flushed
    double partial_largest; // beyond it a partial result of the arithmetic overflows
};
struct yardstick yardstick_make(enum dtype dtype, enum dtype arithmetic, struct policy policy);

struct element {
    double want, got, magnitude, bound; // bound in ULP of the arithmetic's type
    uint8_t touched;                    // as in judge_input
};

struct verdict {
    bool excluded, passed;
    double error; // ULP of the output; infinite for a mismatch of class
    double bound; // ULP of the output
};
struct verdict element_judge(const struct yardstick *yard, const struct element *element);

#endif

// SPDX-License-Identifier: Apache-2.0
// Where the elements of an operand stand in its binding, when they do not follow each other from its start.
#ifndef VKASSAY_PLAN_LAYOUT_H
#define VKASSAY_PLAN_LAYOUT_H

#include "kernel.h"

// A layout at given dims, in elements.
struct placing {
    int axes; // 0: elements follow each other from the start
    int64_t size[OPERATOR_RANK], stride[OPERATOR_RANK], offset;
    int64_t extent; // to behind the last element
};

enum placing_state { PLACING_GOOD, PLACING_OVERFLOWS, PLACING_OVERLAPS };
enum placing_state layout_place(const struct kernel *kernel, int operand, const int64_t *dims, struct placing *out);

// The place of the element `index`, in row-major order.
int64_t placing_at(const struct placing *placing, int64_t index);

#endif

// SPDX-License-Identifier: Apache-2.0
// The places of an operand's elements in its binding, if they are not packed from its start.
#ifndef VKASSAY_MANIFEST_LAYOUT_H
#define VKASSAY_MANIFEST_LAYOUT_H

#include "kernel.h"

// A layout at given dims, in elements.
struct placing {
    int axes; // 0: elements are packed from the start
    int64_t size[OPERATOR_RANK], stride[OPERATOR_RANK], offset;
    int64_t extent; // from the start of the binding to the end of the last element
};

enum placing_state { PLACING_GOOD, PLACING_OVERFLOWS, PLACING_OVERLAPS };
enum placing_state layout_place(const struct kernel *kernel, int operand, const int64_t *dims, struct placing *out);

#endif

// SPDX-License-Identifier: Apache-2.0
// Removes from filled inputs what a kernel's manifest leaves open ("leaves").
#ifndef VKASSAY_CHECK_LEAVE_OUT_H
#define VKASSAY_CHECK_LEAVE_OUT_H

#include "../../../shader/manifest/kernel.h"

// Changes the elements of an input. NaN becomes 1, and a subnormal number 0. A line of the last axis that is all -inf
// gets a 0. With LEAVE_TIES the elements become different numbers, up to the count of numbers in the type. `line` is
// the length of the last axis.
void leave_out(const struct kernel *kernel, const struct operand *described, enum dtype dtype, int64_t elements,
    int64_t line, uint64_t key, void *buffer);

#endif

// SPDX-License-Identifier: Apache-2.0
// Values at the start of elementwise operands: zeros, infinities, NaN, the edges of the type.
#ifndef VKASSAY_CHECK_SPECIAL_VALUES_H
#define VKASSAY_CHECK_SPECIAL_VALUES_H

#include "../../../../reference/signature.h"

enum { MOST_UNUSUAL = 1 << 16 }; // most elements of a problem meant for checking, not for timing

// Returns how many values are crossed over this many operands (0 counts as 1), and how many elements of each then
// take one (0: none).
int64_t special_count(int specials);
int64_t special_elements(int specials, int64_t elements);

// Returns the number of leading elements, special ones included, with unusual values.
int64_t unusual_elements(int specials, int64_t elements);

// Returns one of them in the type; `which` is below special_count(1).
double special_value(enum dtype dtype, int64_t which);

#endif

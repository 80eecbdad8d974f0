// SPDX-License-Identifier: Apache-2.0
// Values that elementwise operands begin with: zeros, infinities, NaN, the edges of the type.
#ifndef VKASSAY_RUN_SPECIAL_VALUES_H
#define VKASSAY_RUN_SPECIAL_VALUES_H

#include "../../../reference/operator.h"

enum { MOST_UNUSUAL = 1 << 16 }; // elements of the largest problem that is not there to be measured

// How many there are to cross among so many operands (0 counts as 1), and how many elements of an operand take one
// then (0: none).
int64_t special_count(int specials);
int64_t special_elements(int specials, int64_t elements);

// Leading elements of elementwise operands that may be far from those drawn, special ones included.
int64_t unusual_elements(int specials, int64_t elements);

// One of them, below special_count(1), as it is in the type.
double special_value(enum dtype dtype, int64_t which);

#endif

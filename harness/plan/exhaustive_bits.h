// SPDX-License-Identifier: Apache-2.0
// Which cases can be given every input there is.
#ifndef VKASSAY_PLAN_EXHAUSTIVE_BITS_H
#define VKASSAY_PLAN_EXHAUSTIVE_BITS_H

#include "kernel.h"

enum { EXHAUSTIVE_BITS = 32 }; // the most

// Operands in; 0: the operator is not one of elements.
int exhaustive_operands(const struct op *op);

// Bits of all inputs of an output together: 16 or 32. 0: the case cannot be checked exhaustively, as the operator
// is not elementwise, what it does depends on the place, or its inputs have more bits or are none.
int exhaustive_bits(const struct kernel *kernel, enum dtype dtype);

#endif

// SPDX-License-Identifier: Apache-2.0
// How large a whole number of the code can be, as far as the module and its manifest say.
#ifndef VKASSAY_MUTATE_RANGE_H
#define VKASSAY_MUTATE_RANGE_H

#include "code.h"

// The most that a value's bits can be, taken for an unsigned number; of a vector, those of any component. What nothing
// is known of can be all that its width holds.
uint64_t range_most(const struct code *code, uint32_t id);

#endif

// SPDX-License-Identifier: Apache-2.0
// Bounds the whole numbers of the code, as far as the module and its manifest allow.
#ifndef VKASSAY_MUTATE_RANGE_H
#define VKASSAY_MUTATE_RANGE_H

#include "code.h"

// Returns an upper bound of a value's bits, read as an unsigned number; for a vector, of any component. An unknown
// value may reach the maximum of its width.
uint64_t range_most(const struct code *code, uint32_t id);

#endif

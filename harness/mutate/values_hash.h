// SPDX-License-Identifier: Apache-2.0
// What outputs come to, but for what no one promises: of a NaN its sign and its other bits; the sign of a zero where
// the operator does not keep it, and what a subnormal number is where it may be flushed.
#ifndef VKASSAY_MUTATE_VALUES_HASH_H
#define VKASSAY_MUTATE_VALUES_HASH_H

#include "../check/inputs/problem_data.h"

// Whether zeros of either sign differ, and subnormal numbers from zeros.
struct values_kept {
    bool signs, subnormals;
};

// Of the outputs that were kept (check_take), by what their operator keeps and the module declares.
uint64_t values_hash(const struct problem *problem, struct policy policy);

// The same of elements of one type; `hash` is what it goes on from.
uint64_t values_hash_of(enum dtype dtype, struct values_kept kept, const void *elements, uint64_t bytes, uint64_t hash);

#endif

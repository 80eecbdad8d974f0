// SPDX-License-Identifier: Apache-2.0
// What outputs come to, but for what no one promises: of a NaN its sign and its other bits.
#ifndef VKASSAY_MUTATE_VALUES_HASH_H
#define VKASSAY_MUTATE_VALUES_HASH_H

#include "../run/problem_data.h"

// Of the outputs that were kept (check_take). Every NaN is the same one.
uint64_t values_hash(const struct problem *problem);

// The same of elements of one type; `hash` is what it goes on from.
uint64_t values_hash_of(enum dtype dtype, const void *elements, uint64_t bytes, uint64_t hash);

#endif

// SPDX-License-Identifier: Apache-2.0
// Covering arrays: a few of many combinations that hold every level of every factor, and every pair of levels of two
// factors, that any of them holds. Private to the sampled tier.
#ifndef VKASSAY_PLAN_COVERING_H
#define VKASSAY_PLAN_COVERING_H

#include "../base/arena.h"

#include <stdint.h>

enum { COVERING_FACTORS = 12, COVERING_LEVELS = 24 };

// A row holds a level, below COVERING_LEVELS, of each factor.
struct covering_row {
    uint8_t level[COVERING_FACTORS];
};

// Pairs of levels of two factors: those that the rows hold, and those that the chosen ones hold. One factor alone makes
// pairs with itself: its levels.
struct covering_facts {
    size_t pairs, covered;
};

// Brings at most `most` of `count` rows to the front: the first of them stays there; then those that hold most levels,
// and of these most pairs, not held before, by a draw from `key` among equals. Fewer than `most` where no row holds a
// new pair. Returns how many; order[] (count of them, in the arena) says which row stands where.
size_t covering_choose(struct arena *arena, const struct covering_row *rows, size_t count, int factors, uint64_t key,
    size_t most, size_t **order, struct covering_facts *facts);

#endif

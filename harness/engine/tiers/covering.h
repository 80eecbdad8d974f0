// SPDX-License-Identifier: Apache-2.0
// Covering arrays: a small choice from many combinations. It has every level of every factor, and every pair of
// levels of two factors, found in any of them. Private to the sampled tier.
#ifndef VKASSAY_TIERS_COVERING_H
#define VKASSAY_TIERS_COVERING_H

#include "../../base/arena.h"

#include <stdint.h>

enum { COVERING_FACTORS = 12, COVERING_LEVELS = 24 };

// A combination: one level below COVERING_LEVELS for each factor.
struct covering_row {
    uint8_t level[COVERING_FACTORS];
};

// The weight of each level, up to COVERING_WEIGHT. A pair counts as the product of its levels' weights.
enum { COVERING_WEIGHT = 4 };
struct covering_weights {
    uint8_t of[COVERING_FACTORS][COVERING_LEVELS];
};

// Pairs of levels of two factors: in all rows, and in the chosen rows. A single factor is paired with itself, so its
// pairs are its levels.
struct covering_counts {
    size_t pairs, covered;
};

// Chooses at most `most` of `count` rows. The first row is always chosen. Each further one has the most new levels,
// and among equals the most new pairs by their `weights` (NULL: all alike); `key` decides the rest. It chooses fewer if
// no row has a new pair. Returns how many are chosen. order[] (`count` indices in the arena) lists all rows, the chosen
// ones first.
size_t covering_choose(struct arena *arena, const struct covering_row *rows, size_t count, int factors,
    const struct covering_weights *weights, uint64_t key, size_t most, size_t **order, struct covering_counts *counts);

#endif

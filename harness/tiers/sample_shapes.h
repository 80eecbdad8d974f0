// SPDX-License-Identifier: Apache-2.0
// Which shapes of a kernel are sampled. Private to the sampled tier.
#ifndef VKASSAY_PLAN_SAMPLE_SHAPES_H
#define VKASSAY_PLAN_SAMPLE_SHAPES_H

#include "covering.h"
#include "../plan/legal.h"

struct shape_sample {
    struct shape *items;
    size_t count;                // the first of them are to be tried
    size_t legal;                // all that the device takes
    struct covering_facts pairs; // of values of two tunables
};

// Every shape that the device takes at some dims (a rule about dims does not count), the chosen ones first: the
// default, then those that hold most values, and pairs of values, of tunables not met yet, by a draw from `key` where
// several do. Fewer than `most` meet all pairs that there are where `count` is less.
struct shape_sample sample_shapes(const struct trial *trial, uint64_t key, int most);

// Pairs of values of two tunables that stand together in one of these shapes; of one tunable alone, its values.
size_t sample_pairs(struct arena *arena, const struct kernel *kernel, const struct shape *shapes, size_t count);

#endif

// SPDX-License-Identifier: Apache-2.0
// The shapes of a kernel in the sampled tier. Private to the sampled tier.
#ifndef VKASSAY_TIERS_SAMPLE_SHAPES_H
#define VKASSAY_TIERS_SAMPLE_SHAPES_H

#include "covering.h"
#include "../plan/legal.h"

struct shape_sample {
    struct shape *items;
    size_t count;                 // the first `count` are to be tried
    size_t legal;                 // all shapes accepted by the device
    struct covering_counts pairs; // pairs of values of two tunables
};

// Lists every shape accepted by the device at some dims, ignoring rules about dims. The chosen ones come first: the
// default, then the shapes with the most new values and pairs of values. `key` decides among equals. If `count` is
// below `most`, the chosen shapes have all possible pairs.
struct shape_sample sample_shapes(const struct trial *trial, uint64_t key, int most);

// Counts the pairs of values of two tunables found together in one of these shapes. A single tunable counts its
// values.
size_t sample_pairs(struct arena *arena, const struct kernel *kernel, const struct shape *shapes, size_t count);

// Returns the index of a tunable's value; the last one, if the value is not in its list.
uint8_t sample_level(const struct tunable *tunable, int64_t value);

#endif

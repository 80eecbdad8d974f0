// SPDX-License-Identifier: Apache-2.0
// Points for judging the statistics of errors (judge/errors.h). There is one for each kernel and type with sums, at
// its default shape, with dims for long sums and many outputs. Its inputs are drawn anew until many outputs have
// independent errors. A kernel in f32 gets more points if its sums can become much deeper. They use the shape and
// dims with the most additions in a row.
#ifndef VKASSAY_TIERS_ERRORS_TIER_H
#define VKASSAY_TIERS_ERRORS_TIER_H

#include "../plan/cross.h"

// Appends these points. Their dims are grown from the suite's points crossing->items[0, end).
bool errors_tier(struct crossing *crossing, size_t end);

#endif

// SPDX-License-Identifier: Apache-2.0
// Points at which the statistics of errors are judged (judge/errors.h): each kernel and type that adds up, at its
// default shape, at dims that give long sums and many outputs; its inputs are drawn anew until the outputs that err
// independently of each other are many. In f32 once more, where they can be much deeper, at the shape and dims with the
// most additions one after the other.
#ifndef VKASSAY_PLAN_ERRORS_TIER_H
#define VKASSAY_PLAN_ERRORS_TIER_H

#include "../plan/cross.h"

enum { ERROR_DRAWS = 160 }; // the most of one point

// Appends these points, their dims grown from those of the suite's points crossing->items[0, end).
bool errors_tier(struct crossing *crossing, size_t end);

#endif

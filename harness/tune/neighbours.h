// SPDX-License-Identifier: Apache-2.0
// The dims beside those that were tuned: where a choice must be right, too.
#ifndef VKASSAY_TUNE_NEIGHBOURS_H
#define VKASSAY_TUNE_NEIGHBOURS_H

#include "../plan/point.h"

// Points of the same kernel and shape with one dim a step smaller or larger, for each dim of 8 and
// more (smaller ones are counts and flags, not sizes). What the operator or the device refuses there
// is left out.
struct point *neighbours_of(struct arena *arena, const struct point *point, const struct device_info *device,
    double memory_share, size_t *count);

#endif

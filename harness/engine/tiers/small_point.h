// SPDX-License-Identifier: Apache-2.0
// Chooses small dims at which a kernel's whole code runs, for checks that cost much for each access.
#ifndef VKASSAY_TIERS_SMALL_POINT_H
#define VKASSAY_TIERS_SMALL_POINT_H

#include "../plan/point.h"

// Makes a point of the same kernel, type, parameters and shape. If the kernel's rules allow it, each axis of its grids
// has several workgroups, the last one with a tail, and loops have several iterations. Returns false if no such point
// is small. *out is in the arena.
bool small_point(const struct device_info *device, double memory_share, const struct point *point, struct arena *arena,
    struct point *out);

enum { LARGE_POINTS = 8 };

// Makes points of the small one's kernel, each with one dim beyond the largest of the `numbers` that its cost allows.
// At these numbers, ascending, the shaders may change their way. Returns the number of points; they are in
// the arena.
int large_points(const struct device_info *device, double memory_share, const struct point *small,
    const uint32_t *numbers, int count, struct arena *arena, struct point out[LARGE_POINTS]);

#endif

// SPDX-License-Identifier: Apache-2.0
// Several rows a workgroup: the invocations of a workgroup are shared out evenly, a power of two of neighbours for
// each row. A row may get a part of a subgroup, or several subgroups. WG_SIZE is a power of two.
//
// Include this file before reduce.glsl or place.glsl: they then combine the values of a row's invocations instead of
// the workgroup's. The shader defines LANES before types.glsl, which enables shuffles.
#ifndef VKASSAY_LANES
#define VKASSAY_LANES

#include "workgroup.glsl"

// Elements that an invocation is meant to take of a row.
layout(constant_id = 3) const uint ITEMS = 8;

uint lanes, lane; // invocations that share a row, and which of them this one is
uint lanes_row;   // number of that row among those that the workgroup takes at once

// The workgroup takes 2^doublings rows at once, if it has as many invocations.
void share_out(int doublings) {
    const uint number = gl_SubgroupID * SUBGROUP_WIDTH + gl_SubgroupInvocationID;
    lanes = max(WG_SIZE >> doublings, 1u);
    lane = number & (lanes - 1u);
    lanes_row = number / lanes;
}

// Combines by shuffles within a subgroup: `step` goes through 1, 2, 4, ... below the lanes that a row has there.
#define EACH_SHUFFLE(step)                                                                    \
    [[unroll]] for (uint step = 1u; step < 128u; step *= 2u) if (step < min(lanes, SUBGROUP_WIDTH))

// Subgroups that share a row, and the first of this row's.
#define LANES_PARTS (lanes / SUBGROUP_WIDTH)
#define LANES_FIRST_PART (gl_SubgroupID / LANES_PARTS * LANES_PARTS)

#endif

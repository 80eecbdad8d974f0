// SPDX-License-Identifier: Apache-2.0
// Several rows per workgroup. The invocations are shared out evenly: each row gets neighbouring ones, a power of two of
// them. They may be part of a subgroup, or several subgroups. WG_SIZE is a power of two.
//
// Include this file before reduce.glsl or place.glsl: they then combine the values of a row's invocations instead of
// the workgroup's. The shader defines LANES before types.glsl, which enables shuffles.
#ifndef VKASSAY_LANES
#define VKASSAY_LANES

#include "workgroup.glsl"

// Elements of a row for one invocation.
layout(constant_id = 3) const uint ITEMS = 8;
// The invocations of a row, which keep all of it: `cols` is ITEMS times their number, a power of two. 0: any row.
layout(constant_id = 5) const uint ROW_LANES = 0;

uint lanes, lane; // invocations sharing a row; number of this one among them
uint lanes_row;   // number of that row among the workgroup's current rows
uint together;    // number of those rows, 2^together_log2; shifts are much faster than divisions
uint together_log2;

// Returns the logarithm of the largest power of two with which `cols` is still at most `all`, or 0.
uint doublings(uint cols, uint all) {
    const int steps = findMSB(all) - findMSB(cols);
    return steps < 1 ? 0u : uint(steps) - uint(cols << steps > all);
}

// Gives a row of `cols` elements as few invocations as keep them all, `kept` each, or the whole workgroup.
void share_out(uint cols, uint kept) {
    const uint number = gl_SubgroupID * SUBGROUP_WIDTH + gl_SubgroupInvocationID;
    const uint least = ROW_LANES > 0u ? findMSB(WG_SIZE / ROW_LANES) : doublings(cols, WG_SIZE * kept);
    together_log2 = min(least, findMSB(WG_SIZE));
    together = 1u << together_log2;
    lanes = WG_SIZE >> together_log2;
    lane = number & (lanes - 1u);
    lanes_row = number >> (findMSB(WG_SIZE) - together_log2);
}

// Combines by shuffles within a subgroup: `step` is 1, 2, 4, ... below the number of a row's lanes there.
#define EACH_SHUFFLE(step)                                                                    \
    [[unroll]] for (uint step = 1u; step < 128u; step *= 2u) if (step < min(lanes, SUBGROUP_WIDTH))

// Half of WG_SIZE places in shared memory, one for each subgroup. The halves take turns, so a call does not overwrite
// the values read by the previous one, and one barrier is enough. Subgroups have at least two invocations.
uint lanes_half = 0u;
#define NEXT_HALF() (lanes_half = WG_SIZE / 2u - lanes_half)

// Number of subgroups sharing a row, and the first of this row's subgroups.
#define LANES_PARTS (lanes / SUBGROUP_WIDTH)
#define LANES_FIRST_PART (gl_SubgroupID / LANES_PARTS * LANES_PARTS)

#endif

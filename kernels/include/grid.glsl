// SPDX-License-Identifier: Apache-2.0
// Indices in a one-dimensional grid, folded over y and z if one axis cannot hold it. Folding rounds up, so there may be
// more groups than requested. Results saturate instead of wrapping, so it is enough to compare an index with the
// extent.
#ifndef VKASSAY_GRID
#define VKASSAY_GRID

#include "workgroup.glsl"

uint linear_group() {
    const uint line = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;
    return line * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// Returns the first item of this workgroup if each takes `share` items.
uint linear_first(uint share) {
    uint high, low;
    umulExtended(linear_group(), share, high, low);
    return high == 0u ? low : ~0u;
}

// Returns item number `place` of this workgroup.
uint linear_item(uint share, uint place) {
    const uint first = linear_first(share), index = first + place;
    return index < first ? ~0u : index;
}

uint linear_invocation() {
    return linear_item(WG_SIZE, gl_LocalInvocationIndex);
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Indices in a grid that is one-dimensional in mind and folded over y and z where one axis cannot
// hold it. Folding rounds up, so that there may be more groups than asked for: results saturate
// instead of wrapping, and an index that is compared with an extent is enough of a check.
#ifndef VKASSAY_GRID
#define VKASSAY_GRID

#include "workgroup.glsl"

uint linear_group() {
    const uint line = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;
    return line * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

// The first item of this workgroup when each takes `share` items.
uint linear_first(uint share) {
    uint high, low;
    umulExtended(linear_group(), share, high, low);
    return high == 0u ? low : ~0u;
}

// Number `place` of those items.
uint linear_item(uint share, uint place) {
    const uint first = linear_first(share), index = first + place;
    return index < first ? ~0u : index;
}

uint linear_invocation() {
    return linear_item(WG_SIZE, gl_LocalInvocationIndex);
}

#endif

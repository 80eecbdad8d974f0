// SPDX-License-Identifier: Apache-2.0
// Sums down columns, four to an invocation: neighbours along x have neighbouring columns, and the
// invocations along y share the rows of theirs, whose sums are added up in shared memory.
#ifndef VKASSAY_COLUMNS
#define VKASSAY_COLUMNS

#include "workgroup.glsl"

shared vec4 column_partial[WG_SIZE];

// Every invocation must call; those with y = 0 receive the sums of their columns.
vec4 column_sums(vec4 value) {
    const uint i = gl_LocalInvocationIndex, y = gl_LocalInvocationID.y;
    column_partial[i] = value;
    for (uint count = WG_Y; count > 1u;) {
        const uint kept = (count + 1u) / 2u;
        barrier();
        if (y + kept < count) column_partial[i] += column_partial[i + kept * WG_X];
        count = kept;
    }
    return column_partial[i];
}

#endif

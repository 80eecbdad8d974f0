// SPDX-License-Identifier: Apache-2.0
// A sum over some invocations of a workgroup: `extent` of them, `stride` apart; this one is number `place`. Every
// invocation of the workgroup must call, and receives the sum of its own line. The shared memory is WG_SIZE FLOATS (see
// wide.glsl).
#ifndef VKASSAY_TREE
#define VKASSAY_TREE

#include "workgroup.glsl"

shared FLOATS tree_partial[WG_SIZE];

FLOATS tree_sum(FLOATS value, uint place, uint extent, uint stride) {
    const uint i = gl_LocalInvocationIndex;
    tree_partial[i] = value;
    barrier();
    for (uint count = extent; count > 1u;) {
        const uint kept = (count + 1u) / 2u;
        if (place + kept < count) tree_partial[i] += tree_partial[i + kept * stride];
        barrier();
        count = kept;
    }
    return tree_partial[i - place * stride];
}

#endif

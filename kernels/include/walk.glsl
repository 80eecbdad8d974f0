// SPDX-License-Identifier: Apache-2.0
// Visits a stretch of elements, shared among `lanes` invocations; this one is `lane`. Aligned elements are read four at
// a time, so a row may start and end anywhere.
//
// Before including this file, the shader declares the buffer twice at one binding, as T x[] and as VEC4T x4[]. It also
// declares void visit(float value, uint index). With WALK_ITEMS defined there is walk_block, too.
#ifndef VKASSAY_WALK
#define VKASSAY_WALK

#include "types.glsl"

void walk(uint start, uint end, uint lane, uint lanes) {
    const uint first4 = (start + 3u) / 4u, end4 = end / 4u;
    const uint head = min(first4 * 4u, end), tail = max(end4 * 4u, head);
    for (uint i = start + lane; i < head; i += lanes) visit(LOAD(x[i]), i);
    for (uint i = first4 + lane; i < end4; i += lanes) {
        const vec4 four = LOAD4(x4[i]);
        visit(four.x, 4u * i);
        visit(four.y, 4u * i + 1u);
        visit(four.z, 4u * i + 2u);
        visit(four.w, 4u * i + 3u);
    }
    for (uint i = tail + lane; i < end; i += lanes) visit(LOAD(x[i]), i);
}

#ifdef WALK_ITEMS
// Visits `count` elements, shared among the workgroup. All reads of a block of WG_SIZE * WALK_ITEMS that starts at a
// multiple of four are in flight at once.
void walk_block(uint start, uint count) {
    const uint lane = gl_LocalInvocationIndex;
    if (count != WG_SIZE * WALK_ITEMS || start % 4u != 0u) {
        walk(start, start + count, lane, WG_SIZE);
        return;
    }
    vec4 fours[WALK_ITEMS / 4];
    [[unroll]] for (uint item = 0; item < WALK_ITEMS / 4; item++)
        fours[item] = LOAD4(x4[start / 4u + item * WG_SIZE + lane]);
    [[unroll]] for (uint item = 0; item < WALK_ITEMS / 4; item++) {
        const uint first = start + 4u * (item * WG_SIZE + lane);
        [[unroll]] for (uint i = 0; i < 4u; i++) visit(fours[item][i], first + i);
    }
}
#endif

#endif

// SPDX-License-Identifier: Apache-2.0
// A stretch of elements, shared out among `lanes` invocations of which this is `lane`. It is read
// four elements at a time wherever they are aligned, so that a row may start and end anywhere.
//
// The shader declares the buffer twice at one binding, as T x[] and as VEC4T x4[], and
// void visit(float value, uint index) before it includes this file.
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

#endif

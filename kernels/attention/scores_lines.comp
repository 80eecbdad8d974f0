// SPDX-License-Identifier: Apache-2.0
// WG_X neighbours share a key, and a workgroup takes WG_Y keys. Each neighbour takes every WG_X-th step of WIDTH
// elements of the head, and a short tree adds up a key's sums.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "tree.glsl"

layout(binding = 0) readonly buffer Q { WIDE q[]; };
layout(binding = 1) readonly buffer K { WIDE k[]; };
layout(binding = 2) writeonly buffer S { T s[]; };
layout(push_constant) uniform Push { uint seq, head_dim; float scale; };

void main() {
    const uint first = linear_first(WG_Y), lane = gl_LocalInvocationID.x, steps = head_dim / WIDTH;
    if (first >= seq) return;
    const uint key = first + gl_LocalInvocationID.y;
    FLOATS sums = FLOATS(0.0);
    if (key < seq)
        for (uint i = lane; i < steps; i += WG_X)
            sums = fma(LOAD_WIDE(q[i]), LOAD_WIDE(k[key * steps + i]), sums);
    sums = tree_sum(sums, lane, WG_X, 1);
    if (lane > 0 || key >= seq) return;
#if WIDTH == 4
    s[key] = STORE((sums.x + sums.y + (sums.z + sums.w)) * scale);
#else
    s[key] = STORE(sums * scale);
#endif
}

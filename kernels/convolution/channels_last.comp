// SPDX-License-Identifier: Apache-2.0
// Pictures [n, cin, h, w] to [n, h + 2 pad, w + 2 pad, cin], zeros round them: squares of channels by
// pixels of a line pass through shared memory, so that both sides are read and written along memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(binding = 0) readonly buffer From { T from[]; };
layout(binding = 1) writeonly buffer To { T to[]; };
layout(push_constant) uniform Push { uint n, cin, h, w, pad; };

const uint SIDE = 32;
shared float square[SIDE * (SIDE + 1)];

void main() {
    const uint high = h + 2 * pad, wide = w + 2 * pad;
    const uint first_x = gl_WorkGroupID.x * SIDE, y = gl_WorkGroupID.y % high, picture = gl_WorkGroupID.y / high;
    const uint first_c = gl_WorkGroupID.z * SIDE;
    if (picture >= n || first_x >= wide) return; // all of the workgroup
    for (uint i = gl_LocalInvocationIndex; i < SIDE * SIDE; i += WG_SIZE) {
        const uint c = first_c + i / SIDE, column = first_x + i % SIDE - pad, row = y - pad;
        const bool inside = c < cin && row < h && column < w;
        square[i / SIDE * (SIDE + 1) + i % SIDE] = inside ? LOAD(from[((picture * cin + c) * h + row) * w + column]) : 0.0;
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < SIDE * SIDE; i += WG_SIZE) {
        const uint c = first_c + i % SIDE, x = first_x + i / SIDE;
        if (c < cin && x < wide)
            to[((picture * high + y) * wide + x) * cin + c] = STORE(square[i % SIDE * (SIDE + 1) + i / SIDE]);
    }
}

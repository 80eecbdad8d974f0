// SPDX-License-Identifier: Apache-2.0
// Resizes pictures. Each invocation takes four neighbours of a line in ITEMS channels of a picture, and
// writes them as a vector. If lines are not a multiple of four, it takes four places a workgroup's width
// apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"
#include "upsample.glsl"

layout(binding = 1) writeonly buffer Y4 { VEC4T y4[]; };

void write_quad(uint quad) {
    const uint i = quad * 4 / ow, j = quad * 4 - i * ow;
    const STOP row = stop_at(i, h, oh);
    STOP cols[4];
    [[unroll]] for (uint k = 0; k < 4; k++) cols[k] = stop_at(j + k, w, ow);
    vec4 result[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        [[unroll]] for (uint k = 0; k < 4; k++)
            result[item][k] = blend(plane_of(item) * h * w, row, cols[k]);
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        if (gl_WorkGroupID.z * ITEMS + item >= c) return;
        y4[plane_of(item) * (oh * ow / 4) + quad] = STORE4(result[item]);
    }
}

void main() {
    const uint places = oh * ow;
    if (ow % 4 == 0) {
        if (gl_GlobalInvocationID.x < places / 4) write_quad(gl_GlobalInvocationID.x);
        return;
    }
    uint place = gl_WorkGroupID.x * WG_X * 4 + gl_LocalInvocationID.x;
    [[dont_unroll]] for (uint k = 0; k < 4 && place < places; k++, place += WG_X) write_place(place);
}

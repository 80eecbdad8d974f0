// SPDX-License-Identifier: Apache-2.0
// Transposes a WG_X x WG_X tile per workgroup through shared memory, so that rows are read and rows are written. A
// padding column (PAD) puts neighbours of a tile's column in different banks. WG_Y rows of invocations take WG_Y rows
// of the tile at a time.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

layout(constant_id = 3) const uint PAD = 1;
const uint PITCH = WG_X + PAD;
shared float tile[WG_X * PITCH];

void main() {
    const uint across = gl_LocalInvocationID.x;
    const uint first_row = gl_WorkGroupID.y * WG_X, first_col = gl_WorkGroupID.x * WG_X;
    for (uint down = gl_LocalInvocationID.y; down < WG_X; down += WG_Y) {
        const uint row = first_row + down, col = first_col + across;
        if (row < rows && col < cols) tile[down * PITCH + across] = LOAD(x[row * cols + col]);
    }
    barrier();
    for (uint down = gl_LocalInvocationID.y; down < WG_X; down += WG_Y) {
        const uint row = first_col + down, col = first_row + across;
        if (row < cols && col < rows) y[row * rows + col] = STORE(tile[across * PITCH + down]);
    }
}

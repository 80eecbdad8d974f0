// SPDX-License-Identifier: Apache-2.0
// Argsort of rows of any length in ascending order: the number of elements before an element is its place. The row
// passes through shared memory in tiles of WG_X elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "workgroup.glsl"
#include "keys.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

shared uint tile[WG_SIZE];

void main() {
    const uint lane = gl_LocalInvocationIndex, start = gl_WorkGroupID.x * cols;
    const uint col = gl_WorkGroupID.y * WG_SIZE + lane;
    const uint mine = col < cols ? value_key(LOAD(x[start + col])) : 0u;
    uint rank = 0;
    for (uint at = 0; at < cols; at += WG_SIZE) {
        barrier(); // all have read the previous tile
        tile[lane] = at + lane < cols ? value_key(LOAD(x[start + at + lane])) : 0xffffffffu;
        barrier();
        const uint end = min(WG_SIZE, cols - at);
        for (uint i = 0; i < end; i++)
            rank += uint(tile[i] < mine || (tile[i] == mine && at + i < col));
    }
    if (col < cols) y[start + rank] = int(col);
}

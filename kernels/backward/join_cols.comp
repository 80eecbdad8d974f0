// SPDX-License-Identifier: Apache-2.0
// The last pass of sums down columns: adds up what the blocks of SPAN rows gave, 4 WG_X columns a
// workgroup.
#version 450
#extension GL_GOOGLE_include_directive : require
#define WIDTH 4
#include "wide.glsl"
#include "grid.glsl"
#include "tree.glsl"

layout(constant_id = 4) const uint ROWS = 32;

layout(binding = 0) readonly buffer Partial { float partial[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint first = linear_first(4 * WG_X), col = first + 4 * gl_LocalInvocationID.x;
    const uint blocks = (rows - 1) / (SPAN) + 1, line = gl_LocalInvocationID.y;
    if (first >= cols) return;
    vec4 sums = vec4(0.0);
    for (uint block = line; block < blocks; block += WG_Y)
        for (uint j = 0; j < 4; j++)
            if (col + j < cols) sums[j] += partial[block * cols + col + j];
    sums = tree_sum(sums, line, WG_Y, WG_X);
    for (uint j = 0; line == 0 && j < 4; j++)
        if (col + j < cols) y[col + j] = STORE(sums[j]);
}

// SPDX-License-Identifier: Apache-2.0
// The last pass of sums down columns: adds up what the blocks of SPAN rows gave, 4 WG_X columns a
// workgroup.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "columns.glsl"

layout(constant_id = 4) const uint ROWS = 32;

layout(binding = 0) readonly buffer Partial { float partial[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint col = 4 * gl_GlobalInvocationID.x, blocks = (rows - 1) / (SPAN) + 1;
    vec4 sums = vec4(0.0);
    for (uint block = gl_LocalInvocationID.y; block < blocks; block += WG_Y)
        for (uint j = 0; j < 4; j++)
            if (col + j < cols) sums[j] += partial[block * cols + col + j];
    sums = column_sums(sums);
    if (gl_LocalInvocationID.y > 0) return;
    for (uint j = 0; j < 4; j++)
        if (col + j < cols) y[col + j] = STORE(sums[j]);
}

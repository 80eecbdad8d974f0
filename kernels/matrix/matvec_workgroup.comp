// SPDX-License-Identifier: Apache-2.0
// Takes ROWS rows per workgroup: neighbours read neighbouring weights, and a tree adds up their sums.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };
#include "row_dot.glsl"

void main() {
    const uint first = linear_first(ROWS);
    if (first >= rows) return;
    dot_rows(first, 0, gl_LocalInvocationIndex, WG_SIZE, 0, 1);
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const float sum = reduce_sum(row_sums[r]);
        if (gl_LocalInvocationIndex == 0 && first + r < rows) y[first + r] = STORE(sum);
    }
}

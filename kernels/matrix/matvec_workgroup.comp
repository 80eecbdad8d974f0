// SPDX-License-Identifier: Apache-2.0
// One workgroup a row: neighbours read neighbouring weights, and a tree adds up what they have.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer W { T w[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    float sum = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        sum = fma(LOAD(w[row * cols + col]), LOAD(x[col]), sum);
    sum = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) y[row] = STORE(sum);
}

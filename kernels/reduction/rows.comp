// SPDX-License-Identifier: Apache-2.0
// Reduces one row per workgroup: each invocation keeps a partial result in a register, then these are combined.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "kinds.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };
#include "walk.glsl"

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    walk(row * cols, row * cols + cols, gl_LocalInvocationIndex, WG_SIZE);
    const float result = OVER_WORKGROUP(visited);
    if (gl_LocalInvocationIndex == 0) y[row] = STORE(RESULT(result, cols));
}

// SPDX-License-Identifier: Apache-2.0
// Takes one element per invocation: neighbours read along a row and write along a column, a row of y apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x;
    if (row < rows && col < cols) y[col * rows + row] = x[row * cols + col];
}

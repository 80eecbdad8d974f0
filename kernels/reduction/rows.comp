// SPDX-License-Identifier: Apache-2.0
// One workgroup a row: a strided walk that keeps a partial result in a register, then a tree.
// COMBINE(a, b), its neutral element START and the tree TREE make it a sum or a maximum.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    float result = START;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        result = COMBINE(result, LOAD(x[row * cols + col]));
    result = TREE(result);
    if (gl_LocalInvocationIndex == 0) y[row] = STORE(result);
}

// SPDX-License-Identifier: Apache-2.0
// Place of an extreme of each row, one workgroup per row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "place.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint rows, cols; };
#include "walk.glsl"

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    walk(row * cols, row * cols + cols, gl_LocalInvocationIndex, WG_SIZE);
    reduce_places(gl_LocalInvocationIndex, WG_SIZE, 1);
    if (gl_LocalInvocationIndex == 0) y[row] = found(row * cols);
}

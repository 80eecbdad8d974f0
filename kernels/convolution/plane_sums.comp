// SPDX-License-Identifier: Apache-2.0
// The sum of each channel of each picture, one workgroup per plane.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Sums { float sums[]; };
layout(push_constant) uniform Push { uint n, c, h, w; };

float sum = 0.0;

void visit(float value, uint index) {
    sum += value;
}
#include "walk.glsl"

void main() {
    const uint plane = linear_group(), size = h * w;
    if (plane >= n * c) return;
    walk(plane * size, plane * size + size, gl_LocalInvocationIndex, WG_SIZE);
    const float total = reduce_sum(sum);
    if (gl_LocalInvocationIndex == 0) sums[plane] = total;
}

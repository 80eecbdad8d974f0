// SPDX-License-Identifier: Apache-2.0
// Mean and squared deviations of each plane of a batch of images, one workgroup a plane, which is
// read once and kept in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Means { float plane_means[]; };
layout(binding = 2) writeonly buffer Squares { float plane_squares[]; };
layout(push_constant) uniform Push { uint n, c, plane; };

QUAD_READER(x_quad, x, x4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"
#include "row_moments.glsl"

void main() {
    if (linear_group() >= n * c) return;
    keep_row(linear_group() * plane, plane, 0.0);
    const float mean = row_mean(), squares = squared_deviations(mean);
    if (gl_LocalInvocationIndex > 0) return;
    plane_means[linear_group()] = mean;
    plane_squares[linear_group()] = squares;
}

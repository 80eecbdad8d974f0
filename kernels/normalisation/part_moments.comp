// SPDX-License-Identifier: Apache-2.0
// Moments of each plane of a batch of images (listed in join_pieces.comp), one workgroup per plane. The plane is read
// once and kept in registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Moments { vec4 plane_moments[]; }; // sum, mean, deviations, squares
layout(push_constant) uniform Push { uint n, c, plane; };

QUAD_READER(x_quad, x, x4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"
#include "row_moments.glsl"

float row_deviations(float mean) {
    float sum = 0.0;
    EACH_KEPT(quad, col) sum += sum4(within_row(col, kept[quad] - mean, 0.0));
    EACH_OTHER(col) sum += sum4(within_row(col, element4(col) - mean, 0.0));
    return reduce_sum(sum);
}

void main() {
    if (linear_group() >= n * c) return;
    keep_row(linear_group() * plane, plane, 0.0);
    const float sum = row_sum(), mean = sum / float(plane);
    const float deviations = row_deviations(mean), squares = squared_deviations(mean);
    if (gl_LocalInvocationIndex == 0) plane_moments[linear_group()] = vec4(sum, mean, deviations, squares);
}

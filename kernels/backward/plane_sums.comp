// SPDX-License-Identifier: Apache-2.0
// Sums of dy and of dy z, with z = (x - mean) / sqrt(var + eps), over each plane of a batch of images. Each workgroup
// takes one plane.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer Dy { T dy[]; };
layout(binding = 0) readonly buffer Dy4 { VEC4T dy4[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 2) readonly buffer Mean { T mean[]; };
layout(binding = 3) readonly buffer Variance { T variance[]; };
layout(binding = 4) writeonly buffer SumG { float sum_g[]; };
layout(binding = 5) writeonly buffer SumGz { float sum_gz[]; };
layout(push_constant) uniform Push { uint n, c, plane; float eps; };
QUAD_READER(dy_quad, dy, dy4)
QUAD_READER(x_quad, x, x4)

void main() {
    const uint index = linear_group(), channel = index % c;
    if (index >= n * c) return;
    const float centre = LOAD(mean[channel]), scale = inversesqrt(LOAD(variance[channel]) + eps);
    float g = 0.0, gz = 0.0;
    take_row(index * plane, plane);
    for (uint col = 4 * gl_LocalInvocationIndex; col < plane; col += 4 * WG_SIZE) {
        const vec4 gradient = dy_quad(row_first, col);
        g += sum4(gradient);
        // Columns beyond the row are 0, even beside an infinite mean.
        gz += dot(gradient, within_row(col, (x_quad(row_first, col) - centre) * scale, 0.0));
    }
    g = reduce_sum(g);
    gz = reduce_sum(gz);
    if (gl_LocalInvocationIndex > 0) return;
    sum_g[index] = g;
    sum_gz[index] = gz;
}

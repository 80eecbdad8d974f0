// SPDX-License-Identifier: Apache-2.0
// Variance of each row, one workgroup per row, in two passes over registers: the mean, then the deviations from
// it.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "row_quads.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; int correction; };

QUAD_READER(x_quad, x, x4)

vec4 element4(uint col) {
    return x_quad(row_first, col);
}
#include "row_cache.glsl"
#include "row_moments.glsl"

void main() {
    if (linear_group() >= rows) return;
    keep_row(linear_group() * cols, cols, 0.0);
    const float squares = squared_deviations(row_mean());
    if (gl_LocalInvocationIndex == 0)
        y[linear_group()] = STORE(squares / float(int(cols) - correction));
}

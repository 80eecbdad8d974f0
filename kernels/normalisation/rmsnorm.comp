// SPDX-License-Identifier: Apache-2.0
// Root mean square norm, one workgroup a row: a walk for the sum of squares, a second one that
// scales.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer W { T w[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; float eps; };

void main() {
    const uint row = linear_group(), start = row * cols;
    if (row >= rows) return;
    float squares = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE) {
        const float value = LOAD(x[start + col]);
        squares += value * value;
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        y[start + col] = STORE(LOAD(x[start + col]) * scale * LOAD(w[col]));
}

// SPDX-License-Identifier: Apache-2.0
// Softmax as it is defined, one workgroup a row: the maximum, the sum, the quotients, each by a
// walk over memory.
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
    const uint row = linear_group(), start = row * cols;
    if (row >= rows) return;
    float most = NEGATIVE_INFINITY, sum = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        most = larger(most, LOAD(x[start + col]));
    most = reduce_max(most);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        sum += exp(LOAD(x[start + col]) - most);
    const float scale = 1.0 / reduce_sum(sum);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        y[start + col] = STORE(exp(LOAD(x[start + col]) - most) * scale);
}

// SPDX-License-Identifier: Apache-2.0
// Layer norm in two passes, one workgroup a row: a walk for the mean, one for the variance about
// it, one that writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "reduce.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Gamma { T gamma[]; };
layout(binding = 2) readonly buffer Beta { T beta[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint rows, cols; float eps; };

float normalised(float centred, float scale, uint col) {
    return centred * scale * LOAD(gamma[col]) + LOAD(beta[col]);
}

void main() {
    const uint row = linear_group(), start = row * cols;
    if (row >= rows) return;
    float sum = 0.0, squares = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        sum += LOAD(x[start + col]);
    const float mean = reduce_sum(sum) / float(cols);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        {
        const float centred = LOAD(x[start + col]) - mean;
        squares += centred * centred;
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        y[start + col] = STORE(normalised(LOAD(x[start + col]) - mean, scale, col));
}

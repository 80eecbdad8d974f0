// SPDX-License-Identifier: Apache-2.0
// Root mean square norm, one workgroup a row: a walk for the sum of squares, a second one that scales.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "rms.glsl"

void main() {
    if (linear_group() >= rows) return;
    float squares = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE) {
        const float value = element(col);
        squares += value * value;
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        emit(col, element(col), scale);
}

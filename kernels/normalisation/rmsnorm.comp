// SPDX-License-Identifier: Apache-2.0
// Root mean square norm, one workgroup per row: one walk for the sum of squares, a second one to scale.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "rms.glsl"

void main() {
    if (linear_group() >= rows) return;
    float squares = 0.0;
    take_row(linear_group() * cols, cols);
    for (uint col = 4 * gl_LocalInvocationIndex; col < cols; col += 4 * WG_SIZE)
        squares += dot(element4(col), element4(col));
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    for (uint col = 4 * gl_LocalInvocationIndex; col < cols; col += 4 * WG_SIZE)
        emit(col, element4(col), scale);
}

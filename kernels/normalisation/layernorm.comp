// SPDX-License-Identifier: Apache-2.0
// Layer norm with two-pass moments, one workgroup per row: a walk for the mean, one for the variance about it, and one
// to write.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "affine.glsl"

#define EACH_QUAD(col) \
    for (uint col = 4 * gl_LocalInvocationIndex; col < cols; col += 4 * WG_SIZE)

void main() {
    if (linear_group() >= rows) return;
    float sum = 0.0, squares = 0.0;
    take_row(linear_group() * cols, cols);
    EACH_QUAD(col) sum += sum4(element4(col));
    const float mean = reduce_sum(sum) / float(cols);
    EACH_QUAD(col) {
        const vec4 centred = within_row(col, element4(col) - mean, 0.0);
        squares += dot(centred, centred);
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    EACH_QUAD(col) emit(col, element4(col) - mean, scale);
}

// SPDX-License-Identifier: Apache-2.0
// Layer norm in two passes, one workgroup a row: a walk for the mean, one for the variance about
// it, one that writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "affine.glsl"

void main() {
    if (linear_group() >= rows) return;
    float sum = 0.0, squares = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE) sum += element(col);
    const float mean = reduce_sum(sum) / float(cols);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE) {
        const float centred = element(col) - mean;
        squares += centred * centred;
    }
    const float scale = inversesqrt(reduce_sum(squares) / float(cols) + eps);
    first_column();
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        emit(col, element(col) - mean, scale);
}

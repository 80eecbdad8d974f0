// SPDX-License-Identifier: Apache-2.0
// Softmax by its definition, one workgroup per row: the maximum, the sum and the quotients, each by a walk over
// memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "logits.glsl"

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    float most = LEAST, sum = 0.0;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        most = larger(most, logit(row, col));
    most = reduce_max(most);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        sum += exp(logit(row, col) - most);
    const float inverse = INVERSE(reduce_sum(sum));
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        y[row * cols + col] = STORE(exp(logit(row, col) - most) * inverse);
}

// SPDX-License-Identifier: Apache-2.0
// Online softmax, one workgroup per row: maximum and sum in one walk; a second walk writes.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "logits.glsl"
#include "online.glsl"

void main() {
    const uint row = linear_group();
    if (row >= rows) return;
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        online_add(logit(row, col));
    const float most = reduce_max(online_most);
    const float inverse = INVERSE(reduce_sum(online_sum_at(most)));
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        y[row * cols + col] = STORE(exp(logit(row, col) - most) * inverse);
}

// SPDX-License-Identifier: Apache-2.0
// Softmax of few and long rows, a row shared out among workgroups in blocks of WG_X * ITEMS columns:
// the first pass (defined PARTS) takes each block's maximum and sum of exponentials; in the second
// each workgroup puts those of its whole row together and writes its block.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "reduce.glsl"

layout(constant_id = 3) const uint ITEMS = 16;

layout(binding = 0) readonly buffer X { T x[]; };
#ifdef PARTS
layout(binding = 1) writeonly buffer Most { float block_most[]; };
layout(binding = 2) writeonly buffer Sum { float block_sum[]; };
#else
layout(binding = 1) readonly buffer Most { float block_most[]; };
layout(binding = 2) readonly buffer Sum { float block_sum[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint blocks = (cols - 1) / (WG_SIZE * ITEMS) + 1, lane = gl_LocalInvocationIndex;
    const uint row = gl_WorkGroupID.y, block = gl_WorkGroupID.x, start = row * cols;
    const uint first = block * WG_SIZE * ITEMS + lane;
    float kept[ITEMS], most = NEGATIVE_INFINITY, sum = 0.0;
    [[unroll]] for (uint item = 0, col = first; item < ITEMS; item++, col += WG_SIZE)
        kept[item] = col < cols ? LOAD(x[start + col]) : NEGATIVE_INFINITY;
#ifdef PARTS
    [[unroll]] for (uint item = 0; item < ITEMS; item++) most = larger(most, kept[item]);
    most = reduce_max(most);
    [[unroll]] for (uint item = 0; item < ITEMS; item++) sum += exp(kept[item] - most);
    sum = reduce_sum(sum);
    if (lane == 0) {
        block_most[row * blocks + block] = most;
        block_sum[row * blocks + block] = sum;
    }
#else
    for (uint i = lane; i < blocks; i += WG_SIZE) most = larger(most, block_most[row * blocks + i]);
    most = reduce_max(most);
    for (uint i = lane; i < blocks; i += WG_SIZE)
        sum += block_sum[row * blocks + i] * exp(block_most[row * blocks + i] - most);
    const float inverse = 1.0 / reduce_sum(sum);
    [[unroll]] for (uint item = 0, col = first; item < ITEMS; item++, col += WG_SIZE)
        if (col < cols) y[start + col] = STORE(exp(kept[item] - most) * inverse);
#endif
}

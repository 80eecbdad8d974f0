// SPDX-License-Identifier: Apache-2.0
// Rows of quantised weights times a vector of signed bytes: ROWS rows per workgroup, one block per invocation at a
// time. A tree adds up the sums of the invocations.
//
//     DOT     see dot4.glsl
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef DOT
#extension GL_EXT_integer_dot_product : require
#define ALL_CONTROLS
#endif
#include "types.glsl"
#include "grid.glsl"
#include "reduce.glsl"
#include "dot4.glsl"

layout(constant_id = 3) const uint ROWS = 1;

layout(binding = 0) readonly buffer W { uint words[]; };
layout(binding = 1) readonly buffer Bytes { uvec4 bytes[]; };
layout(binding = 2) readonly buffer Steps { float steps[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint rows, cols; };
#include "block_bytes.glsl"

float product(uint block, uvec4 low, uvec4 high) {
    uint four[8];
    block_words(block, four);
    int sum = 0;
    [[unroll]] for (uint i = 0; i < 4; i++) sum = dot4(four[i], low[i], sum);
    [[unroll]] for (uint i = 0; i < 4; i++) sum = dot4(four[4 + i], high[i], sum);
    return block_scale(block) * float(sum);
}

void main() {
    const uint first = linear_first(ROWS), blocks = cols / 32;
    if (first >= rows) return;
    float sums[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; r++) sums[r] = 0.0;
    for (uint b = gl_LocalInvocationIndex; b < blocks; b += WG_SIZE) {
        const uvec4 low = bytes[b * 2], high = bytes[b * 2 + 1];
        [[unroll]] for (uint r = 0; r < ROWS; r++)
            sums[r] = fma(product(min(first + r, rows - 1) * blocks + b, low, high), steps[b], sums[r]);
    }
    [[unroll]] for (uint r = 0; r < ROWS; r++) {
        const float sum = reduce_sum(sums[r]);
        if (gl_LocalInvocationIndex == 0 && first + r < rows) y[first + r] = sum;
    }
}

// SPDX-License-Identifier: Apache-2.0
// c = a b^T of signed bytes in blocks of 32 and quantised weights. Shared memory holds a block of each line at a time.
// An invocation has TM x TN outputs, summed as integers within a block and as floats between blocks.
//
//     DOT     see dot4.glsl
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef DOT
#extension GL_EXT_integer_dot_product : require
#define ALL_CONTROLS
#endif
#include "types.glsl"
#include "workgroup.glsl"
#include "dot4.glsl"

layout(constant_id = 3) const uint TM = 4;
layout(constant_id = 4) const uint TN = 4;

layout(binding = 0) readonly buffer Bytes { uint bytes[]; };
layout(binding = 1) readonly buffer Steps { float steps[]; };
layout(binding = 2) readonly buffer B { uint words[]; };
layout(binding = 3) writeonly buffer C { float c[]; };
layout(push_constant) uniform Push { uint m, n, k; };
#include "block_bytes.glsl"

// Lines of the tiles: eight words, and one more to put neighbours' words into different banks.
const uint BLOCK_M = WG_Y * TM, BLOCK_N = WG_X * TN, LINE = 9;
shared uint tile_a[BLOCK_M * LINE], tile_b[BLOCK_N * LINE];
shared float steps_a[BLOCK_M], scales_b[BLOCK_N];

// Loads block `b` of the lines from `row` and `col` on. Lines beyond the last repeat it.
void load(uint row, uint col, uint b, uint blocks) {
    for (uint i = gl_LocalInvocationIndex; i < BLOCK_M * 8; i += WG_SIZE) {
        const uint block = min(row + i / 8, m - 1) * blocks + b;
        tile_a[i / 8 * LINE + i % 8] = bytes[block * 8 + i % 8];
        if (i % 8 == 0) steps_a[i / 8] = steps[block];
    }
    for (uint i = gl_LocalInvocationIndex; i < BLOCK_N * 8; i += WG_SIZE) {
        const uint block = min(col + i / 8, n - 1) * blocks + b;
        tile_b[i / 8 * LINE + i % 8] = block_word(block, i % 8);
        if (i % 8 == 0) scales_b[i / 8] = block_scale(block);
    }
}

float sums[TM][TN];

void multiply() {
    int whole[TM][TN];
    [[unroll]] for (uint i = 0; i < TM; i++)
        [[unroll]] for (uint j = 0; j < TN; j++) whole[i][j] = 0;
    [[unroll]] for (uint w = 0; w < 8; w++) {
        uint of_b[TN];
        [[unroll]] for (uint j = 0; j < TN; j++) of_b[j] = tile_b[(gl_LocalInvocationID.x + j * WG_X) * LINE + w];
        [[unroll]] for (uint i = 0; i < TM; i++) {
            const uint of_a = tile_a[(gl_LocalInvocationID.y * TM + i) * LINE + w];
            [[unroll]] for (uint j = 0; j < TN; j++) whole[i][j] = dot4(of_a, of_b[j], whole[i][j]);
        }
    }
    [[unroll]] for (uint i = 0; i < TM; i++)
        [[unroll]] for (uint j = 0; j < TN; j++)
            sums[i][j] = fma(steps_a[gl_LocalInvocationID.y * TM + i] * scales_b[gl_LocalInvocationID.x + j * WG_X],
                float(whole[i][j]), sums[i][j]);
}

void main() {
    const uint row = gl_WorkGroupID.y * BLOCK_M, col = gl_WorkGroupID.x * BLOCK_N, blocks = k / 32;
    [[unroll]] for (uint i = 0; i < TM; i++)
        [[unroll]] for (uint j = 0; j < TN; j++) sums[i][j] = 0.0;
    for (uint b = 0; b < blocks; b++) {
        load(row, col, b, blocks);
        barrier();
        multiply();
        barrier();
    }
    [[unroll]] for (uint i = 0; i < TM; i++) {
        const uint at = row + gl_LocalInvocationID.y * TM + i;
        [[unroll]] for (uint j = 0; j < TN; j++) {
            const uint to = col + gl_LocalInvocationID.x + j * WG_X;
            if (at < m && to < n) c[at * n + to] = sums[i][j];
        }
    }
}

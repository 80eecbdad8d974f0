// SPDX-License-Identifier: Apache-2.0
// A workgroup computes a WG_Y x WG_X tile of c, one element per invocation. TILE_K columns of a and rows of b at a time
// go through shared memory, where each element is read WG_X or WG_Y times. Tiles are zero beyond the matrices' edges,
// and are filled along the contiguous axis.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "product.glsl"

layout(constant_id = 3) const uint TILE_K = 16;

shared float tile_a[WG_Y * TILE_K];
shared float tile_b[TILE_K * WG_X];

void load_tiles(uint first_row, uint first_col, uint first_k) {
    for (uint i = gl_LocalInvocationIndex; i < WG_Y * TILE_K; i += WG_SIZE) {
#ifdef A_TURNED
        const uint y = i % WG_Y, l = i / WG_Y;
#else
        const uint y = i / TILE_K, l = i % TILE_K;
#endif
        const bool inside = first_row + y < m && first_k + l < k;
        tile_a[y * TILE_K + l] = inside ? a_at(first_row + y, first_k + l) : 0.0;
    }
    for (uint i = gl_LocalInvocationIndex; i < TILE_K * WG_X; i += WG_SIZE) {
#ifdef B_TURNED
        const uint l = i % TILE_K, x = i / TILE_K;
#else
        const uint l = i / WG_X, x = i % WG_X;
#endif
        const bool inside = first_k + l < k && first_col + x < n;
        tile_b[l * WG_X + x] = inside ? b_at(first_k + l, first_col + x) : 0.0;
    }
}

void main() {
    const uint x = gl_LocalInvocationID.x, y = gl_LocalInvocationID.y;
    const uint first_row = gl_WorkGroupID.y * WG_Y, first_col = gl_WorkGroupID.x * WG_X;
    const uint tiles = (k - 1) / TILE_K + 1;
    float sum = 0.0;
    for (uint tile = 0; tile < tiles; tile++) {
        load_tiles(first_row, first_col, tile * TILE_K);
        barrier();
        for (uint i = 0; i < TILE_K; i++)
            sum = fma(tile_a[y * TILE_K + i], tile_b[i * WG_X + x], sum);
        barrier();
    }
    put(first_row + y, first_col + x, sum);
}

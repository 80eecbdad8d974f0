// SPDX-License-Identifier: Apache-2.0
// A WG_Y x WG_X tile of c a workgroup, one element an invocation; TILE_K columns of a and rows of b
// at a time go through shared memory, where each element is read WG_X or WG_Y times. Tiles are zero
// beyond the matrices' edges.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(constant_id = 3) const uint TILE_K = 16;

layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 2) writeonly buffer C { T c[]; };
layout(push_constant) uniform Push { uint m, n, k; };

shared float tile_a[WG_Y * TILE_K];
shared float tile_b[TILE_K * WG_X];

void load_tiles(uint first_row, uint first_col, uint first_k) {
    for (uint i = gl_LocalInvocationIndex; i < WG_Y * TILE_K; i += WG_SIZE) {
        const uint row = first_row + i / TILE_K, at = first_k + i % TILE_K;
        tile_a[i] = row < m && at < k ? LOAD(a[row * k + at]) : 0.0;
    }
    for (uint i = gl_LocalInvocationIndex; i < TILE_K * WG_X; i += WG_SIZE) {
        const uint at = first_k + i / WG_X, col = first_col + i % WG_X;
        tile_b[i] = at < k && col < n ? LOAD(b[at * n + col]) : 0.0;
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
        for (uint i = 0; i < TILE_K; i++) sum = fma(tile_a[y * TILE_K + i], tile_b[i * WG_X + x], sum);
        barrier();
    }
    if (first_row + y < m && first_col + x < n) c[(first_row + y) * n + first_col + x] = STORE(sum);
}

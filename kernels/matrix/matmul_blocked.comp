// SPDX-License-Identifier: Apache-2.0
// A block of WG_Y TM x WG_X TN elements of c a workgroup, TM x TN of them in the registers of an
// invocation.
//
// TILE_K columns of a and rows of b at a time lie in shared memory as vec4s along m and n (a is
// turned over on the way), so that one step of k costs an invocation (TM + TN) / 4 reads for TM TN
// multiply-adds. Its elements are 4 x 4 squares, one workgroup's width of vec4s apart: neighbours
// then read neighbouring vec4s, which fall in different banks. While one tile is multiplied the
// next one is on its way to registers. Rows and columns beyond the edge repeat the last one and are
// never written; k beyond its end is zero.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(constant_id = 3) const uint TM = 8;
layout(constant_id = 4) const uint TN = 8;
layout(constant_id = 5) const uint TILE_K = 8;

layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 2) writeonly buffer C { T c[]; };
layout(push_constant) uniform Push { uint m, n, k; };

// In vec4s: sides of the block, and loads of an invocation for one tile.
const uint QUADS_M = WG_Y * TM / 4, QUADS_N = WG_X * TN / 4;
const uint LOADS_A = TILE_K * QUADS_M / WG_SIZE, LOADS_B = TILE_K * QUADS_N / WG_SIZE;
const uint PITCH_A = QUADS_M + 1; // padded: neighbours along k write to different banks

shared vec4 tile_a[TILE_K * PITCH_A];
shared vec4 tile_b[TILE_K * QUADS_N];

vec4 next_a[LOADS_A], next_b[LOADS_B];

void fetch(uint first_row, uint first_col, uint first_k) {
    [[unroll]] for (uint load = 0; load < LOADS_A; load++) {
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;
        const uint at = first_k + slot % TILE_K;
        const uvec4 row = min(first_row + slot / TILE_K * 4 + uvec4(0, 1, 2, 3), m - 1) * k + at;
        next_a[load] = vec4(0.0);
        if (at < k)
            next_a[load] = vec4(LOAD(a[row.x]), LOAD(a[row.y]), LOAD(a[row.z]), LOAD(a[row.w]));
    }
    [[unroll]] for (uint load = 0; load < LOADS_B; load++) {
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;
        const uint at = first_k + slot / QUADS_N;
        const uvec4 col = min(first_col + slot % QUADS_N * 4 + uvec4(0, 1, 2, 3), n - 1) + at * n;
        next_b[load] = vec4(0.0);
        if (at < k)
            next_b[load] = vec4(LOAD(b[col.x]), LOAD(b[col.y]), LOAD(b[col.z]), LOAD(b[col.w]));
    }
}

void place() {
    [[unroll]] for (uint load = 0; load < LOADS_A; load++) {
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;
        tile_a[slot % TILE_K * PITCH_A + slot / TILE_K] = next_a[load];
    }
    [[unroll]] for (uint load = 0; load < LOADS_B; load++)
        tile_b[load * WG_SIZE + gl_LocalInvocationIndex] = next_b[load];
}

vec4 sums[TM][TN / 4];

void multiply() {
    [[unroll]] for (uint i = 0; i < TILE_K; i++) {
        vec4 rows[TM / 4], cols[TN / 4];
        [[unroll]] for (uint r = 0; r < TM / 4; r++)
            rows[r] = tile_a[i * PITCH_A + r * WG_Y + gl_LocalInvocationID.y];
        [[unroll]] for (uint s = 0; s < TN / 4; s++)
            cols[s] = tile_b[i * QUADS_N + s * WG_X + gl_LocalInvocationID.x];
        [[unroll]] for (uint r = 0; r < TM; r++)
            [[unroll]] for (uint s = 0; s < TN / 4; s++) sums[r][s] = fma(vec4(rows[r / 4][r % 4]), cols[s], sums[r][s]);
    }
}

void main() {
    const uint first_row = gl_WorkGroupID.y * QUADS_M * 4;
    const uint first_col = gl_WorkGroupID.x * QUADS_N * 4;
    const uint tiles = (k - 1) / TILE_K + 1;
    [[unroll]] for (uint r = 0; r < TM; r++)
        [[unroll]] for (uint s = 0; s < TN / 4; s++) sums[r][s] = vec4(0.0);

    fetch(first_row, first_col, 0);
    for (uint tile = 1; tile <= tiles; tile++) {
        place();
        barrier();
        if (tile < tiles) fetch(first_row, first_col, tile * TILE_K);
        multiply();
        barrier();
    }

    [[unroll]] for (uint r = 0; r < TM; r++) {
        const uint row = first_row + (r / 4 * WG_Y + gl_LocalInvocationID.y) * 4 + r % 4;
        [[unroll]] for (uint s = 0; s < TN / 4; s++) {
            const uint col = first_col + (s * WG_X + gl_LocalInvocationID.x) * 4;
            [[unroll]] for (uint e = 0; e < 4; e++)
                if (row < m && col + e < n) c[row * n + col + e] = STORE(sums[r][s][e]);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
// A block of WG_Y TM x WG_X TN elements of c a workgroup, TM x TN of them in the registers of an
// invocation.
//
// TILE_K columns of a and rows of b at a time lie in shared memory as vec4s along m and n, so that
// one step of k costs an invocation (TM + TN) / 4 reads for TM TN multiply-adds. Its elements are
// 4 x 4 squares, one workgroup's width of vec4s apart: neighbours then read neighbouring vec4s,
// which fall in different banks. While one tile is multiplied the next one is on its way to
// registers; with two BUFFERS it is put down without waiting for those who still read the last.
// Rows and columns beyond the edge repeat the last one or are zero, and are never written; k beyond
// its end is zero.
//
// With HALF the products are added up in f16 within a tile, two at a time where the device packs
// them, and tiles in f32.
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef HALF
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define QUAD f16vec4
#else
#define QUAD vec4
#endif
#include "product.glsl"

layout(constant_id = 3) const uint TM = 8;
layout(constant_id = 4) const uint TN = 8;
layout(constant_id = 5) const uint TILE_K = 8;
layout(constant_id = 6) const uint BUFFERS = 1;

// In vec4s: sides of the block, and loads of an invocation for one tile.
const uint QUADS_M = WG_Y * TM / 4, QUADS_N = WG_X * TN / 4;
const uint LOADS_A = TILE_K * QUADS_M / WG_SIZE, LOADS_B = TILE_K * QUADS_N / WG_SIZE;
// Padded: writes across k spread over banks.
const uint PITCH_A = QUADS_M + 1, PITCH_B = QUADS_N + 1;

shared QUAD tile_a[BUFFERS * TILE_K * PITCH_A];
shared QUAD tile_b[BUFFERS * TILE_K * PITCH_B];

QUAD next_a[LOADS_A], next_b[LOADS_B];

// A matrix whose lines run along k is read in fours along k, and turned over on its way to the
// tile; one whose lines run across k lies in memory as it does in the tile.
#define FETCH_ALONG_K(next, loads, quad_of, first, side)                                      \
    [[unroll]] for (uint load = 0; load < loads; load++) {                                    \
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;                           \
        const uint line = min(first + slot / (TILE_K / 4), side - 1);                         \
        next[load] = QUAD(quad_of(line, first_k + slot % (TILE_K / 4) * 4));                  \
    }
#define PLACE_ALONG_K(tile, pitch, next, loads)                                               \
    [[unroll]] for (uint load = 0; load < loads; load++) {                                    \
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;                           \
        const uint line = slot / (TILE_K / 4), at = slot % (TILE_K / 4) * 4 + first;          \
        [[unroll]] for (uint e = 0; e < 4; e++)                                               \
            tile[(at + e) * pitch + line / 4][line % 4] = next[load][e];                      \
    }
#define FETCH_ACROSS_K(next, loads, quad_of, first, quads)                                    \
    [[unroll]] for (uint load = 0; load < loads; load++) {                                    \
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;                           \
        const uint line = first_k + slot / quads;                                             \
        next[load] = QUAD(0.0);                                                               \
        if (line < k) next[load] = QUAD(quad_of(line, first + slot % quads * 4));             \
    }
#define PLACE_ACROSS_K(tile, pitch, next, loads, quads)                                       \
    [[unroll]] for (uint load = 0; load < loads; load++) {                                    \
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;                           \
        tile[(first + slot / quads) * pitch + slot % quads] = next[load];                     \
    }

void fetch(uint first_row, uint first_col, uint first_k) {
#ifdef A_TURNED
    FETCH_ACROSS_K(next_a, LOADS_A, a_quad, first_row, QUADS_M)
#else
    FETCH_ALONG_K(next_a, LOADS_A, a_quad, first_row, m)
#endif
#ifdef B_TURNED
    FETCH_ALONG_K(next_b, LOADS_B, b_quad, first_col, n)
#else
    FETCH_ACROSS_K(next_b, LOADS_B, b_quad, first_col, QUADS_N)
#endif
}

void place(uint first) {
#ifdef A_TURNED
    PLACE_ACROSS_K(tile_a, PITCH_A, next_a, LOADS_A, QUADS_M)
#else
    PLACE_ALONG_K(tile_a, PITCH_A, next_a, LOADS_A)
#endif
#ifdef B_TURNED
    PLACE_ALONG_K(tile_b, PITCH_B, next_b, LOADS_B)
#else
    PLACE_ACROSS_K(tile_b, PITCH_B, next_b, LOADS_B, QUADS_N)
#endif
}

vec4 sums[TM][TN / 4];
#ifdef HALF
f16vec4 parts[TM][TN / 4];
#else
#define parts sums
#endif

#define EACH_QUAD(r, s)                           \
    [[unroll]] for (uint r = 0; r < TM; r++)      \
        [[unroll]] for (uint s = 0; s < TN / 4; s++)

void multiply(uint first) {
#ifdef HALF
    EACH_QUAD(r, s) parts[r][s] = f16vec4(0.0);
#endif
    [[unroll]] for (uint i = 0; i < TILE_K; i++) {
        QUAD rows[TM / 4], cols[TN / 4];
        [[unroll]] for (uint r = 0; r < TM / 4; r++)
            rows[r] = tile_a[(first + i) * PITCH_A + r * WG_Y + gl_LocalInvocationID.y];
        [[unroll]] for (uint s = 0; s < TN / 4; s++)
            cols[s] = tile_b[(first + i) * PITCH_B + s * WG_X + gl_LocalInvocationID.x];
        EACH_QUAD(r, s) parts[r][s] = fma(QUAD(rows[r / 4][r % 4]), cols[s], parts[r][s]);
    }
#ifdef HALF
    EACH_QUAD(r, s) sums[r][s] += vec4(parts[r][s]);
#endif
}

void main() {
    const uint first_row = gl_WorkGroupID.y * QUADS_M * 4;
    const uint first_col = gl_WorkGroupID.x * QUADS_N * 4;
    const uint tiles = (k - 1) / TILE_K + 1;
    EACH_QUAD(r, s) sums[r][s] = vec4(0.0);

    fetch(first_row, first_col, 0);
    for (uint tile = 1; tile <= tiles; tile++) {
        const uint first = tile % BUFFERS * TILE_K;
        place(first);
        barrier();
        if (tile < tiles) fetch(first_row, first_col, tile * TILE_K);
        multiply(first);
        if (BUFFERS == 1) barrier();
    }

    EACH_QUAD(r, s) {
        const uint row = first_row + (r / 4 * WG_Y + gl_LocalInvocationID.y) * 4 + r % 4;
        put_quad(row, first_col + (s * WG_X + gl_LocalInvocationID.x) * 4, sums[r][s]);
    }
}

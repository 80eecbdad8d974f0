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

// Each load takes four elements of a line. A matrix whose lines run along k is turned over on its
// way to the tile; one whose lines run across k lies in memory as it does in the tile.
#define ALONG_K(quad, first, side) quad(min(first + line, side - 1), first_k + at * 4)
#define ACROSS_K(quad, first)                                                                 \
    (first_k + line < k ? quad(first_k + line, first + at * 4) : vec4(0.0))
#define PLACE_ALONG_K(tile, pitch, four)                                                      \
    [[unroll]] for (uint e = 0; e < 4; e++)                                                   \
        tile[(start + at * 4 + e) * pitch + line / 4][line % 4] = four[e];
#define PLACE_ACROSS_K(tile, pitch, four) tile[(start + line) * pitch + at] = four;

#ifdef A_TURNED
const uint LINE_A = QUADS_M;
#define FETCH_A(quad) ACROSS_K(quad, first_row)
#define PLACE_A(four) PLACE_ACROSS_K(tile_a, PITCH_A, four)
#else
const uint LINE_A = TILE_K / 4;
#define FETCH_A(quad) ALONG_K(quad, first_row, m)
#define PLACE_A(four) PLACE_ALONG_K(tile_a, PITCH_A, four)
#endif
#ifdef B_TURNED
const uint LINE_B = TILE_K / 4;
#define FETCH_B(quad) ALONG_K(quad, first_col, n)
#define PLACE_B(four) PLACE_ALONG_K(tile_b, PITCH_B, four)
#else
const uint LINE_B = QUADS_N;
#define FETCH_B(quad) ACROSS_K(quad, first_col)
#define PLACE_B(four) PLACE_ACROSS_K(tile_b, PITCH_B, four)
#endif

#define EACH_LOAD(load, loads, line_length, line, at)                                         \
    for (uint load = 0; load < loads; load++) {                                               \
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;                           \
        const uint line = slot / line_length, at = slot % line_length;
#define END_LOAD }

void fetch(uint first_row, uint first_col, uint first_k) {
    [[unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at)
        next_a[load] = QUAD(FETCH_A(a_whole_quad));
    END_LOAD
    [[unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at)
        next_b[load] = QUAD(FETCH_B(b_whole_quad));
    END_LOAD
}

void place(uint start) {
    [[unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at) PLACE_A(next_a[load]) END_LOAD
    [[unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at) PLACE_B(next_b[load]) END_LOAD
}

// Fetches and places at once, where lines do not begin at vec4s. Loops stay loops: a copy of this
// road for each load would fill the instruction cache.
void place_ragged(uint start, uint first_row, uint first_col, uint first_k) {
    [[dont_unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at)
        const QUAD four = QUAD(FETCH_A(a_quad));
        PLACE_A(four)
    END_LOAD
    [[dont_unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at)
        const QUAD four = QUAD(FETCH_B(b_quad));
        PLACE_B(four)
    END_LOAD
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

    const bool whole = A_WHOLE && B_WHOLE;
    if (whole) fetch(first_row, first_col, 0);
    [[dont_unroll]] for (uint tile = 1; tile <= tiles; tile++) {
        const uint start = tile % BUFFERS * TILE_K;
        if (whole) place(start);
        else place_ragged(start, first_row, first_col, (tile - 1) * TILE_K);
        barrier();
        if (whole && tile < tiles) fetch(first_row, first_col, tile * TILE_K);
        multiply(start);
        if (BUFFERS == 1) barrier();
    }

    EACH_QUAD(r, s) {
        const uint row = first_row + (r / 4 * WG_Y + gl_LocalInvocationID.y) * 4 + r % 4;
        put_quad(row, first_col + (s * WG_X + gl_LocalInvocationID.x) * 4, sums[r][s]);
    }
}

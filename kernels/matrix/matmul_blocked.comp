// SPDX-License-Identifier: Apache-2.0
// A workgroup computes a block of WG_Y TM x WG_X TN elements of c, an invocation TM x TN of them in
// registers.
//
// TILE_K columns of a and rows of b at a time are in shared memory as vec4s along m and n. A step
// of k then costs an invocation (TM + TN) / 4 reads for TM TN multiply-adds. Its elements are 4 x 4
// squares, one workgroup's width of vec4s apart. Neighbours then read neighbouring vec4s, which are
// in different banks. With a WG_X of 8 a subgroup of 32 is 4 x 8; this patch reads the fewest
// different vec4s. The next tile is loaded to registers while one is multiplied. With two BUFFERS
// it is stored without waiting for invocations that still read the last tile. Rows and columns
// beyond the edge repeat the last one or are zero, and are never written; k beyond its end is zero.
//
// With SLICED a workgroup is WG_Z slices deep, and each slice takes its share of every tile's
// steps.
//
// With HALF the products are added up in f16 within a tile, two at a time if the device packs them.
// Tiles are added up in f32.
#version 450
#extension GL_GOOGLE_include_directive : require
#ifdef HALF
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define QUAD f16vec4
#else
#define QUAD vec4
#endif
#define MATRIX gl_WorkGroupID.z
#include "product.glsl"

layout(constant_id = 3) const uint TM = 8;
layout(constant_id = 4) const uint TN = 8;
layout(constant_id = 5) const uint TILE_K = 16;
layout(constant_id = 6) const uint BUFFERS = 2;

vec4 sums[TM][TN / 4];

#include "slices.glsl"

// Counted in vec4s: the sides of the block, and the loads of an invocation for one tile.
const uint QUADS_M = WG_Y * TM / 4, QUADS_N = WG_X * TN / 4;
const uint LOADS_A = TILE_K * QUADS_M / WG_SIZE, LOADS_B = TILE_K * QUADS_N / WG_SIZE;

// A tile's row of step i begins at i * QUADS + i / 4 * PAD. A turned matrix is written one element at a time, by
// invocations that are neighbours along k. PAD puts these into different banks.
#ifdef A_TURNED
const uint LINE_A = QUADS_M, PAD_A = 0;
#else
const uint LINE_A = TILE_K / 4, PAD_A = 32 / TILE_K;
#endif
#ifdef B_TURNED
const uint LINE_B = TILE_K / 4, PAD_B = 32 / TILE_K;
#else
const uint LINE_B = QUADS_N, PAD_B = 0;
#endif
const uint SIZE_A = TILE_K * QUADS_M + TILE_K / 4 * PAD_A;
const uint SIZE_B = TILE_K * QUADS_N + TILE_K / 4 * PAD_B;

shared QUAD tile_a[BUFFERS * SIZE_A];
shared QUAD tile_b[BUFFERS * SIZE_B];

QUAD next_a[LOADS_A], next_b[LOADS_B];

// Each load takes four elements of a line; the next load is STEP lines further. A matrix with lines along k
// is turned on its way to the tile. A matrix with lines across k has the same order in memory and in the
// tile.
#define STEP(length) (WG_SIZE / length)
#define LINE(length) (gl_LocalInvocationIndex / length + load * STEP(length))
#define AT(length) (gl_LocalInvocationIndex % length)

// Whole tiles: reads stay within k, and rows and columns beyond the edge repeat the last one.
#define NEAR_ALONG_K(quad, length, first, side)                                               \
    quad(min(first + LINE(length), side - 1), first_k + AT(length) * 4)
#define NEAR_ACROSS_K(quad, length, first, side)                                              \
    quad(first_k + LINE(length), min(first + AT(length) * 4, side - 4))
// Other tiles: zero beyond the end of k, and lines need not begin at vec4s.
#define FAR_ALONG_K(quad, length, first, side) NEAR_ALONG_K(quad, length, first, side)
#define FAR_ACROSS_K(quad, length, first, side)                                               \
    (first_k + LINE(length) < k ? quad(first_k + LINE(length), first + AT(length) * 4) : vec4(0.0))

#define PLACE_ALONG_K(tile, length, quads, pad, four)                                         \
    [[unroll]] for (uint e = 0; e < 4; e++)                                                   \
        tile[start + (AT(length) * 4 + e) * quads + AT(length) * pad +                        \
             gl_LocalInvocationIndex / length / 4 + load * (STEP(length) / 4)]                \
            [gl_LocalInvocationIndex / length % 4] = four[e];
#define PLACE_ACROSS_K(tile, length, quads, pad, four)                                        \
    tile[start + LINE(length) * quads + AT(length)] = four;

#ifdef A_TURNED
#define NEAR_A NEAR_ACROSS_K(a_inner_quad, LINE_A, first_row, m)
#define FAR_A FAR_ACROSS_K(a_quad, LINE_A, first_row, m)
#define PLACE_A(four) PLACE_ACROSS_K(tile_a, LINE_A, QUADS_M, PAD_A, four)
#else
#define NEAR_A NEAR_ALONG_K(a_inner_quad, LINE_A, first_row, m)
#define FAR_A FAR_ALONG_K(a_quad, LINE_A, first_row, m)
#define PLACE_A(four) PLACE_ALONG_K(tile_a, LINE_A, QUADS_M, PAD_A, four)
#endif
#ifdef B_TURNED
#define NEAR_B NEAR_ALONG_K(b_inner_quad, LINE_B, first_col, n)
#define FAR_B FAR_ALONG_K(b_quad, LINE_B, first_col, n)
#define PLACE_B(four) PLACE_ALONG_K(tile_b, LINE_B, QUADS_N, PAD_B, four)
#else
#define NEAR_B NEAR_ACROSS_K(b_inner_quad, LINE_B, first_col, n)
#define FAR_B FAR_ACROSS_K(b_quad, LINE_B, first_col, n)
#define PLACE_B(four) PLACE_ACROSS_K(tile_b, LINE_B, QUADS_N, PAD_B, four)
#endif

#define EACH_LOAD(load, loads) for (uint load = 0; load < loads; load++)

void fetch(uint first_row, uint first_col, uint first_k) {
    [[unroll]] EACH_LOAD(load, LOADS_A) next_a[load] = QUAD(NEAR_A);
    [[unroll]] EACH_LOAD(load, LOADS_B) next_b[load] = QUAD(NEAR_B);
}

void place_a(uint start) {
    [[unroll]] EACH_LOAD(load, LOADS_A) { PLACE_A(next_a[load]) }
}

void place_b(uint start) {
    [[unroll]] EACH_LOAD(load, LOADS_B) { PLACE_B(next_b[load]) }
}

// Fetch and place at once. They serve lines that do not begin at vec4s, and a k with an end inside a tile. The loops
// are not unrolled, because a copy of this code for each load would fill the instruction cache.
void carry_a(uint start, uint first_row, uint first_k) {
    [[dont_unroll]] EACH_LOAD(load, LOADS_A) {
        const QUAD four = QUAD(FAR_A);
        PLACE_A(four)
    }
}

void carry_b(uint start, uint first_col, uint first_k) {
    [[dont_unroll]] EACH_LOAD(load, LOADS_B) {
        const QUAD four = QUAD(FAR_B);
        PLACE_B(four)
    }
}

#ifdef HALF
f16vec4 parts[TM][TN / 4];
#else
#define parts sums
#endif

#define EACH_QUAD(r, s)                           \
    [[unroll]] for (uint r = 0; r < TM; r++)      \
        [[unroll]] for (uint s = 0; s < TN / 4; s++)

// Multiplies one step of k; its rows begin at `at_a` and `at_b`.
void multiply_step(uint at_a, uint at_b) {
    QUAD rows[TM / 4], cols[TN / 4];
    [[unroll]] for (uint r = 0; r < TM / 4; r++)
        rows[r] = tile_a[at_a + r * WG_Y + gl_LocalInvocationID.y];
    [[unroll]] for (uint s = 0; s < TN / 4; s++)
        cols[s] = tile_b[at_b + s * WG_X + gl_LocalInvocationID.x];
    EACH_QUAD(r, s) parts[r][s] = fma(QUAD(rows[r / 4][r % 4]), cols[s], parts[r][s]);
}

// Multiplies four steps, starting at step i of the slice.
void multiply_four(uint buffer_, uint i) {
    const uint at = FIRST_STEP + i;
    const uint at_a = buffer_ * SIZE_A + at * QUADS_M + at / 4 * PAD_A;
    const uint at_b = buffer_ * SIZE_B + at * QUADS_N + at / 4 * PAD_B;
    [[unroll]] for (uint step_ = 0; step_ < 4; step_++)
        multiply_step(at_a + step_ * QUADS_M, at_b + step_ * QUADS_N);
}

#ifdef HALF
#define START_PARTS EACH_QUAD(r, s) parts[r][s] = f16vec4(0.0)
#define END_PARTS EACH_QUAD(r, s) sums[r][s] += vec4(parts[r][s])
#else
#define START_PARTS
#define END_PARTS
#endif

// Multiplies all whole tiles; lines must begin at vec4s.
void multiply_whole(uint first_row, uint first_col) {
    const uint tiles = k / TILE_K;
    if (tiles > 0) fetch(first_row, first_col, 0);
    [[dont_unroll]] for (uint tile = 0; tile < tiles; tile++) {
        const uint now = tile % BUFFERS;
        place_a(now * SIZE_A);
        place_b(now * SIZE_B);
        barrier();
        if (tile + 1 < tiles) fetch(first_row, first_col, (tile + 1) * TILE_K);
        START_PARTS;
        [[unroll]] for (uint i = 0; i < STEPS; i += 4) multiply_four(now, i);
        END_PARTS;
        if (BUFFERS == 1) barrier();
    }
}

// Multiplies the tiles from `first_k` on.
void multiply_ragged(uint first_row, uint first_col, uint first_k) {
    [[dont_unroll]] for (; first_k < k; first_k += TILE_K) {
        barrier();
        carry_a(0, first_row, first_k);
        carry_b(0, first_col, first_k);
        barrier();
        START_PARTS;
        [[dont_unroll]] for (uint i = 0; i < STEPS; i += 4) multiply_four(0, i);
        END_PARTS;
    }
}

void main() {
    const uint first_row = gl_WorkGroupID.y * QUADS_M * 4;
    const uint first_col = gl_WorkGroupID.x * QUADS_N * 4;
    const bool whole = A_WHOLE && B_WHOLE;
    EACH_QUAD(r, s) sums[r][s] = vec4(0.0);
    if (whole) multiply_whole(first_row, first_col);
    multiply_ragged(first_row, first_col, whole ? k / TILE_K * TILE_K : 0);
    if (!join_slices()) return;

    EACH_QUAD(r, s) {
        const uint row = first_row + (r / 4 * WG_Y + gl_LocalInvocationID.y) * 4 + r % 4;
        put_quad(row, first_col + (s * WG_X + gl_LocalInvocationID.x) * 4, sums[r][s]);
    }
}

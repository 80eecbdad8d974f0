// SPDX-License-Identifier: Apache-2.0
// A BLOCK_M x BLOCK_N block of c a workgroup by cooperative matrices, of which each of SUBGROUPS_M
// x SUBGROUPS_N subgroups holds a grid of sums.
//
// TILE_K columns of a and rows of b at a time lie in shared memory as they do in memory, in vectors
// of eight with one of padding a line, so that the lines of a matrix fall in different banks. While
// one tile is multiplied the next one is on its way to registers. Lines beyond the edge repeat the
// last one or are zero, and are never written; k beyond its end is zero. Sums leave by way of
// shared memory, as matrices at the edge are not whole.
//
// No rounding mode is declared: the units that multiply matrices round as they like.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#define FREE_ROUNDING
#include "cooperative.glsl"
#include "product.glsl"

const uint SUBGROUP_M = BLOCK_M / SUBGROUPS_M, SUBGROUP_N = BLOCK_N / SUBGROUPS_N;
const uint ACROSS_M = SUBGROUP_M / COOP_M, ACROSS_N = SUBGROUP_N / COOP_N;

// In vectors of eight: a line of each tile, its pitch, how many lines, loads of an invocation.
#ifdef A_TURNED
const uint LINE_A = BLOCK_M / 8, LINES_A = TILE_K;
#else
const uint LINE_A = TILE_K / 8, LINES_A = BLOCK_M;
#endif
#ifdef B_TURNED
const uint LINE_B = TILE_K / 8, LINES_B = BLOCK_N;
#else
const uint LINE_B = BLOCK_N / 8, LINES_B = TILE_K;
#endif
const uint PITCH_A = LINE_A + 1, PITCH_B = LINE_B + 1;
const uint LOADS_A = LINE_A * LINES_A / WG_SIZE, LOADS_B = LINE_B * LINES_B / WG_SIZE;

shared uvec4 tile_a[BUFFERS * LINES_A * PITCH_A];
shared uvec4 tile_b[BUFFERS * LINES_B * PITCH_B];
shared float leaving[SUBGROUPS_M * SUBGROUPS_N * COOP_M * COOP_N];

uvec4 next_a[LOADS_A], next_b[LOADS_B];

layout(binding = 0) readonly buffer A8 { uvec4 a8[]; };
layout(binding = 1) readonly buffer B8 { uvec4 b8[]; };

uvec4 pack_eight(vec4 low, vec4 high) {
    return uvec4(packHalf2x16(low.xy), packHalf2x16(low.zw), packHalf2x16(high.xy),
        packHalf2x16(high.zw));
}

// Eight elements of a line from `first` on, a multiple of eight; 0 beyond the line's end.
uvec4 a_whole(uint line, uint first) {
    return first < A_AXIS ? a8[(A_START + line * A_AXIS + first) / 8] : uvec4(0);
}
uvec4 b_whole(uint line, uint first) {
    return first < B_AXIS ? b8[(B_START + line * B_AXIS + first) / 8] : uvec4(0);
}
uvec4 a_ragged(uint line, uint first) {
    return pack_eight(a_quad(line, first), a_quad(line, first + 4));
}
uvec4 b_ragged(uint line, uint first) {
    return pack_eight(b_quad(line, first), b_quad(line, first + 4));
}

// Vector `at` of line `line` of a tile, by one of the above.
#ifdef A_TURNED
#define A_VECTOR(eight) (first_k + line < k ? eight(first_k + line, first_row + at * 8) : uvec4(0))
#else
#define A_VECTOR(eight) eight(min(first_row + line, m - 1), first_k + at * 8)
#endif
#ifdef B_TURNED
#define B_VECTOR(eight) eight(min(first_col + line, n - 1), first_k + at * 8)
#else
#define B_VECTOR(eight) (first_k + line < k ? eight(first_k + line, first_col + at * 8) : uvec4(0))
#endif

#define EACH_LOAD(load, loads, line_length, line, at)                                         \
    for (uint load = 0; load < loads; load++) {                                               \
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;                           \
        const uint line = slot / line_length, at = slot % line_length;
#define END_LOAD }

#define IN_TILE_A tile_a[(buffer_index * LINES_A + line) * PITCH_A + at]
#define IN_TILE_B tile_b[(buffer_index * LINES_B + line) * PITCH_B + at]

void fetch(uint first_row, uint first_col, uint first_k) {
    [[unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at) next_a[load] = A_VECTOR(a_whole); END_LOAD
    [[unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at) next_b[load] = B_VECTOR(b_whole); END_LOAD
}

void place(uint buffer_index) {
    [[unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at) IN_TILE_A = next_a[load]; END_LOAD
    [[unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at) IN_TILE_B = next_b[load]; END_LOAD
}

// Fetches and places at once, where lines do not begin at vectors. Loops stay loops: a copy of this
// road for each load would fill the instruction cache.
void place_ragged(uint buffer_index, uint first_row, uint first_col, uint first_k) {
    [[dont_unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at)
        IN_TILE_A = A_VECTOR(a_ragged);
    END_LOAD
    [[dont_unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at)
        IN_TILE_B = B_VECTOR(b_ragged);
    END_LOAD
}

MATRIX_SUM sums[ACROSS_M][ACROSS_N];

void multiply(uint buffer_index, uint row, uint col) {
    [[unroll]] for (uint l = 0; l < TILE_K; l += COOP_K) {
        MATRIX_A left[ACROSS_M];
        [[unroll]] for (uint i = 0; i < ACROSS_M; i++) {
#ifdef A_TURNED
            const uint line = l, at = row + i * COOP_M;
            const bool by_column = true;
#else
            const uint line = row + i * COOP_M, at = l;
            const bool by_column = false;
#endif
            MATRIX_LOAD(left[i], tile_a, (buffer_index * LINES_A + line) * PITCH_A + at / 8,
                PITCH_A, by_column);
        }
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++) {
#ifdef B_TURNED
            const uint line = col + j * COOP_N, at = l;
            const bool by_column = true;
#else
            const uint line = l, at = col + j * COOP_N;
            const bool by_column = false;
#endif
            MATRIX_B right;
            MATRIX_LOAD(right, tile_b, (buffer_index * LINES_B + line) * PITCH_B + at / 8,
                PITCH_B, by_column);
            [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
                sums[i][j] = MATRIX_MULTIPLY(left[i], right, sums[i][j]);
        }
    }
}

// The sums of this subgroup at (row, col) of c, whole matrices one after another. Every loop is
// unrolled: one that is not would leave an index of `sums` to run time, and sums to memory.
void put_sums(uint row, uint col) {
    const uint mine = gl_SubgroupID * COOP_M * COOP_N;
    [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++) {
            MATRIX_STORE(sums[i][j], leaving, mine, COOP_N);
            barrier();
            [[unroll]] for (uint first = 0; first < COOP_M * COOP_N; first += SUBGROUP * 4) {
                const uint e = first + gl_SubgroupInvocationID * 4, at = mine + e;
                if (e < COOP_M * COOP_N)
                    put_quad(row + i * COOP_M + e / COOP_N, col + j * COOP_N + e % COOP_N,
                        vec4(leaving[at], leaving[at + 1], leaving[at + 2], leaving[at + 3]));
            }
            barrier();
        }
}

void main() {
    const uint first_row = gl_WorkGroupID.y * BLOCK_M, first_col = gl_WorkGroupID.x * BLOCK_N;
    const uint row = gl_SubgroupID / SUBGROUPS_N * SUBGROUP_M;
    const uint col = gl_SubgroupID % SUBGROUPS_N * SUBGROUP_N;
    const uint tiles = (k - 1) / TILE_K + 1;
    [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++) sums[i][j] = MATRIX_SUM(0.0);

    const bool whole = A_AXIS % 8 == 0 && B_AXIS % 8 == 0;
    if (whole) fetch(first_row, first_col, 0);
    [[dont_unroll]] for (uint tile = 1; tile <= tiles; tile++) {
        const uint buffer_index = tile % BUFFERS;
        if (whole) place(buffer_index);
        else place_ragged(buffer_index, first_row, first_col, (tile - 1) * TILE_K);
        barrier();
        if (whole && tile < tiles) fetch(first_row, first_col, tile * TILE_K);
        multiply(buffer_index, row, col);
        if (BUFFERS == 1) barrier();
    }
    put_sums(first_row + row, first_col + col);
}

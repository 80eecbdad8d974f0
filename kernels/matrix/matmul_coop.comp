// SPDX-License-Identifier: Apache-2.0
// A workgroup computes a BLOCK_M x BLOCK_N block of c by cooperative matrices; each of its SUBGROUPS_M x
// SUBGROUPS_N subgroups holds a grid of sums.
//
// TILE_K columns of a and rows of b at a time are in shared memory, in the same order as in memory. A line has
// vectors of eight and one vector of padding, so that the lines of a matrix are in different banks. The next tile
// is loaded to registers while one is multiplied. Lines beyond the edge repeat the last one or are zero, and are
// never written; k beyond its end is zero. Matrices inside c are stored as such, if they have the type of c. The
// others go through shared memory, one at a time for each subgroup. Sums begin with the bias.
//
// With SPLIT defined, workgroups along z divide k. Each stores its sums as f32, in whole blocks, for matmul_join.comp,
// which adds the bias.
//
// No rounding mode is declared, because the units that multiply matrices round as they like. All sizes are
// specialization constants, so that one module serves all shapes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#define FREE_ROUNDING
#define ALL_CONTROLS
#ifdef WIDENED // an earlier pass converted quantised weights and a to f16; c is f32
#undef DTYPE_Q8_0
#undef DTYPE_Q4_0
#define DTYPE_F16
#define C_FLOAT
#endif
#ifdef SPLIT
#undef BIAS
#undef ACTIVATE
#define C_FLOAT
#endif
#include "cooperative.glsl"
#include "product.glsl"

layout(constant_id = 3) const uint SUBGROUP = 32;
layout(constant_id = 4) const uint BLOCK_M = 64;
layout(constant_id = 5) const uint BLOCK_N = 64;
layout(constant_id = 6) const uint TILE_K = 32;
layout(constant_id = 7) const uint SUBGROUPS_M = 2;
layout(constant_id = 8) const uint SUBGROUPS_N = 2;
layout(constant_id = 9) const uint COOP_M = 16;
layout(constant_id = 10) const uint COOP_N = 16;
layout(constant_id = 11) const uint COOP_K = 16;
layout(constant_id = 12) const uint BUFFERS = 1;

const uint SUBGROUP_M = BLOCK_M / SUBGROUPS_M, SUBGROUP_N = BLOCK_N / SUBGROUPS_N;
const uint ACROSS_M = SUBGROUP_M / COOP_M, ACROSS_N = SUBGROUP_N / COOP_N;

#ifdef DTYPE_I8
#define VECTOR 16 // elements in 16 bytes
#define PIECE uvec2 // eight elements, because matrices may begin inside a vector
#define PIECES 2
#else
#define VECTOR 8
#define PIECE uvec4
#define PIECES 1
#endif

// Counted in vectors: a line of each tile, its pitch, the number of lines, the loads of an invocation.
#ifdef A_TURNED
const uint LINE_A = BLOCK_M / VECTOR, LINES_A = TILE_K;
#else
const uint LINE_A = TILE_K / VECTOR, LINES_A = BLOCK_M;
#endif
#ifdef B_TURNED
const uint LINE_B = TILE_K / VECTOR, LINES_B = BLOCK_N;
#else
const uint LINE_B = BLOCK_N / VECTOR, LINES_B = TILE_K;
#endif
const uint PITCH_A = LINE_A + 1, PITCH_B = LINE_B + 1;
const uint LOADS_A = LINE_A * LINES_A / WG_SIZE, LOADS_B = LINE_B * LINES_B / WG_SIZE;

shared PIECE tile_a[BUFFERS * LINES_A * PITCH_A * PIECES];
shared PIECE tile_b[BUFFERS * LINES_B * PITCH_B * PIECES];
shared SUM_T leaving[SUBGROUPS_M * SUBGROUPS_N * COOP_M * COOP_N];
#ifdef BIAS
shared float bias_line[BLOCK_N];
#endif

#include "line_vectors.glsl"

// Reads vector `at` of line `line` of a tile, by one of the functions above.
#ifdef A_TURNED
#define A_VECTOR(eight) (first_k + line < k ? eight(first_k + line, first_row + at * VECTOR) : uvec4(0))
#else
#define A_VECTOR(eight) eight(min(first_row + line, m - 1), first_k + at * VECTOR)
#endif
#ifdef B_TURNED
#define B_VECTOR(eight) eight(min(first_col + line, n - 1), first_k + at * VECTOR)
#else
#define B_VECTOR(eight) (first_k + line < k ? eight(first_k + line, first_col + at * VECTOR) : uvec4(0))
#endif

#define EACH_LOAD(load, loads, line_length, line, at)                                         \
    for (uint load = 0; load < loads; load++) {                                               \
        const uint slot = load * WG_SIZE + gl_LocalInvocationIndex;                           \
        const uint line = slot / line_length, at = slot % line_length;
#define END_LOAD }

#define PLACE_A(value) PUT(tile_a, (buffer_index * LINES_A + line) * PITCH_A + at, value)
#define PLACE_B(value) PUT(tile_b, (buffer_index * LINES_B + line) * PITCH_B + at, value)
#ifdef DTYPE_I8
#define PUT(tile, place, value)                                                               \
    {                                                                                         \
        const uvec4 vector = value;                                                           \
        tile[(place) * 2] = vector.xy;                                                        \
        tile[(place) * 2 + 1] = vector.zw;                                                    \
    }
#else
#define PUT(tile, place, value) tile[place] = value;
#endif

// Fetches and places at once, for lines that do not begin at vectors. The loops are not unrolled, because a copy of
// this code for each load would fill the instruction cache.
void place_ragged(uint buffer_index, uint first_row, uint first_col, uint first_k) {
    [[dont_unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at)
        PLACE_A(A_VECTOR(a_ragged))
    END_LOAD
    [[dont_unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at)
        PLACE_B(B_VECTOR(b_ragged))
    END_LOAD
}

// The place of a matrix's row and column in a tile, as a line and an offset in it.
#ifdef A_TURNED
#define A_PLACE(row, depth) depth, row
#define A_BY_COLUMN true
#else
#define A_PLACE(row, depth) row, depth
#define A_BY_COLUMN false
#endif
#ifdef B_TURNED
#define B_PLACE(depth, col) col, depth
#define B_BY_COLUMN true
#else
#define B_PLACE(depth, col) depth, col
#define B_BY_COLUMN false
#endif
uint in_a(uint buffer_index, uint line, uint at) {
    return (buffer_index * LINES_A + line) * PITCH_A * PIECES + at / 8;
}
uint in_b(uint buffer_index, uint line, uint at) {
    return (buffer_index * LINES_B + line) * PITCH_B * PIECES + at / 8;
}

// Gives workgroups that run together neighbouring blocks: GROUP lines of blocks at a time, column after column. The
// cache then holds the data they read.
const uint GROUP = 8;
uvec2 block_of_group() {
    const uint across = gl_NumWorkGroups.x, id = gl_WorkGroupID.y * across + gl_WorkGroupID.x;
    const uint first = id / (GROUP * across) * GROUP, lines = min(gl_NumWorkGroups.y - first, GROUP);
    const uint within = id % (GROUP * across);
    return uvec2(within / lines, first + within % lines);
}

#include "subgroup_wait.glsl"

#ifdef DTYPE_I8
#define LEAVE(sum) (sum)
#define MATRIX_C MATRIX_SUM
#else
#define LEAVE(sum) float(sum)
#endif

// Stores a matrix that this subgroup has put into `leaving`, or nothing if `row` is m. All subgroups wait here.
void put_leaving(uint row, uint col) {
    const uint mine = gl_SubgroupID * COOP_M * COOP_N;
    wait_for_subgroup();
    [[unroll]] for (uint first = 0; first < COOP_M * COOP_N; first += SUBGROUP) {
        const uint e = first + gl_SubgroupInvocationID, to_row = row + e / COOP_N;
        const uint to_col = col + e % COOP_N;
        if (e < COOP_M * COOP_N && to_row < m && to_col < n)
            c[C_START + to_row * n + to_col] = C_STORE(LEAVE(leaving[mine + e]));
    }
    wait_for_subgroup();
}

// Matrices of the type of c, if the device has such sums.
#if defined(FEATURE_COOPERATIVE_MATRIX_KHR) && defined(DTYPE_F16) && !defined(C_FLOAT)
#define MATRIX_C MATRIX_SUM_OF(float16_t)
#elif defined(FEATURE_COOPERATIVE_MATRIX_KHR) && (!defined(AS_STORED) || defined(C_FLOAT))
#define MATRIX_C MATRIX_SUM
#endif

// This workgroup's tiles, in k.
#ifdef SPLIT
#define SHARE ((TILES - 1) / gl_NumWorkGroups.z + 1)
#define FIRST_TILE (gl_WorkGroupID.z * SHARE)
#define END_TILE min(FIRST_TILE + SHARE, TILES)
#else
#define FIRST_TILE 0
#define END_TILE TILES
#endif
#define TILES ((k - 1) / TILE_K + 1)

void main() {
    const uvec2 block = block_of_group();
    const uint first_row = block.y * BLOCK_M, first_col = block.x * BLOCK_N;
    const uint row = gl_SubgroupID / SUBGROUPS_N * SUBGROUP_M;
    const uint col = gl_SubgroupID % SUBGROUPS_N * SUBGROUP_N;
    const uint first_tile = FIRST_TILE, end_tile = END_TILE;
    uvec4 next_a[LOADS_A], next_b[LOADS_B];
    MATRIX_SUM sums[ACROSS_M * ACROSS_N];

#ifdef BIAS
    for (uint i = gl_LocalInvocationIndex; i < BLOCK_N; i += WG_SIZE)
        bias_line[i] = first_col + i < n ? LOAD(bias[first_col + i]) : 0.0;
    barrier();
    [[unroll]] for (uint j = 0; j < ACROSS_N; j++)
        [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
            MATRIX_LOAD(sums[i * ACROSS_N + j], bias_line, col + j * COOP_N, 0, false);
#else
    [[unroll]] for (uint i = 0; i < ACROSS_M * ACROSS_N; i++) sums[i] = MATRIX_SUM(SUM_T(0));
#endif

#define FETCH(tile_to_load)                                                                   \
    {                                                                                         \
        const uint first_k = (tile_to_load) * TILE_K;                                         \
        [[unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at)                                 \
            next_a[load] = A_VECTOR(a_whole);                                                 \
        END_LOAD                                                                              \
        [[unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at)                                 \
            next_b[load] = B_VECTOR(b_whole);                                                 \
        END_LOAD                                                                              \
    }
    const bool whole = WHOLE;
    if (whole) FETCH(first_tile)
    [[dont_unroll]] for (uint tile = first_tile; tile < end_tile; tile++) {
        const uint buffer_index = tile % BUFFERS;
        if (whole) {
            [[unroll]] EACH_LOAD(load, LOADS_A, LINE_A, line, at) PLACE_A(next_a[load]) END_LOAD
            [[unroll]] EACH_LOAD(load, LOADS_B, LINE_B, line, at) PLACE_B(next_b[load]) END_LOAD
        } else {
            place_ragged(buffer_index, first_row, first_col, tile * TILE_K);
        }
        barrier();
        if (whole && tile + 1 < end_tile) FETCH(tile + 1)
        [[unroll]] for (uint l = 0; l < TILE_K; l += COOP_K) {
            MATRIX_A left[ACROSS_M];
            [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
                MATRIX_LOAD(left[i], tile_a, in_a(buffer_index, A_PLACE(row + i * COOP_M, l)), PITCH_A * PIECES,
                    A_BY_COLUMN);
            [[unroll]] for (uint j = 0; j < ACROSS_N; j++) {
                MATRIX_B right;
                MATRIX_LOAD(right, tile_b, in_b(buffer_index, B_PLACE(l, col + j * COOP_N)), PITCH_B * PIECES,
                    B_BY_COLUMN);
                [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
                    sums[i * ACROSS_N + j] = MATRIX_MULTIPLY(left[i], right, sums[i * ACROSS_N + j]);
            }
        }
        if (BUFFERS == 1) barrier();
    }

#ifdef ACTIVATE
    [[unroll]] for (uint i = 0; i < ACROSS_M * ACROSS_N; i++)
        for (uint e = 0; e < sums[i].length(); e++) sums[i][e] = ACTIVATE(sums[i][e]);
#endif
#ifdef SPLIT
    const uint pitch = gl_NumWorkGroups.x * BLOCK_N;
    const uint first = (gl_WorkGroupID.z * gl_NumWorkGroups.y * BLOCK_M + first_row + row) * pitch + first_col + col;
    [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++)
            MATRIX_STORE(sums[i * ACROSS_N + j], c, first + i * COOP_M * pitch + j * COOP_N, pitch);
#else
#ifdef MATRIX_C
    if (first_row + BLOCK_M <= m && first_col + BLOCK_N <= n && n % 8 == 0) {
        [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
            [[unroll]] for (uint j = 0; j < ACROSS_N; j++) {
                const uint at = (first_row + row + i * COOP_M) * n + first_col + col + j * COOP_N;
                MATRIX_STORE(MATRIX_C(sums[i * ACROSS_N + j]), c, C_START + at, n);
            }
        return;
    }
#endif
    [[unroll]] for (uint i = 0; i < ACROSS_M; i++)
        [[unroll]] for (uint j = 0; j < ACROSS_N; j++) {
            const uint to_row = first_row + row + i * COOP_M, to_col = first_col + col + j * COOP_N;
            bool stored = false;
#ifdef MATRIX_C
            stored = to_row + COOP_M <= m && to_col + COOP_N <= n && n % 8 == 0;
            if (stored) MATRIX_STORE(MATRIX_C(sums[i * ACROSS_N + j]), c, C_START + to_row * n + to_col, n);
#endif
            if (!stored) MATRIX_STORE(sums[i * ACROSS_N + j], leaving, gl_SubgroupID * COOP_M * COOP_N, COOP_N);
            put_leaving(stored ? m : to_row, to_col);
        }
#endif
}

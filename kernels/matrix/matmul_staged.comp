// SPDX-License-Identifier: Apache-2.0
// A workgroup computes a block of c by PARTS matrices of PART_M rows, held by the whole workgroup
// (GL_NV_cooperative_matrix2), for sizes of whole blocks. The invocations put tiles of a and b into shared memory. The
// next tile is loaded to registers while one is multiplied. With EDGES defined, n and k only are whole vectors.
//
// Lines of tiles are vectors of eight and one vector of padding, so that the lines of a matrix are in different banks.
// In a batch a workgroup takes the same block of several matrices. A block then leaves through this memory too, in
// whole vectors along c's rows. The next block's first tile has been loading since the last tile.
#version 450
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#ifdef DTYPE_BF16
#extension GL_EXT_bfloat16 : require
#endif
#define FREE_ROUNDING
#define ALL_CONTROLS
#ifdef BATCHES
uint matrix_index = gl_WorkGroupID.z;
#define MATRIX matrix_index
#define MATRICES max(batch_a, batch_b)
#endif
#include "product.glsl"

layout(constant_id = 3) const uint PART_M = 64;
layout(constant_id = 4) const uint PARTS = 1;
layout(constant_id = 5) const uint BLOCK_N = 64;
layout(constant_id = 6) const uint TILE_K = 64;
layout(constant_id = 7) const uint BUFFERS = 2;
layout(constant_id = 8) const uint GROUP = 8;  // rows of blocks that workgroups take together

#ifdef DTYPE_BF16
#define MATRIX_T bfloat16_t
#else
#define MATRIX_T float16_t
#endif

layout(binding = 0) readonly buffer AVectors { uvec4 a_vectors[]; };
layout(binding = 1) readonly buffer BVectors { uvec4 b_vectors[]; };
#ifdef BATCHES
layout(binding = 2) writeonly buffer CVectors { uvec4 c_vectors[]; };
#else
layout(binding = 2) writeonly buffer CMatrix { MATRIX_T c_matrix[]; };
#endif

const uint BLOCK_M = PART_M * PARTS, SLICE = 32;
// Counted in vectors: a line of each tile, its pitch, the loads of an invocation, the start of the tiles of b.
const uint LINE_A = TILE_K / 8, LINE_B = BLOCK_N / 8, PITCH_A = LINE_A + 1, PITCH_B = LINE_B + 1;
const uint LOADS_A = LINE_A * BLOCK_M / WG_SIZE, LOADS_B = LINE_B * TILE_K / WG_SIZE;
const uint IN_B = BUFFERS * BLOCK_M * PITCH_A, TILES = IN_B + BUFFERS * TILE_K * PITCH_B;
shared uvec4 room[TILES];

#define EACH_PART(p) [[unroll]] for (uint p = 0; p < PARTS; p++)
#define EACH_LOAD(i, loads, v) \
    [[unroll]] for (uint i = 0, v = gl_LocalInvocationIndex; i < loads; i++, v += WG_SIZE)
#define MATRIX_SUM coopmat<float, gl_ScopeWorkgroup, PART_M, BLOCK_N, gl_MatrixUseAccumulator>
#define MATRIX_C coopmat<MATRIX_T, gl_ScopeWorkgroup, PART_M, BLOCK_N, gl_MatrixUseAccumulator>

uvec4 next_a[LOADS_A], next_b[LOADS_B];

// Read a vector of the line's part that begins at `at`.
#ifdef EDGES
// Beyond an edge, the last vector is read instead. Only what is beyond k matters: it becomes zeros before it is placed.
uvec4 a_vector(uint line, uint at, uint vector) {
    return a_vectors[(A_START + min(line, m - 1) * k + min(at + vector * 8, k - 8)) / 8];
}
uvec4 b_vector(uint line, uint at, uint vector) {
    return b_vectors[(B_START + min(line, k - 1) * n + min(at + vector * 8, n - 8)) / 8];
}
#define TILE_AFTER(at) (at + TILE_K)
#define C_LAYOUT 2, gl_CooperativeMatrixClampModeConstantNV
#else
#define a_vector(line, at, vector) a_vectors[(A_START + (line) * k + at) / 8 + vector]
#define b_vector(line, at, vector) b_vectors[(B_START + (line) * n + at) / 8 + vector]
#define TILE_AFTER(at) min(at + TILE_K, k - TILE_K)
#define C_LAYOUT 2
#endif

void fetch(uint row, uint col, uint at) {
    EACH_LOAD(i, LOADS_A, v) next_a[i] = a_vector(row + v / LINE_A, at, v % LINE_A);
    EACH_LOAD(i, LOADS_B, v) next_b[i] = b_vector(at + v / LINE_B, col, v % LINE_B);
}
#ifdef EDGES
// Makes zeros of all but the first `deep` columns of a and lines of b.
void cut_off(uint deep) {
    if (deep >= TILE_K) return;
    EACH_LOAD(i, LOADS_A, v) if (v % LINE_A * 8 >= deep) next_a[i] = uvec4(0);
    EACH_LOAD(i, LOADS_B, v) if (v / LINE_B >= deep) next_b[i] = uvec4(0);
}
#endif
void place(uint in_a, uint in_b) {
    EACH_LOAD(i, LOADS_A, v) room[in_a + v / LINE_A * PITCH_A + v % LINE_A] = next_a[i];
    EACH_LOAD(i, LOADS_B, v) room[in_b + v / LINE_B * PITCH_B + v % LINE_B] = next_b[i];
}

// Gives workgroups that run together neighbouring blocks: GROUP lines of blocks at a time, column after column. The
// cache then holds the data they read.
uvec2 block_of_group() {
    const uint across = gl_NumWorkGroups.x, id = gl_WorkGroupID.y * across + gl_WorkGroupID.x;
    const uint first = id / (GROUP * across) * GROUP, lines = min(gl_NumWorkGroups.y - first, GROUP);
    const uint within = id % (GROUP * across);
    return uvec2(within / lines, first + within % lines);
}

#ifdef BATCHES
void store_part(MATRIX_SUM sums, uint start, uint row, uint col) {
    barrier(); // all have read `room`
    coopMatStore(MATRIX_C(sums), room, 0, PITCH_B, gl_CooperativeMatrixLayoutRowMajor);
    barrier();
    const uint first = (start + row * n + col) / 8;
    EACH_LOAD(i, PART_M * LINE_B / WG_SIZE, v)
        c_vectors[first + v / LINE_B * (n / 8) + v % LINE_B] = room[v / LINE_B * PITCH_B + v % LINE_B];
}
#else
void store_part(MATRIX_SUM sums, uint start, uint row, uint col) {
    tensorLayoutNV<C_LAYOUT> of_c = setTensorLayoutDimensionNV(createTensorLayoutNV(C_LAYOUT), m, n & ~7);
    coopMatStoreTensorNV(MATRIX_C(sums), c_matrix, start, sliceTensorLayoutNV(of_c, row, PART_M, col, BLOCK_N));
}
#endif

// Computes this workgroup's block at (row, col) of the matrix, with its first tile already loading.
void multiply(uint row, uint col) {
#ifdef BATCHES
    const uint start = C_START, next = matrix_index + gl_NumWorkGroups.z;
#endif
    MATRIX_SUM sums[PARTS];
    EACH_PART(p) sums[p] = MATRIX_SUM(0.0);
    uint buffer_index = 0;
    [[dont_unroll]] for (uint at = 0; at < k; at += TILE_K) {
        const uint in_a = buffer_index * BLOCK_M * PITCH_A, in_b = IN_B + buffer_index * TILE_K * PITCH_B;
#ifdef EDGES
        cut_off(k - at);
#endif
        place(in_a, in_b);
        barrier();
#ifdef BATCHES
        const bool last = at + TILE_K >= k; // after the last tile comes the next matrix's first
        if (last && next < MATRICES) matrix_index = next;
        fetch(row, col, last ? 0 : at + TILE_K);
#else
        fetch(row, col, TILE_AFTER(at));
#endif
        [[unroll]] for (uint s = 0; s < TILE_K; s += SLICE) {
            coopmat<MATRIX_T, gl_ScopeWorkgroup, SLICE, BLOCK_N, gl_MatrixUseB> right;
            coopMatLoad(right, room, in_b + s * PITCH_B, PITCH_B, gl_CooperativeMatrixLayoutRowMajor);
            EACH_PART(p) {
                coopmat<MATRIX_T, gl_ScopeWorkgroup, PART_M, SLICE, gl_MatrixUseA> left;
                coopMatLoad(
                    left, room, in_a + p * PART_M * PITCH_A + s / 8, PITCH_A, gl_CooperativeMatrixLayoutRowMajor);
                sums[p] = coopMatMulAdd(left, right, sums[p]);
            }
        }
        if (BUFFERS == 1) barrier();
        else buffer_index = 1 - buffer_index;
    }
#ifndef BATCHES
    const uint start = 0;
#endif
    EACH_PART(p) store_part(sums[p], start, row + p * PART_M, col);
}

void main() {
    const uvec2 block = block_of_group();
    const uint row = block.y * BLOCK_M, col = block.x * BLOCK_N;
    fetch(row, col, 0);
#ifdef BATCHES
    [[dont_unroll]] for (uint matrix = matrix_index; matrix < MATRICES; matrix += gl_NumWorkGroups.z) {
        multiply(row, col);
        barrier(); // all have read `room`
    }
#else
    multiply(row, col);
#endif
}

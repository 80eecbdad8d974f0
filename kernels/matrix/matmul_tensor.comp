// SPDX-License-Identifier: Apache-2.0
// A workgroup computes a BLOCK_M x BLOCK_N block of c by matrices held by all of it together
// (GL_NV_cooperative_matrix2). The driver moves tiles as it likes; there is no shared memory here.
//
// Clamping layouts give zeros beyond a tensor's edge and drop stores there. A block inside is read by layouts without
// such tests, and their strides are known to be whole vectors. Quantised weights are decoded element by element as they
// are loaded.
//
//     PADDED    matmul_pad.comp has padded a and b with zeros to whole blocks and tiles;
//     SPLIT     workgroups along z divide k; each stores its sums as f32, in whole blocks, for matmul_join.comp.
#version 450
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#ifdef DTYPE_BF16
#extension GL_EXT_bfloat16 : require
#endif
#define FREE_ROUNDING
#define ALL_CONTROLS
#ifdef WIDENED // an earlier pass converted quantised weights and a to f16; c is f32
#undef DTYPE_Q8_0
#undef DTYPE_Q4_0
#define DTYPE_F16
#define C_FLOAT
#endif
#ifdef SPLIT
#define C_FLOAT
#endif
#include "product.glsl"

layout(constant_id = 3) const uint BLOCK_M = 128;
layout(constant_id = 4) const uint BLOCK_N = 128;
layout(constant_id = 5) const uint TILE_K = 64;
layout(constant_id = 6) const uint AHEAD = 0; // 1: a tile is loaded while the previous one is multiplied
layout(constant_id = 7) const uint GROUP = 8;  // rows of blocks that workgroups take together

#if defined(DTYPE_I8)
#define SUM_T int32_t
#elif defined(HALF_SUMS)
#define SUM_T float16_t
#else
#define SUM_T float
#endif
#if defined(DTYPE_BF16)
#define MATRIX_T bfloat16_t
#ifdef C_FLOAT
#define C_T float
#else
#define C_T bfloat16_t
#endif
#elif defined(DTYPE_I8)
#define MATRIX_T int8_t
#define C_T int32_t
#else
#define MATRIX_T float16_t
#ifdef C_FLOAT
#define C_T float
#else
#define C_T T
#endif
#endif

#ifdef DTYPE_I8
#define MASK 15 // elements in 16 bytes, less one
#else
#define MASK 7
#endif

layout(binding = 0) readonly buffer AMatrix {
#ifdef B_BLOCKS
    float a_matrix[];
#else
    MATRIX_T a_matrix[];
#endif
};
#ifndef B_BLOCKS
layout(binding = 1) readonly buffer BMatrix { MATRIX_T b_matrix[]; };
#endif
layout(binding = C_BINDING) buffer CMatrix { C_T c_matrix[]; };

#ifdef B_BLOCKS
#if defined(DTYPE_Q8_0)
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block {
    float16_t scale;
    int8_t bytes[32];
};
float16_t decode(const in Block block, const in uint coordinates[2], const in uint within[2]) {
    return block.scale * float16_t(block.bytes[within[1]]);
}
#else
layout(buffer_reference, std430, buffer_reference_align = 2) buffer Block {
    float16_t scale;
    uint8_t bytes[16];
};
float16_t decode(const in Block block, const in uint coordinates[2], const in uint within[2]) {
    const uint at = within[1], byte = block.bytes[at % 16];
    return block.scale * float16_t(int(byte >> at / 16 * 4 & 15) - 8);
}
#endif
layout(binding = 1) readonly buffer BBytes { uint8_t b_matrix[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Single { float value; };
float16_t narrow(const in Single single, const in uint coordinates[2], const in uint within[2]) {
    return float16_t(single.value);
}
#define DECODE_A , narrow
#define DECODE_B , decode
#else
#define DECODE_A
#define DECODE_B
#endif

#ifdef BIAS
SUM_T with_bias(const in uint32_t row, const in uint32_t col, const in SUM_T sum, const in uint32_t first_col) {
    const uint at = min(first_col + col, n - 1);
    return sum + SUM_T(LOAD(bias[at]));
}
#endif
#ifdef ACTIVATE
SUM_T activated(const in uint32_t row, const in uint32_t col, const in SUM_T sum) {
    return SUM_T(ACTIVATE(float(sum)));
}
#endif

// Gives workgroups that run together neighbouring blocks: GROUP lines of blocks at a time, column after column. The
// cache then holds the data they read.
uvec2 block_of_group() {
    const uint across = gl_NumWorkGroups.x, id = gl_WorkGroupID.y * across + gl_WorkGroupID.x;
    const uint first = id / (GROUP * across) * GROUP, lines = min(gl_NumWorkGroups.y - first, GROUP);
    const uint within = id % (GROUP * across);
    return uvec2(within / lines, first + within % lines);
}

// The sizes in whole blocks and tiles, and this workgroup's part of k.
#define WHOLE_M (gl_NumWorkGroups.y * BLOCK_M)
#define WHOLE_N (gl_NumWorkGroups.x * BLOCK_N)
#define TILES ((k + TILE_K - 1) / TILE_K)
#ifdef SPLIT
#define SHARE ((TILES + gl_NumWorkGroups.z - 1) / gl_NumWorkGroups.z * TILE_K)
#define FIRST (gl_WorkGroupID.z * SHARE)
#define SECOND (FIRST + TILE_K)
#define LAST min(FIRST + SHARE, k)
#define LOADS_AHEAD AHEAD != 0 && FIRST < k
#define SUMS_START (gl_WorkGroupID.z * WHOLE_M * WHOLE_N)
#define TILE_AT(at) ((at) & ~MASK) // the driver must see that loads begin at whole vectors
#else
#define FIRST 0
#define SECOND TILE_K
#define LAST k
#define LOADS_AHEAD AHEAD != 0
#define SUMS_START C_START
#define TILE_AT(at) at
#endif

// No element of the block is beyond c, whose rows begin at whole vectors.
#if defined(SPLIT)
#define STORES_WHOLE true
#elif defined(PADDED)
#define STORES_WHOLE row + BLOCK_M <= m && col + BLOCK_N <= n && n % (MASK + 1) == 0
#else
#define STORES_WHOLE inside && n % (MASK + 1) == 0
#endif

// Loads a turned matrix through a view with swapped axes.
#ifdef A_TURNED
#define A_SLICE(layout_a, at) sliceTensorLayoutNV(layout_a, at, TILE_K, row, BLOCK_M), turned
#else
#define A_SLICE(layout_a, at) sliceTensorLayoutNV(layout_a, row, BLOCK_M, at, TILE_K)
#endif
#ifdef B_TURNED
#define B_SLICE(layout_b, at) sliceTensorLayoutNV(layout_b, col, BLOCK_N, at, TILE_K), turned
#else
#define B_SLICE(layout_b, at) sliceTensorLayoutNV(layout_b, at, TILE_K, col, BLOCK_N)
#endif
#define MATRIX_A coopmat<MATRIX_T, gl_ScopeWorkgroup, BLOCK_M, TILE_K, gl_MatrixUseA>
#define MATRIX_B coopmat<MATRIX_T, gl_ScopeWorkgroup, TILE_K, BLOCK_N, gl_MatrixUseB>
#define MATRIX_SUM coopmat<SUM_T, gl_ScopeWorkgroup, BLOCK_M, BLOCK_N, gl_MatrixUseAccumulator>
#define MATRIX_C coopmat<C_T, gl_ScopeWorkgroup, BLOCK_M, BLOCK_N, gl_MatrixUseAccumulator>

#define LOAD_BOTH(left, right, layout_a, layout_b, at)                                        \
    coopMatLoadTensorNV(left, a_matrix, A_START, A_SLICE(layout_a, at) DECODE_A);             \
    coopMatLoadTensorNV(right, b_matrix, B_START, B_SLICE(layout_b, at) DECODE_B);

void main() {
    const uvec2 block = block_of_group();
    const uint row = block.y * BLOCK_M, col = block.x * BLOCK_N;
    MATRIX_SUM sums = MATRIX_SUM(0);

    tensorViewNV<2, false, 1, 0> turned = createTensorViewNV(2, false, 1, 0);
    tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> edge_a =
        createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
    tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> edge_b =
        createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
    tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV> edge_c =
        createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV);
    tensorLayoutNV<2> inner_a = createTensorLayoutNV(2), inner_b = createTensorLayoutNV(2);
    tensorLayoutNV<2> inner_c = createTensorLayoutNV(2);
#ifdef B_BLOCKS
    edge_b = setTensorLayoutBlockSizeNV(edge_b, 1, 32);
    inner_b = setTensorLayoutBlockSizeNV(inner_b, 1, 32);
#endif
#ifdef A_TURNED
    edge_a = setTensorLayoutDimensionNV(edge_a, k, m);
    inner_a = setTensorLayoutDimensionNV(inner_a, k, m & ~MASK);
#else
    edge_a = setTensorLayoutDimensionNV(edge_a, m, k);
    inner_a = setTensorLayoutDimensionNV(inner_a, m, k & ~MASK);
#endif
#ifdef B_TURNED
    edge_b = setTensorLayoutDimensionNV(edge_b, n, k);
    inner_b = setTensorLayoutDimensionNV(inner_b, n, k & ~MASK);
#else
    edge_b = setTensorLayoutDimensionNV(edge_b, k, n);
    inner_b = setTensorLayoutDimensionNV(inner_b, k, n & ~MASK);
#endif
    edge_c = setTensorLayoutDimensionNV(edge_c, m, n);
    inner_c = setTensorLayoutDimensionNV(inner_c, m, n & ~MASK);
#ifdef PADDED
    inner_a = setTensorLayoutDimensionNV(inner_a, WHOLE_M, TILES * TILE_K);
    inner_b = setTensorLayoutDimensionNV(inner_b, TILES * TILE_K, WHOLE_N);
#endif
#ifdef SPLIT
    inner_c = setTensorLayoutDimensionNV(inner_c, WHOLE_M, WHOLE_N);
#endif

#if defined(WHOLE_BLOCKS) || defined(PADDED) // sizes are multiples of the block's
    const bool inside = true, aligned = true;
#else
    const bool inside = row + BLOCK_M <= m && col + BLOCK_N <= n;
    const bool aligned = k % TILE_K == 0 && A_AXIS % (MASK + 1) == 0 && B_AXIS % (MASK + 1) == 0;
#endif
    MATRIX_A left;
    MATRIX_B right;
    if (inside && aligned) {
        if (LOADS_AHEAD) {
            MATRIX_A next_left;
            MATRIX_B next_right;
            LOAD_BOTH(left, right, inner_a, inner_b, TILE_AT(FIRST))
            [[dont_unroll]] for (uint at = SECOND; at < LAST; at += TILE_K) {
                LOAD_BOTH(next_left, next_right, inner_a, inner_b, TILE_AT(at))
                sums = coopMatMulAdd(left, right, sums);
                left = next_left;
                right = next_right;
            }
            sums = coopMatMulAdd(left, right, sums);
        } else {
            [[dont_unroll]] for (uint at = FIRST; at < LAST; at += TILE_K) {
                LOAD_BOTH(left, right, inner_a, inner_b, TILE_AT(at))
                sums = coopMatMulAdd(left, right, sums);
            }
        }
    } else {
        [[dont_unroll]] for (uint at = FIRST; at < LAST; at += TILE_K) {
            LOAD_BOTH(left, right, edge_a, edge_b, at)
            sums = coopMatMulAdd(left, right, sums);
        }
    }
#ifdef BIAS
    coopMatPerElementNV(sums, sums, with_bias, col);
#endif
#ifdef ACTIVATE
    coopMatPerElementNV(sums, sums, activated);
#endif
    if (STORES_WHOLE)
        coopMatStoreTensorNV(MATRIX_C(sums), c_matrix, SUMS_START, sliceTensorLayoutNV(inner_c, row, BLOCK_M, col, BLOCK_N));
    else
        coopMatStoreTensorNV(MATRIX_C(sums), c_matrix, SUMS_START, sliceTensorLayoutNV(edge_c, row, BLOCK_M, col, BLOCK_N));
}

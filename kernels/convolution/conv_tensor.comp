// SPDX-License-Identifier: Apache-2.0
// Convolution of stride 1 as a product of matrices held by a workgroup together (GL_NV_cooperative_matrix2). A
// workgroup takes PIXELS pixels of one picture by BLOCK_N output channels, over the window's taps and TILE_K input
// channels at a time.
//
// An earlier pass has put the picture's channels side by side, with padding around it, and the weights tap after tap.
// Pixels are counted along the padded picture, line after line. The pixels of a tap are then neighbouring lines of one
// matrix, shifted by the tap's place, wherever the tile begins. Pixels in the padding at a line's end are computed like
// the rest, but not stored.
#version 450
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#ifdef DTYPE_BF16
#extension GL_EXT_bfloat16 : require
#endif
#define FREE_ROUNDING
#define ALL_CONTROLS
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(constant_id = 3) const uint BLOCK_N = 64;
layout(constant_id = 4) const uint PIXELS = 64;
layout(constant_id = 5) const uint TILE_K = 64;

#ifdef DTYPE_BF16
#define MATRIX_T bfloat16_t
#else
#define MATRIX_T float16_t
#endif

layout(push_constant) uniform Push {
    uint cin, h, w, cout, kh, kw, pad, dilation, oh, ow;
};
layout(binding = 0) readonly buffer X { MATRIX_T x[]; };
layout(binding = 1) readonly buffer Weights { MATRIX_T weights[]; };
layout(binding = 2) readonly buffer Bias { T bias[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };

#define SUMS coopmat<float, gl_ScopeWorkgroup, PIXELS, BLOCK_N, gl_MatrixUseAccumulator>
#define CLAMPED tensorLayoutNV<2, gl_CooperativeMatrixClampModeConstantNV>
#define NEW_CLAMPED createTensorLayoutNV(2, gl_CooperativeMatrixClampModeConstantNV)

// Stores a sum with its bias. Neighbouring invocations hold neighbouring pixels, which are contiguous.
float store(const in uint32_t row, const in uint32_t col, const in float sum, const in uint32_t first_pixel,
    const in uint32_t first_channel) {
    const uint pixel = first_pixel + row, channel = first_channel + col, wide = w + 2 * pad;
    const uint line = pixel / wide, column = pixel % wide;
    if (line < oh && column < ow && channel < cout)
        y[((gl_WorkGroupID.y * cout + channel) * oh + line) * ow + column] = STORE(sum + LOAD(bias[channel]));
    return sum;
}

#define ADD_TAPS(of_x, of_weights, weights_start, weights_line)                                       \
    [[dont_unroll]] for (uint tap = 0; tap < kh * kw; tap++) {                                        \
        const uint from = start + (tap / kw * wide + tap % kw) * dilation;                            \
        [[dont_unroll]] for (uint c = 0; c < cin; c += TILE_K) {                                      \
            coopmat<MATRIX_T, gl_ScopeWorkgroup, PIXELS, TILE_K, gl_MatrixUseA> lines;                \
            coopmat<MATRIX_T, gl_ScopeWorkgroup, TILE_K, BLOCK_N, gl_MatrixUseB> columns;             \
            coopMatLoadTensorNV(lines, x, 0, sliceTensorLayoutNV(of_x, from, PIXELS, c, TILE_K));     \
            coopMatLoadTensorNV(columns, weights, weights_start,                                      \
                sliceTensorLayoutNV(of_weights, weights_line + c, TILE_K, first, BLOCK_N));           \
            sums = coopMatMulAdd(lines, columns, sums);                                               \
        }                                                                                             \
    }

void main() {
    const uint wide = w + 2 * pad, picture = (h + 2 * pad) * wide, all = gl_NumWorkGroups.y * picture;
    const uint first_pixel = gl_WorkGroupID.x * PIXELS, start = gl_WorkGroupID.y * picture + first_pixel;
    if (first_pixel >= oh * wide) return; // all of the workgroup

    CLAMPED edge_x = setTensorLayoutDimensionNV(NEW_CLAMPED, all, cin);
    CLAMPED edge_weights = setTensorLayoutDimensionNV(NEW_CLAMPED, cin, cout);
    tensorLayoutNV<2> inner_x = setTensorLayoutDimensionNV(createTensorLayoutNV(2), all, cin & ~7);
    tensorLayoutNV<2> inner_weights = setTensorLayoutDimensionNV(createTensorLayoutNV(2), kh * kw * cin, cout & ~7);
    const uint last = start + ((kh - 1) * wide + kw - 1) * dilation;
    const bool inside = last + PIXELS <= all && cin % TILE_K == 0 && cout % 8 == 0;

    [[dont_unroll]] for (uint first = 0; first < cout; first += BLOCK_N) {
        SUMS sums = SUMS(0.0);
        if (inside && first + BLOCK_N <= cout)
            ADD_TAPS(inner_x, inner_weights, 0, tap * cin)
        else
            ADD_TAPS(edge_x, edge_weights, tap * cin * cout, 0)
        coopMatPerElementNV(sums, sums, store, first_pixel, first);
    }
}

// SPDX-License-Identifier: Apache-2.0
// Convolution of stride 1 as a product of matrices that a workgroup holds together
// (GL_NV_cooperative_matrix2): TILE_Y x TILE_X pixels of one picture by BLOCK_N output channels, over
// the window's taps and TILE_K input channels at a time.
//
// Earlier passes have put the picture's channels side by side, with its padding round it, and the
// weights tap after tap. The pixels of a tap are then a box of that picture, moved by where the tap
// stands: a slice of its tensor. Outputs go back to planes through a view with the channels first.
#version 450
#extension GL_GOOGLE_include_directive : require
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#define FREE_ROUNDING
#define ALL_CONTROLS
#include "types.glsl"
#include "controls.glsl"
#include "workgroup.glsl"

layout(constant_id = 3) const uint BLOCK_N = 64;
layout(constant_id = 4) const uint TILE_Y = 8;
layout(constant_id = 5) const uint TILE_X = 8;
layout(constant_id = 6) const uint TILE_K = 64;

layout(push_constant) uniform Push {
    uint cin, h, w, cout, kh, kw, pad, dilation, oh, ow;
};
layout(binding = 0) readonly buffer X { float16_t x[]; };
layout(binding = 1) readonly buffer Weights { float16_t weights[]; };
layout(binding = 2) readonly buffer Bias { float16_t bias[]; };
layout(binding = 3) buffer Y { float16_t y[]; };

const uint PIXELS = TILE_Y * TILE_X;
#define SUMS(type) coopmat<type, gl_ScopeWorkgroup, PIXELS, BLOCK_N, gl_MatrixUseAccumulator>

float with_bias(const in uint32_t row, const in uint32_t col, const in float sum, const in uint32_t first) {
    return sum + float(bias[min(first + col, cout - 1)]);
}

#define CLAMPED(dims) tensorLayoutNV<dims, gl_CooperativeMatrixClampModeConstantNV>
#define NEW_CLAMPED(dims) createTensorLayoutNV(dims, gl_CooperativeMatrixClampModeConstantNV)

#define TAPS(of_x, of_weights)                                                                \
    [[dont_unroll]] for (uint tap = 0; tap < kh * kw; tap++) {                                \
        const uint from_y = top + tap / kw * dilation, from_x = left + tap % kw * dilation;   \
        [[dont_unroll]] for (uint c = 0; c < cin; c += TILE_K) {                              \
            coopmat<float16_t, gl_ScopeWorkgroup, PIXELS, TILE_K, gl_MatrixUseA> box;         \
            coopmat<float16_t, gl_ScopeWorkgroup, TILE_K, BLOCK_N, gl_MatrixUseB> columns;    \
            coopMatLoadTensorNV(box, x, x_start,                                              \
                sliceTensorLayoutNV(of_x, from_y, TILE_Y, from_x, TILE_X, c, TILE_K));        \
            coopMatLoadTensorNV(columns, weights, tap * cout * cin,                           \
                sliceTensorLayoutNV(of_weights, c, TILE_K, first, BLOCK_N));                  \
            sums = coopMatMulAdd(box, columns, sums);                                         \
        }                                                                                     \
    }

void main() {
    const uint top = gl_WorkGroupID.y * TILE_Y, left = gl_WorkGroupID.x * TILE_X, picture = gl_WorkGroupID.z;
    const uint high = h + 2 * pad, wide = w + 2 * pad;
    const uint x_start = picture * high * wide * cin, y_start = picture * cout * oh * ow;

    CLAMPED(3) edge_x = setTensorLayoutDimensionNV(NEW_CLAMPED(3), high, wide, cin);
    CLAMPED(2) edge_weights = setTensorLayoutDimensionNV(NEW_CLAMPED(2), cin, cout);
    CLAMPED(3) of_y = setTensorLayoutDimensionNV(NEW_CLAMPED(3), cout, oh, ow);
    tensorLayoutNV<3> inner_x = setTensorLayoutDimensionNV(createTensorLayoutNV(3), high, wide, cin & ~7);
    tensorLayoutNV<2> inner_weights = setTensorLayoutDimensionNV(createTensorLayoutNV(2), cin, cout & ~7);
    tensorViewNV<3, false, 1, 2, 0> channels_last = createTensorViewNV(3, false, 1, 2, 0);

    [[dont_unroll]] for (uint first = 0; first < cout; first += BLOCK_N) {
        SUMS(float) sums = SUMS(float)(0.0);
        if (top + TILE_Y <= oh && left + TILE_X <= ow && cin % TILE_K == 0 && first + BLOCK_N <= cout && cout % 8 == 0)
            TAPS(inner_x, inner_weights)
        else
            TAPS(edge_x, edge_weights)
        coopMatPerElementNV(sums, sums, with_bias, first);
        coopMatStoreTensorNV(SUMS(float16_t)(sums), y, y_start,
            sliceTensorLayoutNV(of_y, first, BLOCK_N, top, TILE_Y, left, TILE_X), channels_last);
    }
}

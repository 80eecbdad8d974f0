// SPDX-License-Identifier: Apache-2.0
// Sums of columns, four per invocation. Neighbours along x have neighbouring columns; neighbours along y share a block
// of WG_Y * ROWS rows, and read eight of them at a time.
#version 450
#extension GL_GOOGLE_include_directive : require
#define WIDTH 4
#include "wide.glsl"
#include "tree.glsl"
#include "row_quads.glsl"

layout(constant_id = 4) const uint ROWS = 32;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Partial { float partial[]; };
layout(push_constant) uniform Push { uint rows, cols; };
QUAD_READER(x_quad, x, x4)

void main() {
    const uint col = 4 * gl_GlobalInvocationID.x, block = gl_WorkGroupID.y;
    const uint y = gl_LocalInvocationID.y;
    const uint first = block * WG_Y * ROWS, end = first + min(rows - first, WG_Y * ROWS);
    vec4 sums = vec4(0.0), read[8];
    take_row(0, cols);
    for (uint row = first + y; row < end; row += 8u * WG_Y) {
        [[unroll]] for (uint i = 0u; i < 8u; i++) read[i] = x_quad(min(row + i * WG_Y, end - 1u) * cols, col);
        [[unroll]] for (uint i = 0u; i < 8u; i++) sums += row + i * WG_Y < end ? read[i] : vec4(0.0);
    }
    sums = tree_sum(sums, y, WG_Y, WG_X);
    for (uint j = 0; y == 0 && j < 4; j++)
        if (col + j < cols) partial[block * cols + col + j] = sums[j];
}

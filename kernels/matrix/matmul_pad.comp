// SPDX-License-Identifier: Apache-2.0
// Copies a matrix of 16-bit elements to one with more rows and columns, which are zeros. An invocation writes eight
// elements of a row; their bits do not change.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_control_flow_attributes : require
#include "grid.glsl"

layout(binding = 0) readonly buffer From { uint16_t from[]; };
layout(binding = 0) readonly buffer From8 { uvec4 from8[]; };
layout(binding = 1) writeonly buffer To8 { uvec4 to8[]; };
layout(push_constant) uniform Push { uint rows, cols, whole_rows, whole_cols; };

void main() {
    const uint i = linear_invocation(), across = whole_cols / 8, row = i / across, col = i % across * 8;
    if (row >= whole_rows) return;
    uvec4 eight = uvec4(0);
    if (row < rows && cols % 8 == 0) {
        if (col < cols) eight = from8[(row * cols + col) / 8];
    } else if (row < rows) {
        [[unroll]] for (uint e = 0; e < 8; e++)
            if (col + e < cols) eight[e / 2] |= uint(from[row * cols + col + e]) << 16 * (e % 2);
    }
    to8[i] = eight;
}

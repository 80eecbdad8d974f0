// SPDX-License-Identifier: Apache-2.0
// Transposes a tile of 4 WG_X x 4 WG_X elements per workgroup. An invocation reads four quads below each other and
// transposes these 4 x 4 elements in registers. Then the workgroup exchanges quads in shared memory, so that rows are
// read and rows are written. The place of a quad in its line depends on the line: neighbours meet different
// banks. Quads that are cut off, or not aligned, are read and written element by element.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "workgroup.glsl"

// Bits are moved, not numbers.
#if defined(DTYPE_F32)
#define ELEMENT uint
#define QUAD uvec4
#else
#define ELEMENT uint16_t
#define QUAD uvec2
#endif

layout(binding = 0) readonly buffer X { ELEMENT x[]; };
layout(binding = 0) readonly buffer X4 { QUAD x4[]; };
layout(binding = 1) writeonly buffer Y { ELEMENT y[]; };
layout(binding = 1) writeonly buffer Y4 { QUAD y4[]; };
layout(push_constant) uniform Push { uint rows, cols; };

shared QUAD tile[4 * WG_X * WG_X]; // WG_X, a power of two, quads a line

uint place(uint line, uint quad) {
    return line * WG_X + (quad ^ line / 4u & WG_X - 1u);
}

#if defined(DTYPE_F32)
QUAD quad_of(uvec4 four) {
    return four;
}

uvec4 elements_of(QUAD quad) {
    return quad;
}

void transpose(inout QUAD q[4]) {
    const uvec4 a = q[0], b = q[1], c = q[2], d = q[3];
    q[0] = uvec4(a.x, b.x, c.x, d.x);
    q[1] = uvec4(a.y, b.y, c.y, d.y);
    q[2] = uvec4(a.z, b.z, c.z, d.z);
    q[3] = uvec4(a.w, b.w, c.w, d.w);
}
#else
QUAD quad_of(uvec4 four) {
    return four.xz | four.yw << 16;
}

uvec4 elements_of(QUAD quad) {
    return uvec4(quad.x & 0xffffu, quad.x >> 16, quad.y & 0xffffu, quad.y >> 16);
}

void transpose(inout QUAD q[4]) {
    const uvec4 even = uvec4(q[0], q[2]), odd = uvec4(q[1], q[3]);
    const uvec4 low = even & 0xffffu | odd << 16, high = even >> 16 | odd & 0xffff0000u;
    q[0] = low.xz;
    q[1] = high.xz;
    q[2] = low.yw;
    q[3] = high.yw;
}
#endif

QUAD read_quad(uint row, uint col) {
    row = min(row, rows - 1u);
    if (cols % 4u == 0u) return x4[(row * cols + min(col, cols - 4u)) / 4u];
    uvec4 four;
    [[unroll]] for (uint j = 0u; j < 4u; j++) four[j] = uint(x[row * cols + min(col + j, cols - 1u)]);
    return quad_of(four);
}

// Writes a quad of y, which has `cols` rows of `rows` elements.
void write_quad(uint row, uint col, QUAD quad) {
    if (row >= cols || col >= rows) return;
    if (rows % 4u == 0u) {
        y4[(row * rows + col) / 4u] = quad;
        return;
    }
    const uvec4 four = elements_of(quad);
    [[unroll]] for (uint j = 0u; j < 4u; j++)
        if (col + j < rows) y[row * rows + col + j] = ELEMENT(four[j]);
}

void main() {
    const uint across = gl_LocalInvocationID.x;
    const uint first_row = gl_WorkGroupID.y * 4u * WG_X, first_col = gl_WorkGroupID.x * 4u * WG_X;
    QUAD four[4];
    for (uint down = gl_LocalInvocationID.y; down < WG_X; down += WG_Y) {
        [[unroll]] for (uint j = 0u; j < 4u; j++)
            four[j] = read_quad(first_row + 4u * down + j, first_col + 4u * across);
        transpose(four);
        [[unroll]] for (uint j = 0u; j < 4u; j++) tile[place(4u * across + j, down)] = four[j];
    }
    barrier();
    for (uint down = gl_LocalInvocationID.y; down < WG_X; down += WG_Y)
        [[unroll]] for (uint j = 0u; j < 4u; j++)
            write_quad(first_col + 4u * down + j, first_row + 4u * across, tile[place(4u * down + j, across)]);
}

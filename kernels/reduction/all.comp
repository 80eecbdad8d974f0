// SPDX-License-Identifier: Apache-2.0
// Reduces all elements, or each row (ROWS defined), in two passes. Each workgroup of the first reduces a block of
// WG_X * ITEMS elements. A workgroup of the second (LAST defined) reduces any number of blocks' results, eight reads at
// a time. Y_F32 is defined if the result is f32 in a case of another dtype.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "kinds.glsl"

layout(constant_id = 3) const uint ITEMS = 32;

#ifdef LAST
layout(binding = 0) readonly buffer Partial { float partial[]; };
#ifdef Y_F32
layout(binding = 1) writeonly buffer Y { float y[]; };
#define STORE_Y(x) (x)
#else
layout(binding = 1) writeonly buffer Y { T y[]; };
#define STORE_Y(x) STORE(x)
#endif
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Partial { float partial[]; };
#define WALK_ITEMS ITEMS
#include "walk.glsl"
#endif
#include "parts.glsl"

void main() {
    const uint block = WG_SIZE * ITEMS, blocks = blocks_of(block);
#ifdef LAST
    const uint row = linear_group();
    if (row >= rows) return;
    float result = START;
    for (uint first = gl_LocalInvocationIndex; first < blocks; first += 8 * WG_SIZE)
        for (uint item = 0, i = first; item < 8; item++, i += WG_SIZE)
            result = COMBINE(result, i < blocks ? partial[row * blocks + i] : START);
    result = OVER_WORKGROUP(result);
    if (gl_LocalInvocationIndex == 0) y[row] = STORE_Y(RESULT(result, n));
#else
    const uint row = linear_group() / blocks;
    if (row >= rows) return;
    const uvec2 part = part_of_row(row, linear_group() % blocks, block);
    walk_block(part.x, part.y - part.x);
    const float result = OVER_WORKGROUP(visited);
    if (gl_LocalInvocationIndex == 0) partial[linear_group()] = result;
#endif
}

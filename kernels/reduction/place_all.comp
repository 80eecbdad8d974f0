// SPDX-License-Identifier: Apache-2.0
// Place of an extreme of all elements, or of each row (ROWS defined), in two passes, as in all.comp: first blocks, then
// (LAST defined) the blocks' extremes with their places.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "place.glsl"

layout(constant_id = 3) const uint ITEMS = 32;

#ifdef LAST
layout(binding = 0) readonly buffer Values { float block_best[]; };
layout(binding = 1) readonly buffer Places { uint block_place[]; };
layout(binding = 2) writeonly buffer Y { int y[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) writeonly buffer Values { float block_best[]; };
layout(binding = 2) writeonly buffer Places { uint block_place[]; };
#define WALK_ITEMS ITEMS
#include "walk.glsl"
#endif
#include "parts.glsl"

void main() {
    const uint block = WG_SIZE * ITEMS, blocks = blocks_of(block);
#ifdef LAST
    const uint row = linear_group();
    if (row >= rows) return;
    for (uint i = gl_LocalInvocationIndex; i < blocks; i += WG_SIZE)
        consider(block_best[row * blocks + i], block_place[row * blocks + i]);
    reduce_places(gl_LocalInvocationIndex, WG_SIZE, 1);
    if (gl_LocalInvocationIndex == 0) y[row] = found(row * n);
#else
    const uint row = linear_group() / blocks;
    if (row >= rows) return;
    const uvec2 part = part_of_row(row, linear_group() % blocks, block);
    walk_block(part.x, part.y - part.x);
    reduce_places(gl_LocalInvocationIndex, WG_SIZE, 1);
    if (gl_LocalInvocationIndex == 0) {
        block_best[linear_group()] = best;
        block_place[linear_group()] = place;
    }
#endif
}

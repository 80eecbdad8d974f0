// SPDX-License-Identifier: Apache-2.0
// Converts eight numbers per invocation to f16: floats, or weights in quantised blocks.
//
//     BLOCKS      from blocks; else from floats
//     ORDERED     from floats in the order of block_order.glsl
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

#ifdef BLOCKS
layout(binding = 0) readonly buffer From { uint words[]; };
#include "blocks.glsl"
#else
layout(binding = 0) readonly buffer From { vec4 from[]; };
#ifdef ORDERED
#include "block_order.glsl"
#endif
#endif
layout(binding = 1) writeonly buffer To { uvec4 to[]; };
layout(push_constant) uniform Push { uint lines, k; };

void main() {
    const uint i = linear_invocation();
    if (i >= lines * (k / 8)) return;
#ifdef BLOCKS
    const float scale = block_scale(i / 4);
    const vec4 low = scale * block_quad(i / 4, i % 4 * 2), high = scale * block_quad(i / 4, i % 4 * 2 + 1);
#elif defined(ORDERED)
    to[i] = in_order(eight_floats(from[FIRST_QUAD(i * 8)], from[FIRST_QUAD(i * 8) + QUADS_APART]));
#else
    const vec4 low = from[i * 2], high = from[i * 2 + 1];
#endif
#ifndef ORDERED
    to[i] = uvec4(packHalf2x16(low.xy), packHalf2x16(low.zw), packHalf2x16(high.xy), packHalf2x16(high.zw));
#endif
}

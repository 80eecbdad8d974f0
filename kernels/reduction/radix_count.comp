// SPDX-License-Identifier: Apache-2.0
// Counts the digits of a block of elements.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "radix.glsl"

layout(binding = 1) writeonly buffer Counts { uint counts[]; };
layout(push_constant) uniform Push { uint rows, cols, blocks, shift; };

shared uint digit_counts[DIGITS];

void main() {
    const uint row = linear_group() / blocks, block = linear_group() % blocks;
    if (row >= rows) return;
    for (uint digit = gl_LocalInvocationIndex; digit < DIGITS; digit += WG_SIZE) digit_counts[digit] = 0u;
    barrier();
    const uint first = block * BLOCK, end = first + min(cols - first, BLOCK);
    for (uint col = first + gl_LocalInvocationIndex; col < end; col += WG_SIZE)
        atomicAdd(digit_counts[digit_of(ELEMENT(row * cols, col).x, shift)], 1u);
    barrier();
    for (uint digit = gl_LocalInvocationIndex; digit < DIGITS; digit += WG_SIZE)
        counts[(row * DIGITS + digit) * blocks + block] = digit_counts[digit];
}

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
    uint keys[ITEMS]; // all are loading before the first is counted
    [[unroll]] for (uint i = 0u; i < ITEMS; i++)
        keys[i] = ELEMENT(row * cols, min(first + i * WG_SIZE + gl_LocalInvocationIndex, end - 1u)).x;
    [[unroll]] for (uint i = 0u; i < ITEMS; i++)
        if (first + i * WG_SIZE + gl_LocalInvocationIndex < end) atomicAdd(digit_counts[digit_of(keys[i], shift)], 1u);
    barrier();
    for (uint digit = gl_LocalInvocationIndex; digit < DIGITS; digit += WG_SIZE)
        counts[(row * DIGITS + digit) * blocks + block] = digit_counts[digit];
}

// SPDX-License-Identifier: Apache-2.0
// Running sums of each digit's counts over the blocks of a row, before each block, and the digit's total. Each
// workgroup takes one digit of a row.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "radix_scan.glsl"

layout(binding = 0) buffer Counts { uint counts[]; };
layout(binding = 1) writeonly buffer Totals { uint totals[]; };
layout(push_constant) uniform Push { uint rows, blocks; };

void main() {
    const uint line = linear_group(); // a digit of a row
    if (line >= rows * 256u) return;
    uint before = 0u;
    for (uint first = 0u; first < blocks; first += WG_SIZE) {
        const uint block = first + gl_LocalInvocationIndex, at = line * blocks + block;
        uint total;
        const uint sum = before + total_before(block < blocks ? counts[at] : 0u, total);
        if (block < blocks) counts[at] = sum;
        before += total;
    }
    if (gl_LocalInvocationIndex == 0u) totals[line] = before;
}

// SPDX-License-Identifier: Apache-2.0
// The last pass of sums down columns: adds up the results of blocks of SPAN rows, 4 ACROSS columns per workgroup. Few
// columns need a small ACROSS, for more workgroups with more invocations to share the blocks. With PAIR defined, it
// joins two such sums.
#version 450
#extension GL_GOOGLE_include_directive : require
#define WIDTH 4
#include "wide.glsl"
#include "grid.glsl"
#include "tree.glsl"

layout(constant_id = 4) const uint ROWS = 32;
#ifndef ACROSS
#define ACROSS WG_X
#endif
const uint DOWN = WG_SIZE / ACROSS;

layout(binding = 0) readonly buffer Partial { float partial[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
#ifdef PAIR
layout(binding = 2) readonly buffer Partial2 { float partial2[]; };
layout(binding = 3) writeonly buffer Y2 { T y2[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; };

#define JOIN(partial, y)                                                                      \
    {                                                                                         \
        vec4 sums = vec4(0.0);                                                                \
        for (uint block = line; block < blocks; block += DOWN)                                \
            for (uint j = 0; j < 4; j++)                                                      \
                if (col + j < cols) sums[j] += partial[block * cols + col + j];               \
        sums = tree_sum(sums, line, DOWN, ACROSS);                                            \
        for (uint j = 0; line == 0 && j < 4; j++)                                             \
            if (col + j < cols) y[col + j] = STORE(sums[j]);                                  \
    }

void main() {
    const uint first = linear_first(4 * ACROSS);
    const uint col = first + gl_LocalInvocationIndex % ACROSS * 4;
    const uint blocks = (rows - 1) / (SPAN) + 1, line = gl_LocalInvocationIndex / ACROSS;
    if (first >= cols) return;
    JOIN(partial, y)
#ifdef PAIR
    barrier(); // all have read the sums
    JOIN(partial2, y2)
#endif
}

// SPDX-License-Identifier: Apache-2.0
// The last pass of sums down columns: adds up the results of blocks of SPAN rows, 4 ACROSS columns per workgroup. Few
// columns need a small ACROSS, for more workgroups with more invocations to share the blocks. With PAIR defined, every
// other workgroup takes a second one of such sums.
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
layout(binding = 0) readonly buffer Partial4 { vec4 partial4[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
#ifdef PAIR
layout(binding = 2) readonly buffer Second { float second[]; };
layout(binding = 2) readonly buffer Second4 { vec4 second4[]; };
layout(binding = 3) writeonly buffer Y2 { T y2[]; };
#endif
layout(push_constant) uniform Push { uint rows, cols; };

#define SUM_READER(name, x, x4)                                                               \
    vec4 name(uint block, uint col) {                                                         \
        if (cols % 4u == 0u) return x4[(block * cols + min(col, cols - 4u)) / 4u];            \
        vec4 four;                                                                            \
        [[unroll]] for (uint j = 0u; j < 4u; j++) four[j] = x[block * cols + min(col + j, cols - 1u)]; \
        return four;                                                                          \
    }
SUM_READER(partial_at, partial, partial4)
#ifdef PAIR
SUM_READER(second_at, second, second4)
#endif

// Reads eight blocks before it adds the first.
#define JOIN(sums_at, y)                                                                      \
    {                                                                                         \
        vec4 sums = vec4(0.0), read[8];                                                       \
        for (uint block = line; block < blocks; block += 8u * DOWN) {                         \
            [[unroll]] for (uint i = 0u; i < 8u; i++) read[i] = sums_at(min(block + i * DOWN, blocks - 1u), col); \
            [[unroll]] for (uint i = 0u; i < 8u; i++)                                         \
                sums += block + i * DOWN < blocks ? read[i] : vec4(0.0);                      \
        }                                                                                     \
        sums = tree_sum(sums, line, DOWN, ACROSS);                                            \
        for (uint j = 0; line == 0 && j < 4; j++)                                             \
            if (col + j < cols) y[col + j] = STORE(sums[j]);                                  \
    }

void main() {
#ifdef PAIR
    const uint group = linear_group() / 2u;
#else
    const uint group = linear_group();
#endif
    const uint first = group * 4u * ACROSS, col = first + gl_LocalInvocationIndex % ACROSS * 4u;
    const uint blocks = (rows - 1) / (SPAN) + 1, line = gl_LocalInvocationIndex / ACROSS;
    if (first >= cols) return;
#ifdef PAIR
    if (linear_group() % 2u == 1u) {
        JOIN(second_at, y2)
        return;
    }
#endif
    JOIN(partial_at, y)
}

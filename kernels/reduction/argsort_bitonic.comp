// SPDX-License-Identifier: Apache-2.0
// Argsort of rows in ascending order, one workgroup per row; a row must fit into shared memory. Keys are complemented,
// because the sort puts the greatest first.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "bitonic.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint start = linear_group() * cols, length = sort_length(cols);
    if (linear_group() >= rows) return;
    for (uint col = gl_LocalInvocationIndex; col < length; col += WG_SIZE)
        sorted[col] =
            col < cols ? uvec2(~value_key(LOAD(x[start + col])), ~col) : uvec2(0u);
    barrier();
    sort_keys(length);
    for (uint col = gl_LocalInvocationIndex; col < cols; col += WG_SIZE)
        y[start + col] = int(key_place(sorted[col]));
}

// SPDX-License-Identifier: Apache-2.0
// Variance along the middle of three axes, read twice: for the mean, then for the deviations from it. Neighbours along
// x have neighbouring outputs; neighbours along y share the elements of one output.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "grid.glsl"
#include "tree.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint outer, n, inner; int correction; };

void main() {
    const uint lane = gl_LocalInvocationID.y;
    const uint count = outer * inner, output_index = linear_item(WG_X, gl_LocalInvocationID.x);
    const uint base = output_index < count ? output_index / inner * n * inner + output_index % inner : 0u;
    const uint end = output_index < count ? n : 0u;
    float sum = 0.0, squares = 0.0;
    for (uint j = lane; j < end; j += WG_Y) sum += LOAD(x[base + j * inner]);
    const float mean = tree_sum(sum, lane, WG_Y, WG_X) / float(n);
    for (uint j = lane; j < end; j += WG_Y) {
        const float centred = LOAD(x[base + j * inner]) - mean;
        squares += centred * centred;
    }
    barrier(); // all have read the mean
    squares = tree_sum(squares, lane, WG_Y, WG_X);
    if (lane == 0u && output_index < count) y[output_index] = STORE(squares / float(int(n) - correction));
}

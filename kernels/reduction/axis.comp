// SPDX-License-Identifier: Apache-2.0
// Reduces the middle of three axes. Neighbours along x have neighbouring outputs; neighbours along y share the elements
// of one output, and a tree combines their results.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "kinds.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint outer, n, inner; };

void main() {
    const uint lane = gl_LocalInvocationID.y, i = gl_LocalInvocationIndex;
    const uint count = outer * inner, output_index = linear_item(WG_X, gl_LocalInvocationID.x);
    if (output_index < count) {
        uint at = output_index / inner * n * inner + output_index % inner + lane * inner;
        for (uint j = lane; j < n; j += WG_Y, at += WG_Y * inner) visit(LOAD(x[at]), at);
    }
    reduce_partial[i] = visited;
    for (uint left = WG_Y; left > 1u;) {
        const uint kept = (left + 1u) / 2u;
        barrier();
        if (lane + kept < left) {
            visited = COMBINE(visited, reduce_partial[i + kept * WG_X]);
            reduce_partial[i] = visited;
        }
        left = kept;
    }
    if (lane == 0u && output_index < count) y[output_index] = STORE(RESULT(visited, n));
}

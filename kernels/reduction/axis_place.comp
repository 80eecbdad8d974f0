// SPDX-License-Identifier: Apache-2.0
// Places of extremes along the middle of three axes. Neighbours along x have neighbouring outputs; neighbours along y
// share the elements of one output.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "place.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint outer, n, inner; };

void main() {
    const uint lane = gl_LocalInvocationID.y;
    const uint count = outer * inner, output_index = linear_item(WG_X, gl_LocalInvocationID.x);
    if (output_index < count) {
        uint at = output_index / inner * n * inner + output_index % inner + lane * inner;
        for (uint j = lane; j < n; j += WG_Y, at += WG_Y * inner) visit(LOAD(x[at]), j);
    }
    reduce_places(lane, WG_Y, WG_X);
    if (lane == 0u && output_index < count) y[output_index] = found(0u);
}

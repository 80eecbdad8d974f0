// SPDX-License-Identifier: Apache-2.0
// Places of extremes along the middle one of three axes: neighbours along x have neighbouring outputs, those along y
// share the elements of one.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"
#include "place.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint outer, n, inner; };

void main() {
    const uint lane = gl_LocalInvocationID.y, i = gl_LocalInvocationIndex;
    const uint first = linear_first(WG_X), count = outer * inner;
    const uint output_index = first + min(gl_LocalInvocationID.x, ~0u - first);
    if (output_index < count) {
        uint at = output_index / inner * n * inner + output_index % inner + lane * inner;
        for (uint j = lane; j < n; j += WG_Y, at += WG_Y * inner) visit(LOAD(x[at]), j);
    }
    place_values[i] = best;
    places[i] = place;
    for (uint left = WG_Y; left > 1u;) {
        const uint kept = (left + 1u) / 2u;
        barrier();
        if (lane + kept < left) {
            consider(place_values[i + kept * WG_X], places[i + kept * WG_X]);
            place_values[i] = best;
            places[i] = place;
        }
        left = kept;
    }
    if (lane == 0u && output_index < count) y[output_index] = found(0u);
}

// SPDX-License-Identifier: Apache-2.0
// Converts bytes to f32: four elements of a word at a time, ITEMS words per invocation, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "bytes.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) writeonly buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };

void main() {
    const uint words = (n + 3u) / 4u, first = linear_first(WG_SIZE * ITEMS);
    const uint left = words - min(first, words);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE) {
        if (at >= left) break;
        const uvec4 bytes = unpack_bytes(x[first + at]);
        for (uint i = 0, place = (first + at) * 4u; i < 4u; i++)
            if (place + i < n) y[place + i] = float(bytes[i]);
    }
}

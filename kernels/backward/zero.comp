// SPDX-License-Identifier: Apache-2.0
// Writes zeros, the start of atomic additions: ITEMS vectors of four an invocation, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) writeonly buffer Y { T y[]; };
layout(binding = 0) writeonly buffer Y4 { VEC4T y4[]; };
layout(push_constant) uniform Push { uint rows, cols; };

void main() {
    const uint n = rows * cols, first = linear_first(WG_SIZE * ITEMS), left = n / 4 - min(first, n / 4);
    [[unroll]] for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y4[first + at] = STORE4(vec4(0.0));
    if (linear_group() > 0) return;
    for (uint rest = gl_LocalInvocationIndex; rest < n % 4; rest += WG_SIZE) y[n - n % 4 + rest] = STORE(0.0);
}

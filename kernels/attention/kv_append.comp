// SPDX-License-Identifier: Apache-2.0
// Copies WIDTH elements of the new rows per invocation. The rest of the cache is not touched.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer X { WIDE x[]; };
layout(binding = 1) writeonly buffer Cache { WIDE cache[]; };
layout(push_constant) uniform Push { uint batch, kv_heads, capacity, head_dim, position, seq; };

void main() {
    const uint at = linear_invocation(), plane = seq * (head_dim / WIDTH), head = at / plane;
    if (head >= batch * kv_heads) return;
    cache[(head * capacity + position) * (head_dim / WIDTH) + at % plane] = x[at];
}

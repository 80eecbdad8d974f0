// SPDX-License-Identifier: Apache-2.0
// Sums all elements with one atomic addition per workgroup, in any order. The first pass (ZERO defined) writes the
// initial 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_atomic_float : require
#include "types.glsl"
#include "grid.glsl"
#include "kinds.glsl"

layout(constant_id = 3) const uint ITEMS = 32;

#ifdef ZERO
layout(binding = 0) writeonly buffer Y { float y[]; };

void main() {
    if (gl_LocalInvocationIndex == 0) y[0] = 0.0;
}
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) buffer Y { float y[]; };
layout(push_constant) uniform Push { uint n; };
#define WALK_ITEMS ITEMS
#include "walk.glsl"

void main() {
    const uint block = WG_SIZE * ITEMS, first = linear_first(block);
    if (first >= n) return;
    walk_block(first, min(n - first, block));
    const float result = OVER_WORKGROUP(visited);
    if (gl_LocalInvocationIndex == 0) atomicAdd(y[0], result);
}
#endif

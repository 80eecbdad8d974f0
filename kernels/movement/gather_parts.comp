// SPDX-License-Identifier: Apache-2.0
// Computes y[i] = x[index[i]] in PARTS turns over the indices, each for one part of x. A part fits caches that are too
// small for x. Workgroups are usually started in order, so one turn follows the other; any order is right. An
// invocation takes ITEMS elements, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 4;
layout(constant_id = 4) const uint PARTS = 4;

layout(binding = 0) readonly buffer Index { uint index[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint n; };

#define EACH_ITEM(item, at)                                                                    \
    [[unroll]] for (uint item = 0, at = first; item < ITEMS; item++, at += WG_SIZE)

void main() {
    const uint groups = (n - 1) / (WG_SIZE * ITEMS) + 1, part = linear_group() / groups;
    if (part >= PARTS) return;
    const uint low = n / PARTS * part, size = part + 1 < PARTS ? n / PARTS : n - low;
    const uint first = linear_group() % groups * (WG_SIZE * ITEMS) + gl_LocalInvocationIndex;
    uint from[ITEMS];
    float loaded[ITEMS];
    EACH_ITEM(item, at) from[item] = at < n ? index[at] - low : ~0u;
    EACH_ITEM(item, at) if (from[item] < size) loaded[item] = LOAD(x[low + from[item]]);
    EACH_ITEM(item, at) if (from[item] < size) y[at] = STORE(loaded[item]);
}

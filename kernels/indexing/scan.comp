// SPDX-License-Identifier: Apache-2.0
// Each invocation takes one element of y. It walks over all indices of its line and uses the sources for this element.
// With ADD it adds them up in order; otherwise it keeps the last. There are no atomics, so the bits are the same each
// time. Every element reads every index, so the cost grows with the length of the axis.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer Index { uint index[]; };
layout(binding = 1) readonly buffer Source { T src[]; };
layout(binding = 2) buffer Y { T y[]; };
layout(push_constant) uniform Push { uint outer, size, inner, count; };

void main() {
    const uint to = linear_invocation();
    if (to >= outer * size * inner) return;
    const uint place = to / inner % size, first = to / inner / size * count * inner + to % inner;
    float value = LOAD(y[to]);
    bool named = false;
    for (uint j = 0, from = first; j < count; j++, from += inner) {
        if (index[INDEX(j, from)] != place) continue;
        named = true;
#ifdef ADD
        value += LOAD(src[from]);
#else
        value = LOAD(src[from]);
#endif
    }
    if (named) y[to] = STORE(value);
}

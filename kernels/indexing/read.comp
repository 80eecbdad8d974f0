// SPDX-License-Identifier: Apache-2.0
// Computes y[o, j, i] = x[o, index, i]. INDEX gives the place of the index from j and from the place in y. An index out
// of range gives 0; as an unsigned number a negative one is large. An invocation takes ITEMS steps of WIDTH elements, a
// workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer Index { uint index[]; };
layout(binding = 1) readonly buffer X { WIDE x[]; };
layout(binding = 2) writeonly buffer Y { WIDE y[]; };
layout(push_constant) uniform Push { uint PUSHED; };

FLOATS read(uint to) {
    const uint across = inner / WIDTH, line = to / across;
    const uint place = index[INDEX(line % count, to)];
    if (place >= size) return FLOATS(0.0);
    return LOAD_WIDE(x[(line / count * size + place) * across + to % across]);
}

void main() {
    const uint total = OUTER * count * (inner / WIDTH), first = linear_first(WG_SIZE * ITEMS);
    const uint left = total - min(first, total);
    FLOATS loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) loaded[item] = read(first + at);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y[first + at] = STORE_WIDE(loaded[item]);
}

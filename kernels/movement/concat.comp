// SPDX-License-Identifier: Apache-2.0
// Rows of a and b one behind the other, WIDTH elements at a time: ITEMS steps an invocation, a
// workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer A { WIDE a[]; };
layout(binding = 1) readonly buffer B { WIDE b[]; };
layout(binding = 2) writeonly buffer Y { WIDE y[]; };
layout(push_constant) uniform Push { uint outer, a_size, b_size, inner; };

void main() {
    const uint a_row = a_size * (inner / WIDTH), b_row = b_size * (inner / WIDTH);
    const uint row = a_row + b_row, count = outer * row;
    const uint first = linear_first(WG_SIZE * ITEMS), left = count - min(first, count);
    FLOATS loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) {
            const uint o = (first + at) / row, i = (first + at) % row;
            if (i < a_row)
                loaded[item] = LOAD_WIDE(a[o * a_row + i]);
            else
                loaded[item] = LOAD_WIDE(b[o * b_row + i - a_row]);
        }
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y[first + at] = STORE_WIDE(loaded[item]);
}

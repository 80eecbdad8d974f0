// SPDX-License-Identifier: Apache-2.0
// y = F(a, b): an invocation takes ITEMS steps of WIDTH elements, a workgroup's width apart, and
// loads all before it stores any.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 0) readonly buffer AWide { WIDE a_wide[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 1) readonly buffer BWide { WIDE b_wide[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(binding = 2) writeonly buffer YWide { WIDE y_wide[]; };
layout(push_constant) uniform Push { uint n; };

void main() {
    const uint whole = n / WIDTH, first = linear_first(WG_SIZE * ITEMS);
    const uint left = whole - min(first, whole);
    FLOATS loaded_a[ITEMS], loaded_b[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) {
            loaded_a[item] = LOAD_WIDE(a_wide[first + at]);
            loaded_b[item] = LOAD_WIDE(b_wide[first + at]);
        }
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE) {
        precise FLOATS result = F(loaded_a[item], loaded_b[item]);
        if (at < left) y_wide[first + at] = STORE_WIDE(result);
    }
    if (linear_group() > 0) return;
    for (uint rest = gl_LocalInvocationIndex; rest < n % WIDTH; rest += WG_SIZE) {
        precise float result = F(LOAD(a[whole * WIDTH + rest]), LOAD(b[whole * WIDTH + rest]));
        y[whole * WIDTH + rest] = STORE(result);
    }
}

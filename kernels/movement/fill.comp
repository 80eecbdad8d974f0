// SPDX-License-Identifier: Apache-2.0
// Fills y with `value`, or with VALUE if it is defined; it only stores. An invocation takes ITEMS steps of WIDTH
// elements, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) writeonly buffer Y { T y[]; };
layout(binding = 0) writeonly buffer YWide { WIDE y_wide[]; };
#ifdef VALUE
layout(push_constant) uniform Push { uint n; };
#else
#define VALUE value
layout(push_constant) uniform Push { uint n; float value; };
#endif

void main() {
    const uint whole = n / WIDTH, first = linear_first(WG_SIZE * ITEMS);
    const uint left = whole - min(first, whole);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y_wide[first + at] = STORE_WIDE(FLOATS(VALUE));
    if (linear_group() > 0) return;
    for (uint rest = gl_LocalInvocationIndex; rest < n % WIDTH; rest += WG_SIZE)
        y[whole * WIDTH + rest] = STORE(VALUE);
}

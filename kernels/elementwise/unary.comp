// SPDX-License-Identifier: Apache-2.0
// y = F(x): an invocation takes ITEMS steps of WIDTH elements, a workgroup's width apart, and loads
// all before it stores any. X_F32 is defined where x is f32 in a case of another dtype.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "activations.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

#ifdef X_F32
#define X_T float
#define X_WIDE FLOATS
#define LOAD_X(x) (x)
#define LOAD_X_WIDE(x) (x)
#else
#define X_T T
#define X_WIDE WIDE
#define LOAD_X(x) LOAD(x)
#define LOAD_X_WIDE(x) LOAD_WIDE(x)
#endif

layout(binding = 0) readonly buffer X { X_T x[]; };
layout(binding = 0) readonly buffer XWide { X_WIDE x_wide[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(binding = 1) writeonly buffer YWide { WIDE y_wide[]; };
layout(push_constant) uniform Push { uint n; };

#if WIDTH == 4
#define F_WIDE(v) vec4(F(v.x), F(v.y), F(v.z), F(v.w))
#else
#define F_WIDE(v) F(v)
#endif

void main() {
    const uint whole = n / WIDTH, first = linear_first(WG_SIZE * ITEMS);
    const uint left = whole - min(first, whole);
    FLOATS loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) loaded[item] = LOAD_X_WIDE(x_wide[first + at]);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE) {
        precise FLOATS result = F_WIDE(loaded[item]);
        if (at < left) y_wide[first + at] = STORE_WIDE(result);
    }
    if (linear_group() > 0) return;
    for (uint rest = gl_LocalInvocationIndex; rest < n % WIDTH; rest += WG_SIZE) {
        const float value = LOAD_X(x[whole * WIDTH + rest]);
        precise float result = F(value);
        y[whole * WIDTH + rest] = STORE(result);
    }
}

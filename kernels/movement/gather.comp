// SPDX-License-Identifier: Apache-2.0
// Computes y[TARGET(i)] = x[SOURCE(i)]: ITEMS elements per invocation, a workgroup's width apart. INDEX is defined if
// the places come from a tensor, bound first.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

#ifndef TARGET
#define TARGET(i) (i)
#endif

layout(constant_id = 3) const uint ITEMS = 1;

#ifdef INDEX
layout(binding = 0) readonly buffer Index { int index[]; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
#else
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint PUSHED; };

void main() {
    const uint first = linear_first(WG_SIZE * ITEMS), left = n - min(first, n);
    float loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) loaded[item] = LOAD(x[SOURCE(first + at)]);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y[TARGET(first + at)] = STORE(loaded[item]);
}

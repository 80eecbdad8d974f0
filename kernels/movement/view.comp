// SPDX-License-Identifier: Apache-2.0
// y = x seen through strides: SIZE, STRIDE (uvec4, in steps of WIDTH elements; a negative stride
// wraps around) and BASE are expressions of the dims that PUSHED names. Y_STRIDE is defined where y
// is not contiguous, Y_BASE where it does not start at 0. ITEMS steps an invocation, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "view.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer X { WIDE x[]; };
layout(binding = 1) writeonly buffer Y { WIDE y[]; };
layout(push_constant) uniform Push { uint PUSHED; };

#ifndef BASE
#define BASE 0
#endif
#ifndef Y_BASE
#define Y_BASE 0
#endif

void main() {
    const uvec4 size = SIZE, stride = STRIDE;
    const uint count = product(size), first = linear_first(WG_SIZE * ITEMS);
    const uint left = count - min(first, count);
    FLOATS loaded[ITEMS];
    uint target[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) {
            const uvec4 place = unravel(first + at, size);
            loaded[item] = LOAD_WIDE(x[BASE + ravel(place, stride)]);
#ifdef Y_STRIDE
            target[item] = Y_BASE + ravel(place, Y_STRIDE);
#else
            target[item] = first + at;
#endif
        }
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y[target[item]] = STORE_WIDE(loaded[item]);
}

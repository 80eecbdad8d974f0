// SPDX-License-Identifier: Apache-2.0
// Copies rows between two strides, WIDTH elements at a time. An invocation takes ITEMS steps, a workgroup's width
// apart. Memory behind a row of y is not touched.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer X { WIDE x[]; };
layout(binding = 1) writeonly buffer Y { WIDE y[]; };
layout(push_constant) uniform Push { uint rows, cols, x_stride, y_stride; };

void main() {
    const uint steps = cols / WIDTH, count = rows * steps;
    const uint first = linear_first(WG_SIZE * ITEMS), left = count - min(first, count);
    FLOATS loaded[ITEMS];
    uint target[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) {
            const uint row = (first + at) / steps, col = first + at - row * steps;
            loaded[item] = LOAD_WIDE(x[row * (x_stride / WIDTH) + col]);
            target[item] = row * (y_stride / WIDTH) + col;
        }
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y[target[item]] = STORE_WIDE(loaded[item]);
}

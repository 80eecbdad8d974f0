// SPDX-License-Identifier: Apache-2.0
// Planes with a border of one value: an invocation asks of ITEMS elements of y, a workgroup's width
// apart, whether they lie in x. Distances from its corner wrap around where they are negative.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "view.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push {
    uint planes, h, w, top, bottom, left, right;
    float value;
};

void main() {
    const uvec4 size = uvec4(1, planes, top + h + bottom, left + w + right);
    const uint count = product(size), first = linear_first(WG_SIZE * ITEMS);
    const uint here = count - min(first, count);
    float loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE) {
        const uvec4 place = unravel(first + at, size);
        const uint row = place.z - top, col = place.w - left;
        loaded[item] = value;
        if (at < here && row < h && col < w) loaded[item] = LOAD(x[(place.y * h + row) * w + col]);
    }
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < here) y[first + at] = STORE(loaded[item]);
}

// SPDX-License-Identifier: Apache-2.0
// y = F(a, b) where dims of 1 are repeated: WIDTH elements of a row at a time, ITEMS times an
// invocation, a workgroup's width apart. An operand whose rows are one element is read as one.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "view.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 0) readonly buffer AWide { WIDE a_wide[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 1) readonly buffer BWide { WIDE b_wide[]; };
layout(binding = 2) writeonly buffer YWide { WIDE y_wide[]; };
layout(push_constant) uniform Push { uint a0, a1, a2, a3, b0, b1, b2, b3; };

uvec4 repeated(uvec4 size) {
    return mix(contiguous(size), uvec4(0), equal(size, uvec4(1)));
}

FLOATS load_a(uint at, bool one) {
    return one ? FLOATS(LOAD(a[at])) : LOAD_WIDE(a_wide[at / WIDTH]);
}

FLOATS load_b(uint at, bool one) {
    return one ? FLOATS(LOAD(b[at])) : LOAD_WIDE(b_wide[at / WIDTH]);
}

void main() {
    const uvec4 size_a = uvec4(a0, a1, a2, a3), size_b = uvec4(b0, b1, b2, b3);
    const uvec4 stride_a = repeated(size_a), stride_b = repeated(size_b);
    const uvec4 scale = uvec4(1, 1, 1, WIDTH), steps = max(size_a, size_b) / scale;
    const uint count = product(steps), first = linear_first(WG_SIZE * ITEMS);
    const uint left = count - min(first, count);
    FLOATS loaded_a[ITEMS], loaded_b[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) {
            const uvec4 place = unravel(first + at, steps) * scale;
            loaded_a[item] = load_a(ravel(place, stride_a), a3 == 1);
            loaded_b[item] = load_b(ravel(place, stride_b), b3 == 1);
        }
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE) {
        precise FLOATS result = F(loaded_a[item], loaded_b[item]);
        if (at < left) y_wide[first + at] = STORE_WIDE(result);
    }
}

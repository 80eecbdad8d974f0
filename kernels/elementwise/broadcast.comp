// SPDX-License-Identifier: Apache-2.0
// Computes y = F(a, b) through strides; a stride of 0 repeats a dim of 1. It takes WIDTH elements of a row at a time.
// An operand with stride 0 along the row gives one element for all of them.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "view.glsl"

layout(binding = 0) readonly buffer A { T a[]; };
layout(binding = 0) readonly buffer AWide { WIDE a_wide[]; };
layout(binding = 1) readonly buffer B { T b[]; };
layout(binding = 1) readonly buffer BWide { WIDE b_wide[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(binding = 2) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uvec4 size, stride_a, stride_b; };

const uvec4 SCALE = uvec4(1, 1, 1, WIDTH);

FLOATS load_place(uvec4 place) {
    const uint at_a = ravel(place * SCALE, stride_a), at_b = ravel(place * SCALE, stride_b);
    const FLOATS of_a = stride_a.w == 0 ? FLOATS(LOAD(a[at_a])) : LOAD_WIDE(a_wide[at_a / WIDTH]);
    const FLOATS of_b = stride_b.w == 0 ? FLOATS(LOAD(b[at_b])) : LOAD_WIDE(b_wide[at_b / WIDTH]);
    precise FLOATS result = F(of_a, of_b);
    return result;
}

vec4 load_quad(uint first, uint count) {
    const uvec4 steps = size / SCALE;
    uvec4 place = unravel(first / WIDTH, steps);
#if WIDTH == 4
    return load_place(place);
#else
    vec4 quad = vec4(0.0);
    for (uint i = 0; i < 4; i++) {
        if (first + i < count) quad[i] = load_place(place);
        advance(place, steps);
    }
    return quad;
#endif
}

#include "quads.glsl"

void main() {
    write_quads(product(size));
}

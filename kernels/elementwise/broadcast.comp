// SPDX-License-Identifier: Apache-2.0
// y = F(a, b) where dims of 1 are repeated, WIDTH elements of a row at a time. An operand whose rows
// are one element is read as one.
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
layout(push_constant) uniform Push { uint a0, a1, a2, a3, b0, b1, b2, b3; };

const uvec4 SCALE = uvec4(1, 1, 1, WIDTH);

uvec4 repeated(uvec4 size) {
    return mix(contiguous(size), uvec4(0), equal(size, uvec4(1))) * SCALE;
}

uvec4 result_size() {
    return max(uvec4(a0, a1, a2, a3), uvec4(b0, b1, b2, b3));
}

FLOATS load_place(uvec4 place, uvec4 stride_a, uvec4 stride_b) {
    const uint at_a = ravel(place, stride_a), at_b = ravel(place, stride_b);
    const FLOATS of_a = a3 == 1 ? FLOATS(LOAD(a[at_a])) : LOAD_WIDE(a_wide[at_a / WIDTH]);
    const FLOATS of_b = b3 == 1 ? FLOATS(LOAD(b[at_b])) : LOAD_WIDE(b_wide[at_b / WIDTH]);
    precise FLOATS result = F(of_a, of_b);
    return result;
}

vec4 load_quad(uint first, uint count) {
    const uvec4 size = result_size() / SCALE;
    const uvec4 stride_a = repeated(uvec4(a0, a1, a2, a3));
    const uvec4 stride_b = repeated(uvec4(b0, b1, b2, b3));
    uvec4 place = unravel(first / WIDTH, size);
#if WIDTH == 4
    return load_place(place, stride_a, stride_b);
#else
    vec4 quad = vec4(0.0);
    for (uint i = 0; i < 4; i++) {
        if (first + i < count) quad[i] = load_place(place, stride_a, stride_b);
        advance(place, size);
    }
    return quad;
#endif
}

#include "quads.glsl"

void main() {
    write_quads(product(result_size()));
}

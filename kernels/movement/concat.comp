// SPDX-License-Identifier: Apache-2.0
// Concatenates rows of a and b, WIDTH elements at a time.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer A { WIDE a[]; };
layout(binding = 1) readonly buffer B { WIDE b[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };
layout(binding = 2) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint outer, a_size, b_size, inner; };

FLOATS load_place(uint o, uint i, uint a_row, uint b_row) {
    if (i < a_row) return LOAD_WIDE(a[o * a_row + i]);
    return LOAD_WIDE(b[o * b_row + i - a_row]);
}

vec4 load_quad(uint first, uint count) {
    const uint a_row = a_size * (inner / WIDTH), b_row = b_size * (inner / WIDTH);
    const uint row = a_row + b_row;
    uint o = first / WIDTH / row, i = first / WIDTH % row;
#if WIDTH == 4
    return load_place(o, i, a_row, b_row);
#else
    vec4 quad = vec4(0.0);
    for (uint e = 0; e < 4; e++) {
        if (first + e < count) quad[e] = load_place(o, i, a_row, b_row);
        if (++i == row) {
            i = 0;
            o++;
        }
    }
    return quad;
#endif
}

#include "quads.glsl"

void main() {
    write_quads(outer * (a_size + b_size) * inner);
}

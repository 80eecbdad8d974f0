// SPDX-License-Identifier: Apache-2.0
// Computes y = x seen through strides. SIZE, STRIDE (uvec4, in steps of WIDTH elements; a negative stride wraps
// around) and BASE are expressions of the dims in PUSHED. If INSIDE(place) is defined and false, y is the parameter
// `value`.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "view.glsl"

#ifndef BASE
#define BASE 0
#endif
#ifndef PARAMS
#define PARAMS
#endif

layout(binding = 0) readonly buffer X { WIDE x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(binding = 1) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint PUSHED; PARAMS };

FLOATS load_place(uvec4 place) {
#ifdef INSIDE
    if (!(INSIDE(place))) return value;
#endif
    return LOAD_WIDE(x[BASE + ravel(place, STRIDE)]);
}

vec4 load_quad(uint first, uint count) {
    const uvec4 size = SIZE;
    uvec4 place = unravel(first / WIDTH, size);
#if WIDTH == 4
    return load_place(place);
#else
    vec4 quad = vec4(0.0);
    for (uint i = 0; i < 4; i++) {
        if (first + i < count) quad[i] = load_place(place);
        advance(place, size);
    }
    return quad;
#endif
}

#include "quads.glsl"

void main() {
    write_quads(product(SIZE) * WIDTH);
}

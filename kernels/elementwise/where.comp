// SPDX-License-Identifier: Apache-2.0
// Computes y = cond ? a : b, four elements at a time, by one word of cond's bytes. An invocation takes ITEMS times four
// elements, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "bytes.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer Cond { uint cond[]; };
layout(binding = 1) readonly buffer A { T a[]; };
layout(binding = 1) readonly buffer AWide { VEC4T a_wide[]; };
layout(binding = 2) readonly buffer B { T b[]; };
layout(binding = 2) readonly buffer BWide { VEC4T b_wide[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer YWide { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint n; };

bvec4 chosen(uint at) {
    return notEqual(unpack_bytes(cond[at]), uvec4(0));
}

vec4 choice(uint at) {
    return mix(LOAD4(b_wide[at]), LOAD4(a_wide[at]), chosen(at));
}

void main() {
    const uint whole = n / 4, first = linear_first(WG_SIZE * ITEMS);
    const uint left = whole - min(first, whole);
    vec4 taken[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) taken[item] = choice(first + at);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y_wide[first + at] = STORE4(taken[item]);
    if (linear_invocation() != 0) return;
    for (uint i = 0; i < n % 4; i++) {
        const uint at = whole * 4 + i;
        y[at] = STORE(chosen(whole)[i] ? LOAD(a[at]) : LOAD(b[at]));
    }
}

// SPDX-License-Identifier: Apache-2.0
// Computes y = F(a) or F(a, b), four elements to a word of bytes. An invocation takes ITEMS words, a workgroup's width
// apart. IN_F32 is defined if the inputs are f32 in a case of another dtype.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "bytes.glsl"

#ifndef INPUTS
#define INPUTS 1
#endif

layout(constant_id = 3) const uint ITEMS = 1;

#ifdef IN_F32
#define IN_T float
#define IN_VEC4 vec4
#define LOAD_IN(x) (x)
#define LOAD_IN4(x) (x)
#else
#define IN_T T
#define IN_VEC4 VEC4T
#define LOAD_IN(x) LOAD(x)
#define LOAD_IN4(x) LOAD4(x)
#endif

layout(binding = 0) readonly buffer A { IN_T a[]; };
layout(binding = 0) readonly buffer AWide { IN_VEC4 a_wide[]; };
#if INPUTS > 1
layout(binding = 1) readonly buffer B { IN_T b[]; };
layout(binding = 1) readonly buffer BWide { IN_VEC4 b_wide[]; };
#endif
layout(binding = INPUTS) buffer Y { uint y[]; };
layout(push_constant) uniform Push { uint n; };

// Rounds to nearest even. NaN and numbers below 0 become 0, numbers above 255 become 255.
uvec4 nearest_bytes(vec4 x) {
    return mix(uvec4(0), uvec4(roundEven(min(x, vec4(255.0)))), greaterThan(x, vec4(0.0)));
}

uint word_at(uint at) {
#if INPUTS > 1
    return pack_bytes(uvec4(F(LOAD_IN4(a_wide[at]), LOAD_IN4(b_wide[at]))));
#else
    return pack_bytes(uvec4(F(LOAD_IN4(a_wide[at]))));
#endif
}

// Returns a word of the last n % 4 elements, from index `at` on.
uint rest_at(uint at) {
    vec4 rest_a = vec4(0.0), rest_b = vec4(0.0);
    for (uint i = 0; i < n % 4; i++) {
        rest_a[i] = LOAD_IN(a[at + i]);
#if INPUTS > 1
        rest_b[i] = LOAD_IN(b[at + i]);
#endif
    }
#if INPUTS > 1
    return pack_bytes(uvec4(F(rest_a, rest_b)));
#else
    return pack_bytes(uvec4(F(rest_a)));
#endif
}

void main() {
    const uint whole = n / 4, first = linear_first(WG_SIZE * ITEMS);
    const uint left = whole - min(first, whole);
    uint words[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) words[item] = word_at(first + at);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) y[first + at] = words[item];
    if (linear_invocation() == 0 && n % 4 != 0)
        y[whole] = replace_bytes(y[whole], rest_at(whole * 4), n % 4);
}

// SPDX-License-Identifier: Apache-2.0
// Turns neighbouring pairs by the angles of their position, in vectors of four elements. With HALVES defined, a head's
// second elements follow all its first ones, and an invocation takes four pairs. Otherwise the elements of a pair are
// side by side, and it takes two. If a head's pairs are not a multiple of this, they are taken one by one. WAY is -1 to
// turn back, as for gradients.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

#ifndef WAY
#define WAY 1.0
#endif
#ifdef HALVES
const uint PAIRS = 4;
#else
const uint PAIRS = 2;
#endif

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 0) readonly buffer X4 { VEC4T x4[]; };
layout(binding = 1) readonly buffer Cos { T cosine[]; };
#ifdef HALVES
layout(binding = 1) readonly buffer Cos4 { VEC4T cosine4[]; };
layout(binding = 2) readonly buffer Sin4 { VEC4T sine4[]; };
#endif
layout(binding = 2) readonly buffer Sin { T sine[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(binding = 3) writeonly buffer Y4 { VEC4T y4[]; };
layout(push_constant) uniform Push { uint seq, heads, pairs; };

// Turns PAIRS pairs, one of the `shares` of a head.
void turn_share(uint share, uint shares) {
    const uint head = share / shares, at = share - head * shares;
    const uint angles = head / heads * shares + at;
#ifdef HALVES
    const vec4 c = LOAD4(cosine4[angles]), s = WAY * LOAD4(sine4[angles]);
    const uint first = head * shares * 2 + at, second = first + shares;
    const vec4 a = LOAD4(x4[first]), b = LOAD4(x4[second]);
    y4[first] = STORE4(a * c - b * s);
    y4[second] = STORE4(b * c + a * s);
#else
    const vec2 c = vec2(LOAD(cosine[2 * angles]), LOAD(cosine[2 * angles + 1]));
    const vec2 s = WAY * vec2(LOAD(sine[2 * angles]), LOAD(sine[2 * angles + 1]));
    const vec4 four = LOAD4(x4[share]);
    y4[share] = STORE4(four * c.xxyy + four.yxwz * s.xxyy * vec4(-1, 1, -1, 1));
#endif
}

void turn(uint index) {
    const uint pair = index % pairs, head = index / pairs;
    const uint angle = head / heads * pairs + pair;
#ifdef HALVES
    const uint first = head * pairs * 2 + pair, second = first + pairs;
#else
    const uint first = index * 2, second = first + 1;
#endif
    const float c = LOAD(cosine[angle]), s = WAY * LOAD(sine[angle]);
    const float a = LOAD(x[first]), b = LOAD(x[second]);
    y[first] = STORE(a * c - b * s);
    y[second] = STORE(b * c + a * s);
}

void main() {
    const uint all = seq * heads * pairs;
    if (pairs % PAIRS == 0) {
        const uint share = linear_invocation();
        if (share < all / PAIRS) turn_share(share, pairs / PAIRS);
        return;
    }
    const uint first = linear_first(WG_SIZE * PAIRS), left = min(all - min(first, all), WG_SIZE * PAIRS);
    [[dont_unroll]] for (uint at = gl_LocalInvocationIndex; at < left; at += WG_SIZE) turn(first + at);
}

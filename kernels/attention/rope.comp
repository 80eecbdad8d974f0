// SPDX-License-Identifier: Apache-2.0
// Each invocation turns one pair by the angle of its position. The elements of a pair are APART; the next pair is
// STRIDE further. WAY is -1 to turn back, as for gradients.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

#ifndef WAY
#define WAY 1.0
#endif

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) readonly buffer Cos { T cosine[]; };
layout(binding = 2) readonly buffer Sin { T sine[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint seq, heads, pairs; };

void main() {
    const uint index = linear_invocation();
    if (index >= seq * heads * pairs) return;
    const uint pair = index % pairs, head = index / pairs, position = head / heads;
    const uint first = head * pairs * 2 + pair * STRIDE, second = first + APART;
    const float c = LOAD(cosine[position * pairs + pair]);
    const float s = WAY * LOAD(sine[position * pairs + pair]);
    const float a = LOAD(x[first]), b = LOAD(x[second]);
    y[first] = STORE(a * c - b * s);
    y[second] = STORE(b * c + a * s);
}

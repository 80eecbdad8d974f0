// SPDX-License-Identifier: Apache-2.0
// Gradient of a maximum over windows of 2 x 2 that do not overlap. Each place has one window, so x is read once. An
// invocation takes ITEMS steps of two windows side by side, a workgroup's width apart. A step reads four columns of two
// rows and writes their gradients. Rows beyond the last window get 0.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "digits.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer X { VEC4T x[]; };
layout(binding = 1) readonly buffer Dy { T dy[]; };
layout(binding = 2) writeonly buffer Dx { VEC4T dx[]; };
layout(push_constant) uniform Push { uint n, c, h, w, oh, ow; };

// Returns the gradients of a window's taps: all of it for the first of the largest ones.
vec4 shares(vec4 taps, float gradient) {
    float best = uintBitsToFloat(0xff800000u);
    uint where = 4;
    [[unroll]] for (uint tap = 0; tap < 4; tap++) {
        const bool taken = taps[tap] > best || (taps[tap] == best && where == 4); // takes the first -inf, too
        where = taken ? tap : where;
        best = taken ? taps[tap] : best;
    }
    return mix(vec4(0.0), vec4(gradient), equal(uvec4(where), uvec4(0, 1, 2, 3)));
}

void main() {
    const uint across = w / 4, lines = (h + 1) / 2, total = n * c * lines * across;
    const uint first = linear_item(WG_SIZE * ITEMS, gl_LocalInvocationIndex);
    const uvec3 step = digits_of(WG_SIZE, lines, across);
    uvec3 at = digits_of(first, lines, across);
    uint place[ITEMS], height[ITEMS]; // height: rows of the picture in this step, 0 beyond the last one
    vec4 upper[ITEMS], lower[ITEMS];
    vec2 gradient[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint index = first + item * WG_SIZE;
        height[item] = index >= first && index < total ? min(h - 2 * at.y, 2) : 0;
        place[item] = (at.x * h + 2 * at.y) * across + at.z;
        upper[item] = lower[item] = vec4(uintBitsToFloat(0xff800000u));
        gradient[item] = vec2(0.0);
        if (height[item] > 0) upper[item] = LOAD4(x[place[item]]);
        if (height[item] > 1) lower[item] = LOAD4(x[place[item] + across]);
        if (height[item] > 0 && at.y < oh) {
            const uint from = (at.x * oh + at.y) * ow + 2 * at.z;
            gradient[item] = vec2(LOAD(dy[from]), LOAD(dy[from + 1]));
        }
        at = count_on(at, step, lines, across);
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const vec4 left = shares(vec4(upper[item].xy, lower[item].xy), gradient[item].x);
        const vec4 right = shares(vec4(upper[item].zw, lower[item].zw), gradient[item].y);
        if (height[item] > 0) dx[place[item]] = STORE4(vec4(left.xy, right.xy));
        if (height[item] > 1) dx[place[item] + across] = STORE4(vec4(left.zw, right.zw));
    }
}

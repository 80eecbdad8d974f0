// SPDX-License-Identifier: Apache-2.0
// Each invocation takes one block of Philox and makes four elements of its words by DRAW. X is defined if each element
// has an input.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "philox.glsl"

#ifdef X
layout(binding = 0) readonly buffer Narrow { T x[]; };
layout(binding = 0) readonly buffer Wide { VEC4T x_wide[]; };
#endif
layout(binding = Y) writeonly buffer NarrowY { T y[]; };
layout(binding = Y) writeonly buffer WideY { VEC4T y_wide[]; };
layout(push_constant) uniform Push { uint n; int seed, offset; PUSHED };

// As many bits as the significand has, so that the largest number is not rounded to 1.
#if defined(DTYPE_F16)
const uint BITS = 11;
#elif defined(DTYPE_BF16)
const uint BITS = 8;
#else
const uint BITS = 24;
#endif

#ifdef NORMAL
const float GRAIN = 1.0 / 16777216.0; // 2^-24

// Just below 2 pi, so that half of it is within [-pi, pi], where sine and cosine are specified.
const float TURN = 6.283185;

// Keeps the root's argument from going below 0, because near u = 1 the error of a logarithm may exceed its
// value.
vec4 normals(uvec4 words) {
    const vec2 u = vec2((words.xz >> 8) + 1u) * GRAIN;
    const vec2 angle = TURN * (vec2(words.yw >> 8) * GRAIN - 0.5);
    const vec2 radius = sqrt(max(-2.0 * log(u), 0.0));
    const vec2 even = radius * cos(angle), odd = radius * sin(angle);
    return vec4(even.x, odd.x, even.y, odd.y);
}
#endif

vec4 inputs(uint first) {
#ifdef X
    if (n - first >= 4) return LOAD4(x_wide[first / 4]);
    vec4 some = vec4(0.0);
    for (uint i = 0; first + i < n; i++) some[i] = LOAD(x[first + i]);
    return some;
#else
    return vec4(0.0);
#endif
}

void main() {
    const uint block = linear_invocation();
    if (block > (n - 1) / 4) return;
    const uint first = block * 4;
    const vec4 given = inputs(first), values = DRAW(random_words(seed, offset, block));
    if (n - first >= 4)
        y_wide[block] = STORE4(values);
    else
        for (uint i = 0; first + i < n; i++) y[first + i] = STORE(values[i]);
}

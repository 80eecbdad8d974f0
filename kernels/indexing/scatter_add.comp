// SPDX-License-Identifier: Apache-2.0
// Each invocation takes ITEMS sources, a workgroup's width apart. It adds each to its place atomically, by the device's
// own addition of floats. With SWAP it exchanges the word it read for the sum instead, until no other invocation came
// between. Divisions find the first place only.
#version 450
#extension GL_GOOGLE_include_directive : require
#ifndef SWAP
#extension GL_EXT_shader_atomic_float : require
#endif
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"
#include "digits.glsl"

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer Index { uint index[]; };
layout(binding = 1) readonly buffer Source { T src[]; };
#ifdef SWAP
layout(binding = 2) buffer Y { uint y[]; };
#else
layout(binding = 2) buffer Y { T y[]; };
#endif
layout(push_constant) uniform Push { uint outer, size, inner, count; };

void add(uint to, float term) {
#ifdef SWAP
    uint old = 0u, met = ~old; // a guess: a plain read would race with the others
    while (met != old) {
        met = old;
        old = atomicCompSwap(y[to], met, floatBitsToUint(uintBitsToFloat(met) + term));
    }
#else
    atomicAdd(y[to], term);
#endif
}

void main() {
    const uint total = outer * count * inner, first = linear_item(WG_SIZE * ITEMS, gl_LocalInvocationIndex);
    const uvec3 step = digits_of(WG_SIZE, count, inner);
    uvec3 at = digits_of(first, count, inner);
    uint place[ITEMS], target[ITEMS];
    float term[ITEMS];
    [[unroll]] for (uint item = 0; item < ITEMS; item++) {
        const uint from = first + item * WG_SIZE;
        place[item] = size;
        if (from >= first && from < total) {
            place[item] = index[INDEX(at.y, from)];
            term[item] = LOAD(src[from]);
            target[item] = (at.x * size + place[item]) * inner + at.z;
        }
        at = count_on(at, step, count, inner);
    }
    [[unroll]] for (uint item = 0; item < ITEMS; item++)
        if (place[item] < size) add(target[item], term[item]);
}

// SPDX-License-Identifier: Apache-2.0
// Each invocation takes one source and adds it to its place atomically, by the device's own addition of
// floats. With SWAP it exchanges the word it read for the sum instead, until no other invocation came
// between.
#version 450
#extension GL_GOOGLE_include_directive : require
#ifndef SWAP
#extension GL_EXT_shader_atomic_float : require
#endif
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

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
    const uint from = linear_invocation();
    if (from >= outer * count * inner) return;
    const uint line = from / inner, place = index[INDEX(line % count, from)];
    if (place < size) add((line / count * size + place) * inner + from % inner, LOAD(src[from]));
}

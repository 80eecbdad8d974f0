// SPDX-License-Identifier: Apache-2.0
// Computes y = F(a) or F(a, b) on bytes, four at once in a word. F sees each byte as 0 or 1. An invocation takes ITEMS
// words, a workgroup's width apart.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "grid.glsl"
#include "bytes.glsl"

#ifndef INPUTS
#define INPUTS 1
#endif

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) readonly buffer A { uint a[]; };
#if INPUTS > 1
layout(binding = 1) readonly buffer B { uint b[]; };
#endif
layout(binding = INPUTS) buffer Y { uint y[]; };
layout(push_constant) uniform Push { uint n; };

uint word_at(uint at) {
#if INPUTS > 1
    return F(truth_of_bytes(a[at]), truth_of_bytes(b[at]));
#else
    return F(truth_of_bytes(a[at]));
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
        y[whole] = replace_bytes(y[whole], word_at(whole), n % 4);
}

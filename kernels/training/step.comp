// SPDX-License-Identifier: Apache-2.0
// A step of an optimizer, in place. An invocation takes ITEMS times WIDTH parameters with their state and gradients, a
// workgroup's width apart, and loads all before it stores any. OPTIMIZER is the rule in rules.glsl, STATES the number
// of its states (none to two). PARAMS declares the parameters after n.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "grid.glsl"

#ifndef STATES
#define STATES 1
#endif
#ifndef PARAMS
#define PARAMS
#endif

layout(constant_id = 3) const uint ITEMS = 1;

layout(binding = 0) buffer W { float w[]; };
layout(binding = 0) buffer WWide { FLOATS w_wide[]; };
#if STATES > 0
layout(binding = 1) buffer S { float s[]; };
layout(binding = 1) buffer SWide { FLOATS s_wide[]; };
#endif
#if STATES > 1
layout(binding = 2) buffer V { float v[]; };
layout(binding = 2) buffer VWide { FLOATS v_wide[]; };
#endif
layout(binding = STATES + 1) readonly buffer Gradient { T g[]; };
layout(binding = STATES + 1) readonly buffer GradientWide { WIDE g_wide[]; };
layout(push_constant) uniform Push { uint n; PARAMS };

// The data of some parameters. Not every rule uses v, or, without a state, s.
struct Entry {
    FLOATS w, s, v, g;
};
#include "rules.glsl"

Entry load_wide(uint at) {
    Entry e;
    e.w = w_wide[at];
#if STATES > 0
    e.s = s_wide[at];
#endif
#if STATES > 1
    e.v = v_wide[at];
#endif
    e.g = LOAD_WIDE(g_wide[at]);
    return e;
}

void store_wide(uint at, Entry e) {
    w_wide[at] = e.w;
#if STATES > 0
    s_wide[at] = e.s;
#endif
#if STATES > 1
    v_wide[at] = e.v;
#endif
}

// Applies the rule to one parameter, in every component.
void apply_one(uint at) {
    Entry e;
    e.w = FLOATS(w[at]);
#if STATES > 0
    e.s = FLOATS(s[at]);
#endif
#if STATES > 1
    e.v = FLOATS(v[at]);
#endif
    e.g = FLOATS(LOAD(g[at]));
    apply(e);
    w[at] = e.w.x;
#if STATES > 0
    s[at] = e.s.x;
#endif
#if STATES > 1
    v[at] = e.v.x;
#endif
}

void main() {
    const uint whole = n / WIDTH, first = linear_first(WG_SIZE * ITEMS);
    const uint left = whole - min(first, whole);
    Entry loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) loaded[item] = load_wide(first + at);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) {
            apply(loaded[item]);
            store_wide(first + at, loaded[item]);
        }
    if (linear_group() > 0) return;
    for (uint rest = gl_LocalInvocationIndex; rest < n % WIDTH; rest += WG_SIZE)
        apply_one(whole * WIDTH + rest);
}

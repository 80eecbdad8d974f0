// SPDX-License-Identifier: Apache-2.0
// Computes y = F(a), F(a, b) or F(a, b, c), depending on INPUTS, element by element. An invocation takes ITEMS
// steps of WIDTH elements, a workgroup's width apart. It loads all of them before it stores any. If G is
// defined, it makes a second result of the same inputs. If FACTOR is defined, there is an operand `factor` of
// one element.
//
// PARAMS declares scalar parameters after n. IN_F32 (Y_F32) is defined if the inputs (the result) are f32 in a
// case of another dtype.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "wide.glsl"
#include "controls.glsl"
#include "grid.glsl"
#if (defined(DTYPE_F16) || defined(DTYPE_BF16)) && !defined(Y_F32)
#define RESULT_16
#endif
#include "activations.glsl"
#include "functions.glsl"
#include "slopes.glsl"

#ifndef INPUTS
#define INPUTS 1
#endif
#ifndef PARAMS
#define PARAMS
#endif

layout(constant_id = 3) const uint ITEMS = 1;

#ifdef IN_F32
#define IN_T float
#define IN_WIDE FLOATS
#define LOAD_IN(x) (x)
#define LOAD_IN_WIDE(x) (x)
#else
#define IN_T T
#define IN_WIDE WIDE
#define LOAD_IN(x) LOAD(x)
#define LOAD_IN_WIDE(x) LOAD_WIDE(x)
#endif

#ifdef Y_F32
#define Y_T float
#define Y_WIDE FLOATS
#define STORE_Y(x) (x)
#define STORE_Y_WIDE(x) (x)
#else
#define Y_T T
#define Y_WIDE WIDE
#define STORE_Y(x) STORE(x)
#define STORE_Y_WIDE(x) STORE_WIDE(x)
#endif

layout(binding = 0) readonly buffer A { IN_T in_a[]; };
layout(binding = 0) readonly buffer AWide { IN_WIDE in_a_wide[]; };
#if INPUTS > 1
layout(binding = 1) readonly buffer B { IN_T in_b[]; };
layout(binding = 1) readonly buffer BWide { IN_WIDE in_b_wide[]; };
#endif
#if INPUTS > 2
layout(binding = 2) readonly buffer C { IN_T in_c[]; };
layout(binding = 2) readonly buffer CWide { IN_WIDE in_c_wide[]; };
#endif
layout(binding = INPUTS) writeonly buffer Y { Y_T y[]; };
layout(binding = INPUTS) writeonly buffer YWide { Y_WIDE y_wide[]; };
#ifdef G
layout(binding = INPUTS + 1) writeonly buffer Z { Y_T z[]; };
layout(binding = INPUTS + 1) writeonly buffer ZWide { Y_WIDE z_wide[]; };
#endif
#ifdef FACTOR
layout(binding = INPUTS + 1) readonly buffer Factor { T factor[]; };
#endif
layout(push_constant) uniform Push { uint n; PARAMS };

struct Loaded {
    FLOATS of[INPUTS];
};

Loaded load_wide(uint at) {
    Loaded v;
    v.of[0] = LOAD_IN_WIDE(in_a_wide[at]);
#if INPUTS > 1
    v.of[1] = LOAD_IN_WIDE(in_b_wide[at]);
#endif
#if INPUTS > 2
    v.of[2] = LOAD_IN_WIDE(in_c_wide[at]);
#endif
    return v;
}

Loaded load_one(uint at) {
    Loaded v;
    v.of[0] = FLOATS(LOAD_IN(in_a[at]));
#if INPUTS > 1
    v.of[1] = FLOATS(LOAD_IN(in_b[at]));
#endif
#if INPUTS > 2
    v.of[2] = FLOATS(LOAD_IN(in_c[at]));
#endif
    return v;
}

#if INPUTS == 1
#define OF(f, v, part) f(v.of[0] part)
#elif INPUTS == 2
#define OF(f, v, part) f(v.of[0] part, v.of[1] part)
#else
#define OF(f, v, part) f(v.of[0] part, v.of[1] part, v.of[2] part)
#endif

#if WIDTH == 4
#define OF_ALL(f, v) vec4(OF(f, v, .x), OF(f, v, .y), OF(f, v, .z), OF(f, v, .w))
#else
#define OF_ALL(f, v) OF(f, v, .x)
#endif

void store_wide(uint at, Loaded v) {
    precise FLOATS result = OF_ALL(F, v);
    y_wide[at] = STORE_Y_WIDE(result);
#ifdef G
    precise FLOATS second = OF_ALL(G, v);
    z_wide[at] = STORE_Y_WIDE(second);
#endif
}

void store_one(uint at, Loaded v) {
    precise float result = OF(F, v, .x);
    y[at] = STORE_Y(result);
#ifdef G
    precise float second = OF(G, v, .x);
    z[at] = STORE_Y(second);
#endif
}

void main() {
    const uint whole = n / WIDTH, first = linear_first(WG_SIZE * ITEMS);
    const uint left = whole - min(first, whole);
    Loaded loaded[ITEMS];
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) loaded[item] = load_wide(first + at);
    for (uint item = 0, at = gl_LocalInvocationIndex; item < ITEMS; item++, at += WG_SIZE)
        if (at < left) store_wide(first + at, loaded[item]);
    if (linear_group() > 0) return;
    for (uint rest = gl_LocalInvocationIndex; rest < n % WIDTH; rest += WG_SIZE)
        store_one(whole * WIDTH + rest, load_one(whole * WIDTH + rest));
}

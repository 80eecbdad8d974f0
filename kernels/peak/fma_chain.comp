// SPDX-License-Identifier: Apache-2.0
// The arithmetic peak: chains of dependent multiply-adds, four independent chains per invocation. The code calls fma()
// by name, because drivers do not contract if float controls are declared.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#ifdef HALVES
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#define NUMBER float16_t
#define NUMBERS f16vec4
#elif defined(DOUBLES)
#define NUMBER double
#define NUMBERS dvec4
#else
#define NUMBER float
#define NUMBERS vec4
#endif
#include "types.glsl"
#include "controls.glsl"
#include "grid.glsl"

layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };
layout(push_constant) uniform Push { uint n, iterations; float a, b; };

void main() {
    const uint first = linear_first(WG_SIZE * 4), left = n - min(first, n);
    const uvec4 at = gl_LocalInvocationIndex + uvec4(0, 1, 2, 3) * WG_SIZE;
    const bvec4 inside = lessThan(at, uvec4(left));
    const NUMBERS factor = NUMBERS(a), term = NUMBERS(b);
    NUMBERS value = NUMBERS(0.0);
    for (uint e = 0; e < 4; e++)
        if (inside[e]) value[e] = NUMBER(LOAD(x[first + at[e]]));
    uint i = 0;
    for (; i + 16 <= iterations; i += 16) // so that the loop's own cost does not count
        [[unroll]] for (uint step = 0; step < 16; step++) value = fma(value, factor, term);
    for (; i < iterations; i++) value = fma(value, factor, term);
    for (uint e = 0; e < 4; e++)
        if (inside[e]) y[first + at[e]] = STORE(float(value[e]));
}

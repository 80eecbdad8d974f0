// SPDX-License-Identifier: Apache-2.0
// Chains of dependent dot products of four signed bytes in a word, four independent chains per invocation. The
// instruction is declared by its number, so compilers without the extension know it too.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_spirv_intrinsics : require
#include "grid.glsl"

// OpSDot with DotProduct and DotProductInput4x8BitPacked; format 0 is four bytes in a word.
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4450)
int signed_dot(int a, int b, spirv_literal int format);

layout(binding = 0) readonly buffer X { int x[]; };
layout(binding = 1) writeonly buffer Y { int y[]; };
layout(push_constant) uniform Push { uint n, iterations; int w; };

void main() {
    const uint first = linear_first(WG_SIZE * 4), left = n - min(first, n);
    const uvec4 at = gl_LocalInvocationIndex + uvec4(0, 1, 2, 3) * WG_SIZE;
    const bvec4 inside = lessThan(at, uvec4(left));
    ivec4 value = ivec4(0);
    for (uint e = 0; e < 4; e++)
        if (inside[e]) value[e] = x[first + at[e]];
#define STEP                                                                                  \
    value += ivec4(signed_dot(value.x, w, 0), signed_dot(value.y, w, 0),                      \
        signed_dot(value.z, w, 0), signed_dot(value.w, w, 0));
    uint i = 0;
    for (; i + 16 <= iterations; i += 16)
        [[unroll]] for (uint step = 0; step < 16; step++) STEP
    for (; i < iterations; i++) STEP
    for (uint e = 0; e < 4; e++)
        if (inside[e]) y[first + at[e]] = value[e] & 0xffff;
}

// SPDX-License-Identifier: Apache-2.0
// Chains of dependent multiply-adds of whole numbers, four independent chains per invocation. The numbers have 8, 16 or
// 32 bits, and the same lowest 8. Bytes are read and written through words.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#include "grid.glsl"
#include "bytes.glsl"

layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) buffer Y { uint y[]; };
layout(push_constant) uniform Push { uint n, iterations; int a, b; };

void main() {
    const uint word = linear_invocation(), words = (n - 1) / 4 + 1;
    if (word >= words) return;
    const NUMBERS factor = NUMBERS(a), term = NUMBERS(b);
    NUMBERS value = NUMBERS(unpack_bytes(x[word]));
    uint i = 0;
    for (; i + 16 <= iterations; i += 16)
        [[unroll]] for (uint step = 0; step < 16; step++) value = value * factor + term;
    for (; i < iterations; i++) value = value * factor + term;
    const uint joined = pack_bytes(uvec4(value) & 0xffu), left = n - word * 4;
    y[word] = left < 4 ? replace_bytes(y[word], joined, left) : joined;
}

// SPDX-License-Identifier: Apache-2.0
// Sums of f16 in words of two: narrowed by packHalf2x16, or by hand.
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer A { uint a[]; };
layout(binding = 1) readonly buffer B { uint b[]; };
layout(binding = 2) writeonly buffer Y { uint y[]; };
layout(push_constant) uniform P { uint n; };

#define CUT 0u
#define TO_EVEN (0xfffu + (size >> 13 & 1u))
// Rounds to the bits of an f16. Below its least normal number, the addition of 0.5 rounds to a multiple of 2^-24.
uint narrowed(float value) {
    uint bits = floatBitsToUint(value), size = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    if (size > 0x7f800000u) return sign | 0x7e00u;
    if (size >= 0x47800000u) return sign | 0x7c00u;
    if (size < 0x38800000u) return sign | floatBitsToUint(uintBitsToFloat(size) + 0.5) - 0x3f000000u;
    return sign | size - 0x38000000u + ROUND >> 13;
}

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (2 * i >= n) return;
    vec2 sum = unpackHalf2x16(a[i]) + unpackHalf2x16(b[i]);
    y[i] = STORE;
}

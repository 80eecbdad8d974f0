// SPDX-License-Identifier: Apache-2.0
// Eight neighbouring elements of 16 bits, loaded at once as 16 bytes.
#ifndef VKASSAY_OCTETS
#define VKASSAY_OCTETS

struct Octet {
    vec4 low, high;
};

#if defined(DTYPE_F16)

Octet octet(uvec4 raw) {
    return Octet(vec4(unpackHalf2x16(raw.x), unpackHalf2x16(raw.y)),
        vec4(unpackHalf2x16(raw.z), unpackHalf2x16(raw.w)));
}

#else

vec4 bf16_quad(uvec2 two) {
    return uintBitsToFloat(uvec4(two.x << 16, two.x & 0xffff0000u, two.y << 16, two.y & 0xffff0000u));
}

Octet octet(uvec4 raw) {
    return Octet(bf16_quad(raw.xy), bf16_quad(raw.zw));
}

#endif

#endif

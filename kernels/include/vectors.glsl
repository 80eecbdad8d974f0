// SPDX-License-Identifier: Apache-2.0
// Vectors of 16 bytes: VECTOR_SIZE elements, in quads of floats. 16-bit elements stay packed in registers.
#ifndef VKASSAY_VECTORS
#define VKASSAY_VECTORS

#include "types.glsl"

#if defined(DTYPE_F16) || defined(DTYPE_BF16)

#define VECTOR uvec4
#define VECTOR_SIZE 8

#if defined(DTYPE_BF16)
#define PACK_ROUNDS
vec4 unpack_quad(uvec2 two) {
    return uintBitsToFloat(uvec4(two.x << 16, two.x & 0xffff0000u, two.y << 16, two.y & 0xffff0000u));
}

uvec2 pack_quad(vec4 four) {
    return uvec2(bf16_bits(four.x) | bf16_bits(four.y) << 16, bf16_bits(four.z) | bf16_bits(four.w) << 16);
}
#else
vec4 unpack_quad(uvec2 two) {
    return vec4(unpackHalf2x16(two.x), unpackHalf2x16(two.y));
}

// packHalf2x16 may round in any direction. Without 16-bit arithmetic it only packs numbers that are halves already.
#if defined(FEATURE_FLOAT16)
#define PACK_ROUNDS
uvec2 pack_quad(vec4 four) {
    return uvec2(packFloat2x16(f16vec2(four.xy)), packFloat2x16(f16vec2(four.zw)));
}
#else
uvec2 pack_quad(vec4 four) {
    return uvec2(packHalf2x16(four.xy), packHalf2x16(four.zw));
}
#endif
#endif

vec4 quad_of(VECTOR vector, uint quad) {
    return unpack_quad(quad == 0u ? vector.xy : vector.zw);
}

VECTOR filled(float value) {
    return pack_quad(vec4(value)).xyxy;
}

#else

#define VECTOR vec4
#define VECTOR_SIZE 4
#define PACK_ROUNDS

vec4 quad_of(VECTOR vector, uint quad) {
    return vector;
}

VECTOR filled(float value) {
    return vec4(value);
}

#endif

#endif

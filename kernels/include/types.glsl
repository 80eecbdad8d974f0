// SPDX-License-Identifier: Apache-2.0
// The storage type of the case, with conversions to float and back; all arithmetic is in float. Include this file
// first: it enables extensions, which must come before any declaration.
#ifndef VKASSAY_TYPES
#define VKASSAY_TYPES

#if defined(DTYPE_F16) || defined(DTYPE_BF16)
#extension GL_EXT_shader_16bit_storage : require
#endif

#if defined(DTYPE_I8)
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#endif

#extension GL_EXT_control_flow_attributes : require
#if defined(SUBGROUPS)
#extension GL_KHR_shader_subgroup_arithmetic : require
#endif
#if defined(LANES)
#extension GL_KHR_shader_subgroup_shuffle : require
#if defined(DTYPE_F16) && defined(FEATURE_FLOAT16)
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#endif
#endif

#include "controls.glsl"

#if defined(DTYPE_F16)
#define T float16_t
#define VEC4T f16vec4
#elif defined(DTYPE_BF16)
#define T uint16_t
#define VEC4T u16vec4
#elif defined(DTYPE_I8)
#define T int8_t
#define VEC4T i8vec4
#elif defined(DTYPE_I32)
#define T int
#define VEC4T ivec4
#else
#define T float
#define VEC4T vec4
#endif

#if defined(DTYPE_BF16)

// Returns the upper half of a float, rounded to nearest even. A NaN is treated apart, because the sum would carry it to
// infinity or beyond.
uint bf16_bits(float x) {
    const uint bits = floatBitsToUint(x);
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    return (is_nan ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
}

#define LOAD(x) uintBitsToFloat(uint(x) << 16)
#define STORE(x) T(bf16_bits(x))
#define LOAD4(x) uintBitsToFloat(uvec4(x) << 16)
#define STORE4(x) bf16_store4(x)
VEC4T bf16_store4(vec4 x) {
    return VEC4T(uvec4(bf16_bits(x.x), bf16_bits(x.y), bf16_bits(x.z), bf16_bits(x.w)));
}

#elif defined(DTYPE_I32)

// Rounds to nearest even. A number out of range becomes the nearest limit, NaN becomes 0.
int nearest_int(float x) {
    if (!(abs(x) < 2147483648.0)) return x > 0.0 ? 0x7fffffff : x < 0.0 ? 0x80000000 : 0;
    return int(roundEven(x));
}

#define LOAD(x) float(x)
#define STORE(x) nearest_int(x)
#define LOAD4(x) vec4(x)
#define STORE4(x) int_store4(x)
VEC4T int_store4(vec4 x) {
    return VEC4T(nearest_int(x.x), nearest_int(x.y), nearest_int(x.z), nearest_int(x.w));
}

#else
#define LOAD(x) float(x)
#define STORE(x) T(x)
#define LOAD4(x) vec4(x)
#define STORE4(x) VEC4T(x)
#endif

#endif

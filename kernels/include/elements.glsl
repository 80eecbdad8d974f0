// SPDX-License-Identifier: Apache-2.0
// Elements as bits, and vectors of 16 bytes of them. RUN_READER reads a run: VECTOR_SIZE elements that are neighbours
// in memory, wherever they begin.
#ifndef VKASSAY_ELEMENTS
#define VKASSAY_ELEMENTS

#include "types.glsl"

#if defined(DTYPE_F32)
#define ELEMENT uint
#define VECTOR_SIZE 4

void put_element(inout uvec4 vector, uint i, uint element) {
    vector[i] = element;
}

uint element_of(uvec4 vector, uint i) {
    return vector[i];
}
#else
#define ELEMENT uint16_t
#define VECTOR_SIZE 8

// The element's bits are 0 before.
void put_element(inout uvec4 vector, uint i, uint element) {
    vector[i / 2] |= element << 16 * (i % 2);
}

uint element_of(uvec4 vector, uint i) {
    return vector[i / 2] >> 16 * (i % 2) & 0xffffu;
}
#endif

#if defined(DTYPE_F32)
uint element_bits(float number) {
    return floatBitsToUint(number);
}
#elif defined(DTYPE_BF16)
uint element_bits(float number) {
    return bf16_bits(number);
}
#else
// Rounds to nearest even, which packHalf2x16() need not do. Below 2^-14 halves are multiples of 2^-24.
uint element_bits(float number) {
    const uint sign = floatBitsToUint(number) >> 16 & 0x8000u, bits = floatBitsToUint(number) & 0x7fffffffu;
    uint half_bits = bits + 0xfffu + (bits >> 13 & 1u) - 0x38000000u >> 13;
    if (bits < 0x38800000u) half_bits = uint(roundEven(uintBitsToFloat(bits) * 16777216.0));
    if (bits > 0x477fefffu) half_bits = bits > 0x7f800000u ? 0x7e00u : 0x7c00u;
    return sign | half_bits;
}
#endif

// Returns the elements from number `skip` on of two vectors.
uvec4 joined(uvec4 a, uvec4 b, uint skip) {
    const uint words = skip * 4 / VECTOR_SIZE;
    if ((words & 2) != 0) {
        a = uvec4(a.zw, b.xy);
        b.xy = b.zw;
    }
    if ((words & 1) != 0) {
        a = uvec4(a.yzw, b.x);
        b.x = b.y;
    }
#if VECTOR_SIZE == 8
    if ((skip & 1) != 0) a = a >> 16 | uvec4(a.yzw, b.x) << 16;
#endif
    return a;
}

// Defines a reader of runs from a buffer declared as ELEMENT x[] and as uvec4 x_vectors[]. A run across two vectors is
// joined, except at the buffer's end, which may have no second vector.
#define RUN_READER(name, x, x_vectors)                                                        \
    uvec4 name(uint first) {                                                                  \
        const uint at = first / VECTOR_SIZE, skip = first % VECTOR_SIZE;                      \
        if (skip == 0) return x_vectors[at];                                                  \
        if (at + 1 < x_vectors.length()) return joined(x_vectors[at], x_vectors[at + 1], skip); \
        uvec4 vector = uvec4(0);                                                              \
        for (uint i = 0; i < VECTOR_SIZE; i++) put_element(vector, i, uint(x[first + i]));         \
        return vector;                                                                        \
    }

#endif

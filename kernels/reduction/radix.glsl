// SPDX-License-Identifier: Apache-2.0
// A stable radix sort of rows, from the lowest digit of 8 bits to the highest, in three passes per digit. Blocks of
// WG_SIZE * ITEMS elements count their digits, each digit's counts are summed over the blocks, and the blocks move
// their elements. Keys are unsigned integers with as many bits as elements.
#include "workgroup.glsl"
#include "keys.glsl"

#define DIGITS 256u

layout(constant_id = 3) const uint ITEMS = 8;
const uint BLOCK = WG_SIZE * ITEMS;

uint digit_of(uint key, uint shift) {
    return key >> shift & (DIGITS - 1u);
}

#if defined(DTYPE_F16)
uint sort_key(float value) {
    const uint bits = packHalf2x16(vec2(value == 0.0 ? 0.0 : value, 0.0)) & 0xffffu;
    return (bits & 0x7fffu) > 0x7c00u ? 0xffffu : (bits & 0x8000u) != 0u ? ~bits & 0xffffu : bits | 0x8000u;
}
#elif defined(DTYPE_BF16)
uint sort_key(float value) {
    return value_key(value) >> 16;
}
#else
uint sort_key(float value) {
    return value_key(value);
}
#endif

#if defined(DTYPE_F32)
layout(binding = 0) readonly buffer From { uint from[]; };
layout(binding = 0) readonly buffer FromPairs { uvec2 from_pairs[]; };
#define ELEMENT(start, col)                                                                   \
    (shift == 0u ? uvec2(sort_key(uintBitsToFloat(from[(start) + (col)])), col) : from_pairs[(start) + (col)])
#elif defined(FROM_X)
layout(binding = 0) readonly buffer X { T x[]; };
#define ELEMENT(start, col) uvec2(sort_key(LOAD(x[(start) + (col)])), col)
#else
layout(binding = 0) readonly buffer FromPairs { uvec2 from_pairs[]; };
#define ELEMENT(start, col) from_pairs[(start) + (col)]
#endif

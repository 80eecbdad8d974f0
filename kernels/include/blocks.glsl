// SPDX-License-Identifier: Apache-2.0
// Quantised weights in GGML's blocks of 32 elements: a half-precision scale, then 32 signed bytes
// (Q8_0, 34 bytes) or 16 bytes of nibbles less 8, whose low ones are elements 0 to 15 (Q4_0, 18
// bytes).
//
// Blocks begin at even bytes, and are read as the 32-bit words that every device has. The shader
// declares uint words[] before it includes this file. The last word of an odd number of blocks
// reaches two bytes beyond them, which count for nothing.
#ifndef VKASSAY_BLOCKS
#define VKASSAY_BLOCKS

#if defined(DTYPE_Q8_0)
const uint BLOCK_BYTES = 34;
#else
const uint BLOCK_BYTES = 18;
#endif

// Four bytes from an even byte on.
uint bytes_at(uint at) {
    const uint low = words[at / 4];
    return at % 4 == 0 ? low : low >> 16 | words[at / 4 + 1] << 16;
}

float block_scale(uint block) {
    const uint at = block * BLOCK_BYTES;
    return unpackHalf2x16(words[at / 4] >> at % 4 * 8).x;
}

vec4 signed_bytes(uint word) {
    const int four = int(word);
    return vec4(four << 24 >> 24, four << 16 >> 24, four << 8 >> 24, four >> 24);
}

// The low nibble of each byte less 8.
vec4 low_nibbles(uint word) {
    return vec4(word & 15u, word >> 8 & 15u, word >> 16 & 15u, word >> 24 & 15u) - 8.0;
}

// Four elements of a block, from the fourth times `quad` on, without the scale.
vec4 block_quad(uint block, uint quad) {
    const uint first = block * BLOCK_BYTES + 2;
#if defined(DTYPE_Q8_0)
    return signed_bytes(bytes_at(first + quad * 4));
#else
    return low_nibbles(bytes_at(first + quad % 4 * 4) >> quad / 4 * 4);
#endif
}

// The element at any place.
float block_element(uint index) {
    const uint block = index / 32;
    return block_scale(block) * block_quad(block, index % 32 / 4)[index % 4];
}

#endif

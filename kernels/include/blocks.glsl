// SPDX-License-Identifier: Apache-2.0
// Quantised weights in GGML's blocks of 32 elements. A block begins with a half-precision scale. Q8_0 continues with 32
// signed bytes, 34 bytes in all. Q4_0 continues with 16 bytes of nibbles less 8, 18 bytes in all; the low nibbles are
// elements 0 to 15.
//
// Blocks begin at even bytes, and are read as 32-bit words because every device has these. The shader declares uint
// words[] before including this file. The last word of an odd number of blocks reaches two bytes beyond them; these
// bytes are ignored.
#ifndef VKASSAY_BLOCKS
#define VKASSAY_BLOCKS

#if defined(DTYPE_Q8_0)
const uint BLOCK_BYTES = 34, HALF_BYTES = 16;
#else
const uint BLOCK_BYTES = 18, HALF_BYTES = 8;
#endif

// Returns four bytes, starting at an even byte.
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

// Returns the low nibble of each byte less 8. The mask comes first, so that only single bytes are converted; many
// devices do this in one step.
vec4 low_nibbles(uint word) {
    const uint four = word & 0x0f0f0f0fu;
    return vec4(four & 255u, four >> 8 & 255u, four >> 16 & 255u, four >> 24) - 8.0;
}

// Returns four elements of a block, starting at element 4 * quad, without the scale.
vec4 block_quad(uint block, uint quad) {
    const uint first = block * BLOCK_BYTES + 2;
#if defined(DTYPE_Q8_0)
    return signed_bytes(bytes_at(first + quad * 4));
#else
    return low_nibbles(bytes_at(first + quad % 4 * 4) >> quad / 4 * 4);
#endif
}

// Returns half a block, 16 elements, without the scale. Half 0 is elements 0 to 15 in Q8_0; in Q4_0 it is 0 to 7 and 16
// to 23, because a byte holds two. Each word is read once; words are joined if the block begins inside a word.
void block_half(uint block, uint part, out vec4 quads[4]) {
    const uint first = block * BLOCK_BYTES + 2 + part * HALF_BYTES, at = first / 4;
    const bool amid = first % 4 != 0;
    uint four[HALF_BYTES / 4];
    [[unroll]] for (uint i = 0; i < HALF_BYTES / 4; i++) four[i] = words[at + i];
    if (amid) {
        const uint last = words[at + HALF_BYTES / 4];
        [[unroll]] for (uint i = 0; i < HALF_BYTES / 4; i++)
            four[i] = four[i] >> 16 | (i + 1 < HALF_BYTES / 4 ? four[i + 1] : last) << 16;
    }
#if defined(DTYPE_Q8_0)
    [[unroll]] for (uint i = 0; i < 4; i++) quads[i] = signed_bytes(four[i]);
#else
    [[unroll]] for (uint i = 0; i < 4; i++) quads[i] = low_nibbles(four[i % 2] >> i / 2 * 4);
#endif
}

// Returns the element at any index.
float block_element(uint index) {
    const uint block = index / 32;
    return block_scale(block) * block_quad(block, index % 32 / 4)[index % 4];
}

#endif

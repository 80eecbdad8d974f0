// SPDX-License-Identifier: Apache-2.0
// Blocks of quantised weights as words of four signed bytes, for integer dot products. The shader declares uint words[]
// before including this file; see blocks.glsl.
#ifndef VKASSAY_BLOCK_BYTES
#define VKASSAY_BLOCK_BYTES

#include "blocks.glsl"

// Converts four nibbles to bytes less 8. The top bit of each byte is set first, so nothing is borrowed from the next.
uint nibbles_to_bytes(uint word) {
    return ((word & 0x0f0f0f0fu | 0x80808080u) - 0x08080808u) ^ 0x80808080u;
}

// Returns four elements of a block, starting at element 4 * quad.
uint block_word(uint block, uint quad) {
    const uint first = block * BLOCK_BYTES + 2;
#if defined(DTYPE_Q8_0)
    return bytes_at(first + quad * 4);
#else
    return nibbles_to_bytes(bytes_at(first + quad % 4 * 4) >> quad / 4 * 4);
#endif
}

// Returns a whole block; each of its words is read once.
void block_words(uint block, out uint four[8]) {
    const uint first = block * BLOCK_BYTES + 2, at = first / 4, count = HALF_BYTES / 2;
    const bool amid = first % 4 != 0;
    uint read[count];
    [[unroll]] for (uint i = 0; i < count; i++) read[i] = words[at + i];
    if (amid) {
        const uint last = words[at + count];
        [[unroll]] for (uint i = 0; i < count; i++) read[i] = read[i] >> 16 | (i + 1 < count ? read[i + 1] : last) << 16;
    }
#if defined(DTYPE_Q8_0)
    four = read;
#else
    [[unroll]] for (uint i = 0; i < 8; i++) four[i] = nibbles_to_bytes(read[i % 4] >> i / 4 * 4);
#endif
}

#endif

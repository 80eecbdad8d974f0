// SPDX-License-Identifier: Apache-2.0
// Eight elements of a quantised block an invocation. Part i (0 to 3) is elements 8 i to 8 i + 7 in Q8_0. In Q4_0 it is
// 4 i to 4 i + 3, and those 16 further. Neighbours read neighbouring words.
#ifndef VKASSAY_BLOCK_EIGHTS
#define VKASSAY_BLOCK_EIGHTS

#include "blocks.glsl"

// Returns the words with a part's bytes, and last the word with the block's scale. Nothing is computed from them, so
// nothing waits for the loads.
uvec4 block_eight(uint block, uint part) {
#if defined(DTYPE_Q8_0)
    const uint first = block * 17 / 2, at = first + part * 2;
    return uvec4(words[at], words[at + 1], words[at + 2], words[first]);
#else
    const uint first = block * 9 / 2, at = first + part;
    return uvec4(words[at], words[at + 1], 0, words[first]);
#endif
}

// Return the bytes and the scale of such words. Odd blocks begin inside a word. Q4_0 has four bytes only.
uvec2 eight_bytes(uvec4 eight, uint block) {
    return block % 2 != 0 ? eight.yz : eight.xy >> 16 | eight.yz << 16;
}

uint eight_scale(uvec4 eight, uint block) {
    return block % 2 != 0 ? eight.w >> 16 : eight.w & 0xffffu;
}

#endif

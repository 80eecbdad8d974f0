// SPDX-License-Identifier: Apache-2.0
// Tensors of bytes through 32-bit words, which every device can store: four elements a word, and a
// word belongs to one invocation. What of the last word lies behind the tensor is kept as it was;
// the binding must reach to that word's end, so round a buffer's size up to a multiple of 4.
#ifndef VKASSAY_BYTES
#define VKASSAY_BYTES

uint pack_bytes(uvec4 v) {
    return v.x | v.y << 8 | v.z << 16 | v.w << 24;
}

uvec4 unpack_bytes(uint word) {
    return uvec4(word, word >> 8, word >> 16, word >> 24) & 0xffu;
}

// 1 for each byte that is not 0: adding 127 carries into its top bit, unless that is set already.
uint truth_of_bytes(uint word) {
    return (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) >> 7 & 0x01010101u;
}

// The first `count` bytes (1 to 3) of one word, the others of another.
uint replace_bytes(uint kept, uint word, uint count) {
    const uint mask = (1u << count * 8u) - 1u;
    return (word & mask) | (kept & ~mask);
}

#endif

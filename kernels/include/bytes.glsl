// SPDX-License-Identifier: Apache-2.0
// Tensors of bytes, accessed as 32-bit words of four elements, because every device can store these. Each word belongs
// to one invocation. Bytes of the last word behind the tensor keep their values. The binding must include this whole
// word, so round a buffer's size up to a multiple of 4.
#ifndef VKASSAY_BYTES
#define VKASSAY_BYTES

uint pack_bytes(uvec4 v) {
    return v.x | v.y << 8 | v.z << 16 | v.w << 24;
}

uvec4 unpack_bytes(uint word) {
    return uvec4(word, word >> 8, word >> 16, word >> 24) & 0xffu;
}

// Returns 1 for each nonzero byte. Adding 127 carries into the byte's top bit, unless this is already set.
uint truth_of_bytes(uint word) {
    return (((word & 0x7f7f7f7fu) + 0x7f7f7f7fu) | word) >> 7 & 0x01010101u;
}

// Returns the first `count` bytes (1 to 3) of `word` and the other bytes of `kept`.
uint replace_bytes(uint kept, uint word, uint count) {
    const uint mask = (1u << count * 8u) - 1u;
    return (word & mask) | (kept & ~mask);
}

#endif

// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC'11): the same
// bits as reference/philox.h.
#ifndef VKASSAY_PHILOX
#define VKASSAY_PHILOX

uvec4 philox(uvec2 key, uvec4 counter) {
    for (uint round = 0; round < 10u; round++) {
        uint high_x, low_x, high_z, low_z;
        umulExtended(0xD2511F53u, counter.x, high_x, low_x);
        umulExtended(0xCD9E8D57u, counter.z, high_z, low_z);
        counter = uvec4(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
        key += uvec2(0x9E3779B9u, 0xBB67AE85u);
    }
    return counter;
}

// Returns the four words of block `block` of a stream. seed and offset are not negative, and offset + block stays below
// 2^32.
uvec4 random_words(int seed, int offset, uint block) {
    return philox(uvec2(seed, 0), uvec4(uint(offset) + block, 0, 0, 0));
}

// Returns numbers uniform in [0, 1) with this many bits, exactly.
vec4 uniforms(uvec4 words, uint bits) {
    return vec4(words >> (32u - bits)) * uintBitsToFloat((127u - bits) << 23);
}

#endif

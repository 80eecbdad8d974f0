// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10, the counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC'11).
// An element's bits follow only from key and counter, so inputs are the same on every machine and shard.
#ifndef VKASSAY_REFERENCE_PHILOX_H
#define VKASSAY_REFERENCE_PHILOX_H

#include <stdint.h>

struct philox {
    uint32_t v[4];
};

static inline struct philox philox(uint64_t key, uint64_t counter_lo, uint64_t counter_hi) {
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    struct philox c = {
        {(uint32_t)counter_lo, (uint32_t)(counter_lo >> 32), (uint32_t)counter_hi, (uint32_t)(counter_hi >> 32)}};
    for (int round = 0; round < 10; round++) {
        uint64_t p0 = (uint64_t)0xD2511F53u * c.v[0], p1 = (uint64_t)0xCD9E8D57u * c.v[2];
        c = (struct philox){
            {(uint32_t)(p1 >> 32) ^ c.v[1] ^ k0, (uint32_t)p1, (uint32_t)(p0 >> 32) ^ c.v[3] ^ k1, (uint32_t)p0}};
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

// Makes PHILOX_BLOCKS blocks with the counters first, first + 1 ... and `counter_hi`, as philox() does. The
// loops run over blocks, so that compilers make vector instructions of them.
enum { PHILOX_BLOCKS = 16 };
void philox_blocks(uint64_t key, uint64_t first, uint64_t counter_hi, struct philox blocks[PHILOX_BLOCKS]);

// Returns a uniform number in [0, 1) with 24 bits, exact in float.
static inline double philox_uniform(uint32_t bits) {
    return (bits >> 8) * 0x1p-24;
}

#endif

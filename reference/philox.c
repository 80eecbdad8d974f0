// SPDX-License-Identifier: Apache-2.0
#include "philox.h"

// A processor with wider vectors than every x86-64 has needs a third of the time. Sanitizers start before a choice at
// load time could be made, and other processors have one kind. clang 14 gives the choice a name that no caller has.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&              \
    !defined(__SANITIZE_THREAD__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif

WIDEST void philox_blocks(uint64_t key, uint64_t first, uint64_t counter_hi, struct philox blocks[PHILOX_BLOCKS]) {
    uint32_t v0[PHILOX_BLOCKS], v1[PHILOX_BLOCKS], v2[PHILOX_BLOCKS], v3[PHILOX_BLOCKS];
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (uint64_t i = 0; i < PHILOX_BLOCKS; i++) {
        v0[i] = (uint32_t)(first + i);
        v1[i] = (uint32_t)((first + i) >> 32);
        v2[i] = (uint32_t)counter_hi;
        v3[i] = (uint32_t)(counter_hi >> 32);
    }
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < PHILOX_BLOCKS; i++) {
            const uint64_t p0 = (uint64_t)0xD2511F53u * v0[i], p1 = (uint64_t)0xCD9E8D57u * v2[i];
            v0[i] = (uint32_t)(p1 >> 32) ^ v1[i] ^ k0;
            v1[i] = (uint32_t)p1;
            v2[i] = (uint32_t)(p0 >> 32) ^ v3[i] ^ k1;
            v3[i] = (uint32_t)p0;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    for (int i = 0; i < PHILOX_BLOCKS; i++) blocks[i] = (struct philox){{v0[i], v1[i], v2[i], v3[i]}};
}

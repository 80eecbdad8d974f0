// SPDX-License-Identifier: Apache-2.0
// Guard words: a stray write must not be able to hide by writing what was there.
#include "judge.h"

#include <string.h>

// The finaliser of MurmurHash3 (Appleby): every bit of the key changes about half of the word. It
// maps 0 to 0, which is what fresh memory holds; hence the 1 added.
uint32_t guard_word(uint32_t run, uint32_t operand, uint64_t index) {
    uint64_t key = (index + 1) ^ ((uint64_t)run << 32 | operand) * 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 33) * 0xff51afd7ed558ccdu;
    key = (key ^ key >> 33) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(key >> 32);
}

void guard_fill(void *bytes, uint64_t length, uint32_t run, uint32_t operand) {
    unsigned char *to = bytes;
    for (uint64_t at = 0; at < length; at += 4) {
        uint32_t word = guard_word(run, operand, at / 4);
        memcpy(to + at, &word, length - at < 4 ? length - at : 4);
    }
}

int64_t guard_check(const void *bytes, uint64_t length, uint32_t run, uint32_t operand) {
    const unsigned char *from = bytes;
    for (uint64_t at = 0; at < length; at += 4) {
        unsigned char expected[4];
        uint32_t word = guard_word(run, operand, at / 4);
        size_t here = length - at < 4 ? length - at : 4;
        memcpy(expected, &word, 4);
        if (memcmp(from + at, expected, here) == 0) continue;
        for (size_t i = 0; i < here; i++)
            if (from[at + i] != expected[i]) return (int64_t)(at + i);
    }
    return -1;
}

// SPDX-License-Identifier: Apache-2.0
// Guard words differ everywhere, so a stray write cannot hide by writing the word that was already there.
#include "judge.h"

#include <string.h>

// Mixes the key with the finaliser of MurmurHash3 (Appleby): every bit changes about half of the word. It maps 0 to
// 0, the content of fresh memory; hence the 1 added.
uint32_t guard_word(uint32_t run, uint32_t operand, uint64_t index) {
    uint64_t key = (index + 1) ^ ((uint64_t)run << 32 | operand) * 0x9e3779b97f4a7c15u;
    key = (key ^ key >> 33) * 0xff51afd7ed558ccdu;
    key = (key ^ key >> 33) * 0xc4ceb9fe1a85ec53u;
    return (uint32_t)(key >> 32);
}

uint32_t poison_word(uint32_t run, int operand, uint64_t index) {
    return guard_word(~run, (uint32_t)operand, index);
}

void guard_words(void *to, uint64_t bytes, uint32_t run, uint32_t operand, uint64_t first) {
    unsigned char *at = to;
    const uint64_t whole = bytes / 4;
    for (uint64_t i = 0; i < whole; i++) {
        const uint32_t word = guard_word(run, operand, first + i);
        memcpy(at + 4 * i, &word, 4);
    }
    const uint32_t last = guard_word(run, operand, first + whole);
    memcpy(at + 4 * whole, &last, bytes % 4);
}

// Makes floats between 1 and 2 of either sign, because sums and extremes of ordinary numbers show them. If only index
// 0 exists, every word would be the same and could hide a stray write; such words are left unchanged.
struct guard_form guard_form_of(enum dtype dtype, uint32_t below) {
    const struct dtype_info *info = dtype_info(dtype);
    if (!info->is_float) return (struct guard_form){.below = below > 1 ? below : 0};
    const uint64_t bits = 8 * (uint64_t)info->bytes, fraction = (uint64_t)info->significand - 1;
    const uint64_t exponent = (UINT64_C(1) << (bits - 1)) - (UINT64_C(1) << fraction);
    const uint64_t one = (uint64_t)(1 - info->least_exponent) << fraction; // the bits of 1
    const uint64_t copies = UINT32_MAX / ((UINT64_C(1) << bits) - 1);      // of an element in a word
    return (struct guard_form){.clear = (uint32_t)(exponent * copies), .set = (uint32_t)(one * copies)};
}

static uint32_t formed_word(uint32_t run, uint32_t operand, uint64_t index, struct guard_form form) {
    uint32_t word = (guard_word(run, operand, index) & ~form.clear) | form.set;
    return form.below ? word % form.below : word;
}

void guard_fill(void *bytes, uint64_t length, uint32_t run, uint32_t operand, struct guard_form form) {
    unsigned char *to = bytes;
    for (uint64_t at = 0; at < length; at += 4) {
        uint32_t word = formed_word(run, operand, at / 4, form);
        memcpy(to + at, &word, length - at < 4 ? length - at : 4);
    }
}

int64_t guard_check(const void *bytes, uint64_t length, uint32_t run, uint32_t operand, struct guard_form form) {
    const unsigned char *from = bytes;
    for (uint64_t at = 0; at < length; at += 4) {
        unsigned char expected[4];
        uint32_t word = formed_word(run, operand, at / 4, form);
        size_t here = length - at < 4 ? length - at : 4;
        memcpy(expected, &word, 4);
        if (memcmp(from + at, expected, here) == 0) continue;
        for (size_t i = 0; i < here; i++)
            if (from[at + i] != expected[i]) return (int64_t)(at + i);
    }
    return -1;
}

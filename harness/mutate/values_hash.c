// SPDX-License-Identifier: Apache-2.0
#include "values_hash.h"

#include "../base/hash.h"

#include <string.h>

static uint64_t add(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

uint64_t values_hash_of(enum dtype dtype, const void *elements, uint64_t bytes, uint64_t hash) {
    const unsigned char *at = elements;
    if (dtype == DTYPE_F32) {
        for (uint32_t word; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
            memcpy(&word, at, sizeof word);
            hash = add(hash, (word & 0x7fffffff) > 0x7f800000 ? 0x7fc00000 : word);
        }
    } else if (dtype == DTYPE_F16 || dtype == DTYPE_BF16) {
        const uint32_t infinity = dtype == DTYPE_F16 ? 0x7c00 : 0x7f80;
        for (uint16_t half; bytes >= sizeof half; at += sizeof half, bytes -= sizeof half) {
            memcpy(&half, at, sizeof half);
            hash = add(hash, (half & 0x7fffu) > infinity ? 0x7fff : half);
        }
    }
    return hash_bytes(hash, at, (size_t)bytes);
}

uint64_t values_hash(const struct problem *problem) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        if (operand->role != ROLE_IN) hash = values_hash_of(operand->dtype, operand->got, operand->bytes, hash);
    }
    return hash;
}

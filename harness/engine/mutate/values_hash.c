// SPDX-License-Identifier: Apache-2.0
#include "values_hash.h"

#include "../../base/hash.h"
#include "../../../reference/operator.h"

#include <string.h>

// Bit patterns of a type: the sign, infinity, the least normal number, and the NaN standing for all NaNs.
struct float_form {
    uint32_t sign, infinity, least_normal, nan;
};
static const struct float_form single = {0x80000000, 0x7f800000, 0x00800000, 0x7fc00000};
static const struct float_form half = {0x8000, 0x7c00, 0x0400, 0x7fff};
static const struct float_form brain = {0x8000, 0x7f80, 0x0080, 0x7fff};

static uint64_t add(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static uint32_t promised(const struct float_form *form, struct values_kept kept, uint32_t word) {
    const uint32_t size = word & ~form->sign;
    if (size > form->infinity) return form->nan;
    const bool is_zero = size == 0 || (!kept.subnormals && size < form->least_normal);
    if (!is_zero) return word;
    return kept.signs ? word & form->sign : 0;
}

uint64_t values_hash_of(
    enum dtype dtype, struct values_kept kept, const void *elements, uint64_t bytes, uint64_t hash) {
    const unsigned char *at = elements;
    if (dtype == DTYPE_F32) {
        for (uint32_t word; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
            memcpy(&word, at, sizeof word);
            hash = add(hash, promised(&single, kept, word));
        }
    } else if (dtype == DTYPE_F16 || dtype == DTYPE_BF16) {
        for (uint16_t word; bytes >= sizeof word; at += sizeof word, bytes -= sizeof word) {
            memcpy(&word, at, sizeof word);
            hash = add(hash, promised(dtype == DTYPE_F16 ? &half : &brain, kept, word));
        }
    }
    return hash_bytes(hash, at, (size_t)bytes);
}

uint64_t values_hash(const struct problem *problem, struct policy policy) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < problem->operand_count; i++) {
        const struct operand_data *operand = &problem->operands[i];
        const enum preserves preserves = problem->op->operands[i].preserves;
        const struct values_kept kept = {
            preserves != PRESERVES_VALUE && policy.specials, preserves == PRESERVES_BITS || policy.denorms};
        if (operand->role != ROLE_IN) hash = values_hash_of(operand->dtype, kept, operand->got, operand->bytes, hash);
    }
    return hash;
}

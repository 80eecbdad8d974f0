// SPDX-License-Identifier: Apache-2.0
// Hashes output values without unspecified bits. All NaNs hash alike. The sign of a zero counts only if the operator
// keeps it. A subnormal number counts as 0 if it may be flushed.
#ifndef VKASSAY_MUTATE_VALUES_HASH_H
#define VKASSAY_MUTATE_VALUES_HASH_H

#include "../check/inputs/problem_data.h"

// Differences that count: between zeros of either sign, and between subnormal numbers and zeros.
struct values_kept {
    bool signs, subnormals;
};

// Hashes the outputs kept by check_take. The operator and the module decide which differences count.
uint64_t values_hash(const struct problem *problem, struct policy policy);

// Hashes elements of one type, continuing from `hash`.
uint64_t values_hash_of(enum dtype dtype, struct values_kept kept, const void *elements, uint64_t bytes, uint64_t hash);

#endif

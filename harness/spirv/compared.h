// SPDX-License-Identifier: Apache-2.0
// Whole numbers at which the code of a module may change its way: it compares with them, divides by them, shifts or
// masks by them. Sizes beside them are worth a check.
#ifndef VKASSAY_SPIRV_COMPARED_H
#define VKASSAY_SPIRV_COMPARED_H

#include "barriers_skipped.h"

enum { COMPARED_NUMBERS = 64 };

// Lists these numbers, as specialized by the setting: each once, ascending, from `least` to `most`. The first
// COMPARED_NUMBERS in the order of the code are kept. Returns their count; 0 for words that are no module.
int numbers_compared(const uint32_t *words, size_t count, const struct barrier_setting *setting, uint32_t least,
    uint32_t most, uint32_t numbers[COMPARED_NUMBERS]);

#endif

// SPDX-License-Identifier: Apache-2.0
// Whole numbers at which the code of a module may change its way: it compares with them, divides by them, shifts or
// masks by them. Sizes beside them are worth a check.
#ifndef VKASSAY_SPIRV_COMPARED_H
#define VKASSAY_SPIRV_COMPARED_H

#include "barriers_skipped.h"

enum { COMPARED_NUMBERS = 64 };

// The numbers to list: from `least` to `most`. With `declared`, the constants of the module, the lengths of its arrays
// and its specialization constants are listed, too.
struct numbers_wanted {
    uint32_t least, most;
    bool declared;
};

// Lists these numbers, as specialized by the setting: each once, ascending. The first COMPARED_NUMBERS in the order of
// the code are kept and, of declared ones, the largest. Returns their count; 0 for words that are no module.
int numbers_compared(const uint32_t *words, size_t count, const struct barrier_setting *setting,
    const struct numbers_wanted *wanted, uint32_t numbers[COMPARED_NUMBERS]);

#endif

// SPDX-License-Identifier: Apache-2.0
// Whether two tuned tables of one device say the same.
#ifndef VKASSAY_TUNE_TUNED_AGREE_H
#define VKASSAY_TUNE_TUNED_AGREE_H

#include "tuned_table.h"

enum agreement { AGREE_SAME, AGREE_TIE, AGREE_NOT };

// The same best shape; or the best of one is among the ties of the other; or neither.
enum agreement tuned_agree(const struct tuned_entry *a, const struct tuned_entry *b);

// For each entry of `a` that of the same case in `b`, or NULL.
void tuned_pair(const struct tuned *a, const struct tuned *b, struct arena *arena, const struct tuned_entry ***others);

#endif

// SPDX-License-Identifier: Apache-2.0
// Recorded dispatches with other bits than their recordings. Private to harness/readers.
#ifndef VKASSAY_TERMINAL_DIFFERENCES_TABLE_H
#define VKASSAY_TERMINAL_DIFFERENCES_TABLE_H

#include "../table/table.h"

struct result;

// Makes a table of the `most` dispatches with the largest distance, in the arena. Returns how many there are in all.
size_t differences_table(const struct result *result, size_t most, struct arena *arena, struct table *out);

// Returns a sentence on dispatches that were recorded on another device or driver, in the arena; NULL: there are none.
const char *elsewhere_words(const struct result *result, struct arena *arena);

#endif

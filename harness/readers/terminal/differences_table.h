// SPDX-License-Identifier: Apache-2.0
// Recorded dispatches with other bits than their recordings. Private to harness/readers.
#ifndef VKASSAY_TERMINAL_DIFFERENCES_TABLE_H
#define VKASSAY_TERMINAL_DIFFERENCES_TABLE_H

#include "../table/table.h"

struct result;

// Makes a table of the `most` dispatches with the largest distance, in the arena. Returns how many there are in all.
size_t differences_table(const struct result *result, size_t most, struct arena *arena, struct table *out);

#endif

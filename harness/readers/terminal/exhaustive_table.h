// SPDX-License-Identifier: Apache-2.0
// The results of checks over every input, as a table for terminal, markdown and page. Private to
// harness/readers/render.
#ifndef VKASSAY_RENDER_EXHAUSTIVE_TABLE_H
#define VKASSAY_RENDER_EXHAUSTIVE_TABLE_H

#include "../table/case_columns.h"
#include "../../base/arena.h"

#include <stddef.h>

struct result;

// Returns the number of records of exhaustive checks in the result.
size_t inputs_count(const struct result *result);

// Makes their table in the arena. ON_PAGE also serves markdown; it has columns for which a terminal has no room.
void exhaustive_table(const struct result *result, struct arena *arena, enum shown_place place, struct table *out);

#endif

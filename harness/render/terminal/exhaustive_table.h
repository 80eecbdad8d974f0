// SPDX-License-Identifier: Apache-2.0
// What checks over every input found: a table for the terminal, for markdown and for the page.
// Private to harness/render.
#ifndef VKASSAY_RENDER_EXHAUSTIVE_TABLE_H
#define VKASSAY_RENDER_EXHAUSTIVE_TABLE_H

#include "../../record/result.h"
#include "../table/case_columns.h"

// Records of exhaustive checks in the result.
size_t inputs_count(const struct result *result);

// Their table in the arena; ON_PAGE, which is for markdown too, has room for columns that ON_TERMINAL has not.
void exhaustive_table(const struct result *result, struct arena *arena, enum shown_place place, struct table *out);

#endif

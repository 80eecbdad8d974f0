// SPDX-License-Identifier: Apache-2.0
// What checks over every input found: a table for the terminal, for markdown and for the page.
// Private to harness/render.
#ifndef VKASSAY_RENDER_EXHAUSTIVE_TABLE_H
#define VKASSAY_RENDER_EXHAUSTIVE_TABLE_H

#include "../../base/text.h"
#include "../../record/result.h"

// Records of exhaustive checks in the result.
size_t inputs_count(const struct result *result);

// Appends the table; nothing when there is no exhaustive.
enum exhaustive_form { EXHAUSTIVE_PLAIN, EXHAUSTIVE_MARKDOWN, EXHAUSTIVE_HTML };
void put_exhaustive_table(struct text *out, const struct result *result, enum exhaustive_form form);

#endif

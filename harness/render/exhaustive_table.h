// SPDX-License-Identifier: Apache-2.0
// What sweeps over every input found: a table for the terminal, for markdown and for the page.
// Private to harness/render.
#ifndef VKASSAY_RENDER_SWEEPS_H
#define VKASSAY_RENDER_SWEEPS_H

#include "../base/text.h"
#include "../record/result.h"

// Records of sweeps in the result.
size_t sweep_count(const struct result *result);

// Appends the table; nothing when there is no sweep.
enum sweep_form { SWEEPS_PLAIN, SWEEPS_MARKDOWN, SWEEPS_HTML };
void put_sweeps(struct text *out, const struct result *result, enum sweep_form form);

#endif

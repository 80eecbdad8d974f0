// SPDX-License-Identifier: Apache-2.0
// The end of a report on a terminal, which is what is read: what failed and why, a line a cause; what is furthest from
// the roof; which shapes would gain most; and whether the times are worth anything. Private to harness/render.
#ifndef VKASSAY_RENDER_ENDING_H
#define VKASSAY_RENDER_ENDING_H

#include "../outcomes.h"

#include <stdio.h>

void ending_print(const struct view *view, const struct failures *failures, FILE *out, int width);

#endif

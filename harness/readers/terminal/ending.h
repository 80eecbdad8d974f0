// SPDX-License-Identifier: Apache-2.0
// Prints the end of a report on a terminal: failures by cause, kernels furthest from the roof, and shapes with the
// greatest gain. It warns if the times vary. People read this part first. Private to harness/readers/render.
#ifndef VKASSAY_RENDER_ENDING_H
#define VKASSAY_RENDER_ENDING_H

#include "../render/outcomes.h"

#include <stdio.h>

void ending_print(const struct view *view, const struct failures *failures, FILE *out, int width);

#endif

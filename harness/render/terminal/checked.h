// SPDX-License-Identifier: Apache-2.0
// What a check that timed nothing found, kernel by kernel. Private to harness/render.
#ifndef VKASSAY_RENDER_CHECKED_H
#define VKASSAY_RENDER_CHECKED_H

#include "../view.h"

#include <stdio.h>

// A line a kernel and type; then whose bits depend on the shape, and what the validation layer said where it ran.
void print_checked(const struct view *view, struct arena *arena, FILE *out, int width);

#endif

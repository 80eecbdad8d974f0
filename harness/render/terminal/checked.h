// SPDX-License-Identifier: Apache-2.0
// What a check that timed nothing found, kernel by kernel. Private to harness/render.
#ifndef VKASSAY_RENDER_CHECKED_H
#define VKASSAY_RENDER_CHECKED_H

#include "../view.h"

#include <stdio.h>

// What came of a kernel in one type.
struct checked {
    const struct view_kernel *kernel;
    size_t points, shapes, sizes;
    size_t right, wrong, skipped;
    const struct record *nearest; // whose error comes nearest to its bound, or NULL
    // Sizes at which several shapes were right and gave the same bits in both of their runs, and how many of those have
    // shapes whose bits differ.
    size_t compared, differing;
};
void checked_sum(const struct view_kernel *kernel, struct arena *arena, struct checked *out);

// A line a kernel and type; then whose bits depend on the shape, and what the validation layer said where it ran.
void print_checked(const struct view *view, struct arena *arena, FILE *out, int width);

#endif

// SPDX-License-Identifier: Apache-2.0
// The size axis: what grows from case to case. Private to harness/render.
#ifndef VKASSAY_RENDER_AXIS_H
#define VKASSAY_RENDER_AXIS_H

#include "chart.h"

// One dim that varies, several that are always equal, or else the bytes that must move.
struct axis {
    bool varies[RECORD_NAMES];
    int varying, first; // how many dims vary, and the first that does (0 when none)
    bool by_bytes;
};

struct axis axis_of(const struct view_kernel *kernels, size_t count);
double axis_value(const struct axis *axis, const struct view_case *c); // NaN when the case has none
// "n", "m = n = k", "rows x cols, by bytes moved"
void put_axis_title(struct text *out, const struct axis *axis, const struct record *record);
// The x axis of a plot: its title, its range and a labelled tick at each size that has room for its
// label.
void set_size_axis(struct plot *plot, const struct axis *axis, const struct view_kernel *kernel);

#endif

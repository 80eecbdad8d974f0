// SPDX-License-Identifier: Apache-2.0
// How much of a result the page and the terminal show. A person reads some hundred rows, and a browser opens some
// megabytes: of a large result tables hold the largest sizes, lists begin, and charts are a few of each kind. Exports
// are whole. Private to harness/render.
#ifndef VKASSAY_RENDER_SHOWN_H
#define VKASSAY_RENDER_SHOWN_H

#include "view.h"

#include "../base/text.h"

enum { SHOWN_WHOLE = 5000 }; // records: up to so many everything is shown

size_t shown_cases(const struct view *view, size_t kernels); // of each of `kernels` in one table, at least one

// Of what else is shown of a large result: entries of a list of failures or of reasons; charts of each kind; points in
// a chart of all cases. SIZE_MAX of one that is not large.
enum shown { SHOWN_ENTRIES = 200, SHOWN_CHARTS = 16, SHOWN_POINTS = 5000 };
size_t shown_most(const struct view *view, enum shown most);

// Whether a case is among the `most` largest of its kernel.
bool is_shown(const struct view_kernel *kernel, size_t index, size_t most);

// "100 of 2000 sizes are shown, ...": nothing where all of them are.
void put_left_out(struct text *out, size_t shown, size_t all, const char *what);

#endif

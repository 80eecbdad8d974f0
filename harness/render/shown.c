// SPDX-License-Identifier: Apache-2.0
#include "shown.h"

enum { ROWS = 100, ENTRIES = 200, CHARTS = 16, POINTS = 5000 }; // of a large result

static size_t limit(const struct view *view, size_t most) {
    return view->result->count > SHOWN_WHOLE ? most : SIZE_MAX;
}

size_t shown_cases(const struct view *view, size_t kernels) {
    size_t most = limit(view, ROWS);
    return most == SIZE_MAX || !kernels ? most : kernels < most ? most / kernels : 1;
}

size_t shown_entries(const struct view *view) {
    return limit(view, ENTRIES);
}

size_t shown_charts(const struct view *view) {
    return limit(view, CHARTS);
}

size_t shown_points(const struct view *view) {
    return limit(view, POINTS);
}

bool is_shown(const struct view_kernel *kernel, size_t index, size_t most) {
    return most >= kernel->count || index >= kernel->count - most;
}

void put_left_out(struct text *out, size_t shown, size_t all, const char *what) {
    if (shown < all)
        text_format(
            out, "%zu of %zu %s are shown here; vkassay export --format csv has all of the result.", shown, all, what);
}

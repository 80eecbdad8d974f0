// SPDX-License-Identifier: Apache-2.0
#include "shown.h"

enum { ROWS = 100 }; // of a large result, in one table

size_t shown_most(const struct view *view, enum shown most) {
    return view->result->count > SHOWN_WHOLE ? most : SIZE_MAX;
}

size_t shown_cases(const struct view *view, size_t kernels) {
    if (view->result->count <= SHOWN_WHOLE || !kernels) return SIZE_MAX;
    return kernels < ROWS ? ROWS / kernels : 1;
}

bool is_shown(const struct view_kernel *kernel, size_t index, size_t most) {
    return most >= kernel->count || index >= kernel->count - most;
}

void put_left_out(struct text *out, size_t shown, size_t all, const char *what) {
    if (shown < all)
        text_format(
            out, "%zu of %zu %s are shown here; vkassay export --format csv has all of the result.", shown, all, what);
}

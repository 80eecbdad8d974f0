// SPDX-License-Identifier: Apache-2.0
#include "list_coverage.h"

#include "../../readers/render/render.h"

#include <stdio.h>

bool list_coverage(
    struct arena *arena, const struct options *options, const struct prepared *prepared, struct error *err) {
    struct result_files files;
    struct result_set set;
    if (options->word_count < 2) return error_set(err, STATUS_USAGE, "list coverage: expected results behind it");
    if (!result_files_find(arena, options->words + 1, options->word_count - 1, &files, err)) return false;
    const bool ok = result_set_read(arena, &files, result_read, &set, err);
    say_skipped("list coverage", &files);
    if (ok) render_coverage(&prepared->kernels, set.results, set.count, stdout);
    result_set_free(&set);
    return ok;
}

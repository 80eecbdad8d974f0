// SPDX-License-Identifier: Apache-2.0
#include "../render/render.h"
#include "command.h"
#include "prepare.h"

#include <stdio.h>

bool command_coverage(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct prepared prepared = {0};
    struct result_files files;
    struct result_set set;
    (void)status;
    if (!options->word_count) return error_set(err, STATUS_USAGE, "coverage: expected at least one result");
    if (!prepare_kernels(arena, options, &prepared, err) ||
        !result_files_find(arena, options->words, options->word_count, &files, err))
        return false;
    const bool ok = result_set_read(arena, &files, result_read, &set, err);
    say_skipped("coverage", &files);
    if (ok) render_coverage(&prepared.kernels, set.results, set.count, stdout);
    result_set_free(&set);
    return ok;
}

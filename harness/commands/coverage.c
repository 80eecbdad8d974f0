// SPDX-License-Identifier: Apache-2.0
#include "../record/result.h"
#include "../render/render.h"
#include "command.h"
#include "prepare.h"

#include <stdio.h>

int command_coverage(struct arena *arena, const struct options *options, struct error *err) {
    struct prepared prepared = {0};
    if (!options->word_count) {
        error_set(err, STATUS_USAGE, "coverage: expected the path of at least one result.json");
        return -1;
    }
    if (!prepare_kernels(arena, options, &prepared, err)) return -1;
    struct result *results = arena_alloc(arena, options->word_count, sizeof *results);
    size_t count = 0;
    bool ok = results || error_set(err, STATUS_FAULT, "out of memory");
    while (ok && count < options->word_count) {
        ok = result_read(options->words[count], &results[count], err);
        count += ok;
    }
    ok = ok && render_coverage(&prepared.kernels, results, count, stdout, err);
    for (size_t i = 0; i < count; i++) result_free(&results[i]);
    return ok ? STATUS_OK : -1;
}

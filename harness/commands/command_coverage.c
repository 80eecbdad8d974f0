// SPDX-License-Identifier: Apache-2.0
#include "../base/kind.h"
#include "../record/result.h"
#include "../render/render.h"
#include "command.h"
#include "prepare.h"

#include <stdio.h>

// Returns whether the file is of another known kind, and reports it. Folders of results may also hold tables and
// spaces.
static bool is_another_kind(const char *path) {
    char what[700];
    enum file_kind kind = kind_of_file(path);
    if (kind == KIND_UNKNOWN || kind == KIND_RESULT) return false;
    kind_describe(what, sizeof what, path, kind);
    fprintf(stderr, "coverage: skipped: %s\n", what);
    return true;
}

static bool read_all(const struct options *options, struct result *results, size_t *count, struct error *err) {
    for (size_t i = 0; i < options->word_count; i++) {
        if (result_read(options->words[i], &results[*count], err))
            ++*count;
        else if (!is_another_kind(options->words[i]))
            return false;
    }
    return *count > 0; // otherwise err is about the last file
}

bool command_coverage(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct prepared prepared = {0};
    (void)status;
    if (!options->word_count) return error_set(err, STATUS_USAGE, "coverage: expected at least one result");
    if (!prepare_kernels(arena, options, &prepared, err)) return false;
    struct result *results = arena_alloc(arena, options->word_count, sizeof *results);
    size_t count = 0;
    bool ok = read_all(options, results, &count, err);
    if (ok) render_coverage(&prepared.kernels, results, count, stdout);
    release_results(results, count);
    return ok;
}

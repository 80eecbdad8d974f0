// SPDX-License-Identifier: Apache-2.0
// compile: each pipeline through the device's compiler, without running it.
#include "../base/file.h"
#include "../render/render.h"
#include "bench/bench.h"
#include "command.h"
#include "prepare.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ROWS = 40 };

// Shows results, and writes all rows to `page`.
static bool show(const struct result *results, size_t count, const char *page, enum status *status, struct error *err) {
    if (!render_compiled_markdown(results, count, page, err)) return false;
    const size_t failed = render_compiled(results, count, MOST_ROWS, stdout, terminal_width());
    size_t compiled = 0;
    for (size_t r = 0; r < count; r++) {
        render_failures(&results[r], stdout);
        for (size_t i = 0; i < results[r].count; i++) compiled += results[r].records[i].status == RECORD_COMPILED;
    }
    printf("All     %s\n", page);
    *status = status_join(*status, failed ? STATUS_WRONG : !compiled ? STATUS_NOTHING : STATUS_OK);
    return true;
}

static bool after(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    struct result result;
    const char *slash = strrchr(run->path, '/');
    const char *page = arena_format(arena, "%.*s/compiled.md", (int)(slash - run->path), run->path);
    if (!result_read(run->path, &result, err)) return false;
    const bool ok = show(&result, 1, page, status, err);
    result_free(&result);
    if (ok) printf("Result  %s\n", run->path);
    if (ok && run->cut_short) printf("The run was %s\n", run->cut_short);
    if (ok && run->cut_short) *status = status_join(*status, STATUS_PARTIAL);
    return ok;
}

// Joins results of several devices, made before.
static bool join(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct result *results;
    const char *folder = options->out ? options->out : "reports/out/compiled";
    if (!read_results(arena, options->words, options->word_count, &results, err)) return false;
    const bool ok = file_make_folder(folder, err) &&
                    show(results, options->word_count, arena_format(arena, "%s/compiled.md", folder), status, err);
    release_results(results, options->word_count);
    return ok;
}

bool command_compile(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench bench = {
        .verb = "compile", .suite = "smoke", .compile_only = true, .finds_sizes = true, .after = after};
    if (options->word_count && file_exists(options->words[0])) return join(arena, options, status, err);
    return bench_suite(arena, options, &bench, status, err);
}

// SPDX-License-Identifier: Apache-2.0
// compile: each pipeline through the device's compiler, without running it.
#include "../base/file.h"
#include "../render/render.h"
#include "bench/bench.h"
#include "command.h"
#include "prepare.h"
#include "../record/result.h"
#include "../record/record.h"

#include <stdio.h>
#include <string.h>

static bool after(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    struct result result;
    const char *slash = strrchr(run->path, '/');
    const char *folder = arena_format(arena, "%.*s", (int)(slash - run->path), run->path);
    const char *home = home_folder(arena, err);
    if (!home || !result_read(run->path, &result, err)) return false;
    const bool ok = present_compiled(arena, &result, 1, run->options->run.disassembly, folder, home, status, err);
    result_free(&result);
    if (ok) printf("Result  %s\n", run->path);
    const char *code = run->options->run.disassembly;
    if (ok && code && file_exists(code)) printf("Code    %s\n", code);
    if (ok && code && !file_exists(code)) printf("The driver gives no text of its machine code\n");
    if (ok && run->cut_short) printf("The run was %s\n", run->cut_short);
    if (ok && run->cut_short) *status = status_join(*status, STATUS_PARTIAL);
    return ok;
}

// Joins results of several devices, made before.
static bool join(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct result_set set;
    const char *folder = options->out ? options->out : "reports/out/compiled";
    const char *home = home_folder(arena, err);
    if (!home) return false;
    const bool ok =
        result_set_of(arena, options->words, options->word_count, result_read, &set, err) &&
        present_compiled(arena, set.results, set.count, options->run.disassembly, folder, home, status, err);
    result_set_free(&set);
    return ok;
}

bool command_compile(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench bench = {
        .verb = "compile", .suite = "smoke", .compile_only = true, .finds_sizes = true, .after = after};
    if (options->word_count && file_exists(options->words[0])) return join(arena, options, status, err);
    return bench_suite(arena, options, &bench, status, err);
}

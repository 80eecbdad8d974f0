// SPDX-License-Identifier: Apache-2.0
// claims: tests the claims of systems about GPUs on this device, or on a result made elsewhere.
#include "../base/file.h"
#include "../claims/claims.h"
#include "../render/render.h"
#include "bench/bench.h"
#include "command.h"
#include "prepare.h"
#include "../base/json.h"
#include "../record/result.h"
#include "../record/journal.h"

#include <stdio.h>

static const char standard[] = "claims";

static bool tell(struct arena *arena, const struct options *options, const char *path, const char *folder,
    enum status *status, struct error *err) {
    struct claims claims;
    struct result result;
    size_t charts = 0;
    const char *home = home_folder(arena, err);
    const struct prepared prepared = {.home = home};
    struct suite suite;
    if (!home || !prepare_suite(arena, &prepared, options->suite ? options->suite : standard, &suite, err) ||
        !claims_load(arena, suite.file, &claims, err) || !result_read(path, &result, err))
        return false;
    const char *templates = arena_format(arena, "%s/reports", home);
    bool ok = render_claims(&claims, &result, folder, templates, options->quiet ? NULL : stdout, &charts, err);
    size_t wrong = ok ? render_failures(&result, stdout) : 0;
    const char *cut_short = whole_words(arena, json_get(result.context, "run"));
    result_free(&result);
    if (!ok) return false;
    printf("Result  %s\nClaims  %s/claims.html (%zu chart%s beside it), claims.md\n", path, folder, charts,
        charts == 1 ? "" : "s");
    if (cut_short) printf("The run was %s\n", cut_short);
    *status = status_join(*status, wrong ? STATUS_WRONG : cut_short ? STATUS_PARTIAL : STATUS_OK);
    return true;
}

static bool after(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    return tell(arena, run->options, run->path, file_folder(arena, run->path), status, err);
}

bool command_claims(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench bench = {.verb = "claims", .suite = standard, .time = true, .after = after};
    if (!options->word_count) return bench_suite(arena, options, &bench, status, err);
    for (size_t i = 0; i < options->word_count; i++)
        if (!tell(arena, options, options->words[i], folder_for(arena, options, i), status, err)) return false;
    return true;
}

// SPDX-License-Identifier: Apache-2.0
// claims: what systems say of GPUs, held against this device, or against a result made elsewhere.
#include "../base/file.h"
#include "../claims/claims.h"
#include "../record/whole.h"
#include "../render/render.h"
#include "bench.h"
#include "command.h"
#include "home.h"
#include "prepare.h"

#include <stdio.h>

static const char standard[] = "claims";

static bool load(
    struct arena *arena, const struct options *options, const char *home, struct claims *out, struct error *err) {
    const struct prepared prepared = {.home = home};
    struct suite suite;
    return prepare_suite(arena, &prepared, options->suite ? options->suite : standard, &suite, err) &&
           claims_load(arena, suite.file, out, err);
}

static int tell(
    struct arena *arena, const struct options *options, const char *path, const char *folder, struct error *err) {
    struct claims claims;
    struct result result;
    size_t charts = 0;
    const char *home = home_folder(arena, err), *templates = home ? arena_format(arena, "%s/reports", home) : NULL;
    if (!home || !load(arena, options, home, &claims, err) || !result_read(path, &result, err)) return -1;
    bool ok = (templates && folder) || error_set(err, STATUS_FAULT, "out of memory");
    ok = ok && render_claims(&claims, &result, folder, templates, options->quiet ? NULL : stdout, &charts, err);
    size_t wrong = ok ? render_failures(&result, stdout) : 0;
    const char *cut_short = whole_words(arena, json_get(result.context, "run"));
    result_free(&result);
    if (!ok) return -1;
    printf("Result  %s\nClaims  %s/claims.html (%zu charts beside it), claims.md\n", path, folder, charts);
    if (cut_short) printf("The run was %s\n", cut_short);
    return wrong ? STATUS_WRONG : cut_short ? STATUS_PARTIAL : STATUS_OK;
}

static int after(struct arena *arena, const struct bench_run *run, struct error *err) {
    return tell(arena, run->options, run->path, file_folder(arena, run->path), err);
}

int command_claims(struct arena *arena, const struct options *options, struct error *err) {
    const struct bench bench = {.verb = "claims", .suite = standard, .time = true, .after = after};
    enum status worst = STATUS_OK;
    if (!options->word_count) return bench_suite(arena, options, &bench, err);
    for (size_t i = 0; i < options->word_count; i++) {
        const char *folder = options->out ? options->out : file_folder(arena, options->words[i]);
        if (options->out && options->word_count > 1) folder = arena_format(arena, "%s/%zu", options->out, i + 1);
        int status = tell(arena, options, options->words[i], folder, err);
        if (status < 0) return status;
        worst = status_join(worst, (enum status)status);
    }
    return (int)worst;
}

// SPDX-License-Identifier: Apache-2.0
// peaks: the limits of a device, measured here or read from a result made elsewhere.
#include "../render/render.h"
#include "bench/bench.h"
#include "command.h"
#include "prepare.h"
#include "../record/journal.h"
#include "../record/result.h"
#include "../base/json.h"
#include "../record/record.h"

#include <stdio.h>

static bool tell(struct arena *arena, const char *path, enum status *status, struct error *err) {
    struct result result;
    size_t measured = 0;
    if (!result_read(path, &result, err)) return false;
    render_peaks(&result, stdout, terminal_width());
    const size_t wrong = render_failures(&result, stdout);
    const char *cut_short = whole_words(arena, json_get(result.context, "run"));
    for (size_t i = 0; i < result.count; i++) measured += peak_figure(&result.records[i], &(struct peak_figure){0});
    result_free(&result);
    printf("\nResult  %s\n", path);
    if (cut_short) printf("The run was %s\n", cut_short);
    *status = status_join(*status, wrong       ? STATUS_WRONG
                                   : !measured ? STATUS_NOTHING
                                   : cut_short ? STATUS_PARTIAL
                                               : STATUS_OK);
    return true;
}

static bool after(struct arena *arena, const struct bench_run *run, enum status *status, struct error *err) {
    return tell(arena, run->path, status, err);
}

bool command_peaks(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const struct bench bench = {.verb = "peaks", .suite = "peaks", .time = true, .after = after};
    if (!options->word_count) return bench_suite(arena, options, &bench, status, err);
    for (size_t i = 0; i < options->word_count; i++)
        if (!tell(arena, options->words[i], status, err)) return false;
    return true;
}

// SPDX-License-Identifier: Apache-2.0
// Shows results: tables on the terminal, and files beside them.
#include "bench.h"

#include "../../base/file.h"
#include "../../device/profile.h"
#include "../../record/peers.h"
#include "../../record/record.h"
#include "../../record/result.h"
#include "../../readers/render/render.h"
#include "../command.h"
#include "last_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_width(void) {
    struct winsize size;
    const char *said = getenv("COLUMNS");
    if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0) return size.ws_col;
    long columns = said ? strtol(said, NULL, 10) : 0;
    return columns > 0 && columns < 10000 ? (int)columns : 0;
}

// ---- results of `check --tier compile`

enum { MOST_ROWS = 40 };

bool is_compiled(const struct result *result) {
    for (size_t i = 0; i < result->count; i++)
        if (result->records[i].status == RECORD_COMPILED) return true;
    return false;
}

bool present_compiled(struct arena *arena, const struct result *results, size_t count, const char *code,
    const char *folder, const char *home, enum status *status, struct error *err) {
    const char *table = arena_format(arena, "%s/compiled.md", folder);
    if (!file_make_folder(folder, err) || !render_compiled_markdown(results, count, table, err) ||
        !render_compiled_page(results, count, code ? file_way(arena, folder, code) : NULL, folder,
            arena_format(arena, "%s/reports", home), err))
        return false;
    const size_t failed = render_compiled(results, count, MOST_ROWS, stdout, terminal_width());
    size_t compiled = 0;
    for (size_t r = 0; r < count; r++) {
        render_failures(&results[r], stdout);
        for (size_t i = 0; i < results[r].count; i++) compiled += results[r].records[i].status == RECORD_COMPILED;
    }
    printf("All     %s\nPage    %s/compiled.html\n", table, folder);
    *status = status_join(*status, failed ? STATUS_WRONG : !compiled ? STATUS_NOTHING : STATUS_OK);
    return true;
}

// Shows a result of `check --tier compile` and releases it.
static bool show_compiled(struct result *result, bool later, const char *folder, const char *home, struct error *err) {
    struct arena arena = {0};
    enum status ignored = STATUS_OK;
    const bool ok = later || present_compiled(&arena, result, 1, NULL, folder, home, &ignored, err);
    result_free(result);
    arena_free(&arena);
    return ok;
}

// Returns whether every record measures a peak, as in the suite of peaks.
static bool is_of_peaks(const struct result *result) {
    for (size_t i = 0; i < result->count; i++)
        if (!result->records[i].peak) return false;
    return result->count > 0;
}

// Prints the tables of the result.
static void print(const struct result *result, bool brief) {
    if (is_of_peaks(result)) {
        render_peaks(result, stdout, terminal_width());
        render_failures(result, stdout);
    } else {
        (brief ? render_brief : render_tables)(result, stdout, terminal_width());
    }
}

bool present(const char *result_path, struct shown_with with, const char *folder, const char *home, bool quiet,
    struct error *err) {
    struct result result;
    if (!result_read(result_path, &result, err)) return false;
    if (is_compiled(&result)) return show_compiled(&result, with.joined, folder, home, err);
    struct result before;
    struct comparison last;
    const bool known = last_run(result_path, &result, &before, &last);
    result_clamp(&result, with.profile);
    result.peers = with.peers;
    if (known) result.last = &last;
    struct arena arena = {0};
    size_t charts = 0;
    const char *templates = arena_format(&arena, "%s/reports", home);
    bool swept = false;
    bool ok = file_make_folder(folder, err) && render_exhaustive(&result, folder, &swept, err) &&
              render_report(&result, with.charts, folder, templates, &charts, err);
    if (ok && !quiet) // last, so that files do not wait for a reader of standard output
        print(&result, with.brief);
    if (ok && !quiet)
        printf("\nResult  %s\nReport  %s/report.html (%zu chart%s beside it)\n", result_path, folder, charts,
            charts == 1 ? "" : "s");
    if (ok && !quiet && swept) printf("Table   %s/exhaustive.md\n", folder);
    arena_free(&arena);
    if (known) {
        comparison_free(&last);
        result_free(&before);
    }
    result_free(&result);
    return ok;
}

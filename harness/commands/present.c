// SPDX-License-Identifier: Apache-2.0
#include "present.h"

#include "../base/file.h"
#include "../render/render.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int terminal_width(void) {
    struct winsize size;
    return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool present(const char *result_path, const char *folder, const char *home, bool quiet, struct error *err) {
    struct result result;
    if (!result_read(result_path, &result, err)) return false;
    struct arena arena = {0};
    size_t charts = 0;
    const char *templates = arena_format(&arena, "%s/reports", home);
    bool swept = false;
    bool ok = file_make_folder(folder, err) && render_exhaustive(&result, folder, &swept, err) &&
              render_report(&result, folder, templates, &charts, err);
    if (ok && !quiet) render_tables(&result, stdout, terminal_width()); // last: files do not wait for a reader
    if (ok && !quiet)
        printf("\nResult  %s\nReport  %s/report.html (%zu charts beside it)\n", result_path, folder, charts);
    if (ok && !quiet && swept) printf("Table   %s/exhaustive.md\n", folder);
    arena_free(&arena);
    result_free(&result);
    return ok;
}

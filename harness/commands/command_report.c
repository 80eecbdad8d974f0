// SPDX-License-Identifier: Apache-2.0
#include "../base/file.h"
#include "../record/result.h"
#include "../render/render.h"
#include "bench.h"
#include "command.h"
#include "home.h"
#include "present.h"

#include <stdio.h>
#include <string.h>

static bool show_history(struct arena *arena, const struct options *options, const char *home,
    const struct result *results, struct error *err) {
    const char *device = file_slug(arena, results[0].device.name), *templates = arena_format(arena, "%s/reports", home);
    const char *folder = options->out ? options->out
                         : device     ? arena_format(arena, "reports/out/%s/history", device)
                                      : NULL;
    size_t charts = 0;
    if (!templates || !folder) return error_set(err, STATUS_FAULT, "out of memory");
    if (!render_history(results, options->words, options->word_count, options->effect, folder, templates,
            options->quiet ? NULL : stdout, &charts, err))
        return false;
    if (!options->quiet) printf("History %s/history.html (%zu charts beside it)\n", folder, charts);
    return true;
}

// Whether some result is of another device, or another driver, than the first.
static bool devices_differ(const struct result *results, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (strcmp(results[i].device.name, results[0].device.name) != 0 ||
            strcmp(results[i].device.driver_info, results[0].device.driver_info) != 0)
            return true;
    return false;
}

static bool show_across(struct arena *arena, const struct options *options, const char *home,
    const struct result *results, struct error *err) {
    if (!devices_differ(results, options->word_count)) return true;
    const char *templates = arena_format(arena, "%s/reports", home);
    const char *folder = options->out ? options->out : "reports/out/devices";
    if (!templates) return error_set(err, STATUS_FAULT, "out of memory");
    if (!render_across(
            results, options->words, options->word_count, folder, templates, options->quiet ? NULL : stdout, err))
        return false;
    if (!options->quiet) printf("Devices %s/devices.html\n", folder);
    return true;
}

typedef bool show(struct arena *arena, const struct options *options, const char *home, const struct result *results,
    struct error *err);

// One page of all results together.
static int report_together(
    struct arena *arena, const struct options *options, const char *home, show *make, struct error *err) {
    struct result *results = arena_alloc(arena, options->word_count, sizeof *results);
    size_t count = 0;
    bool ok = results || error_set(err, STATUS_FAULT, "out of memory");
    while (ok && count < options->word_count) {
        ok = result_read(options->words[count], &results[count], err);
        count += ok;
    }
    ok = ok && make(arena, options, home, results, err);
    for (size_t i = 0; i < count; i++) result_free(&results[i]);
    return ok ? STATUS_OK : -1;
}

int command_report(struct arena *arena, const struct options *options, struct error *err) {
    const char *home = home_folder(arena, err);
    if (!home) return -1;
    if (!options->word_count) {
        error_set(err, STATUS_USAGE, "report: expected the path of at least one result.json");
        return -1;
    }
    if (options->history) return report_together(arena, options, home, show_history, err);
    for (size_t i = 0; i < options->word_count; i++) {
        const char *folder = options->out ? options->out : file_folder(arena, options->words[i]);
        if (options->out && options->word_count > 1) folder = arena_format(arena, "%s/%zu", options->out, i + 1);
        if (!folder) {
            error_set(err, STATUS_FAULT, "out of memory");
            return -1;
        }
        if (!present(options->words[i], folder, home, options->quiet, err)) return -1;
    }
    return options->word_count > 1 ? report_together(arena, options, home, show_across, err) : STATUS_OK;
}

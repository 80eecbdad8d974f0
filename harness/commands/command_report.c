// SPDX-License-Identifier: Apache-2.0
#include "../base/file.h"
#include "../base/kind.h"
#include "../record/result.h"
#include "../record/store.h"
#include "../render/render.h"
#include "bench/bench.h"
#include "command.h"
#include "prepare.h"
#include "report_gallery.h"
#include "../record/peers.h"
#include "../record/device_key.h"
#include "../device/device_info.h"
#include "../device/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- results

static bool show_history(struct arena *arena, const struct options *options, const char *home,
    const struct result *results, struct error *err) {
    const char *templates = arena_format(arena, "%s/reports", home), *folder = options->out;
    size_t charts = 0;
    if (!folder) folder = arena_format(arena, "reports/out/%s/history", file_slug(arena, results[0].device->name));
    if (!render_history(results, options->words, options->word_count, options->alike, options->effect, folder,
            templates, options->quiet ? NULL : stdout, &charts, err))
        return false;
    if (!options->quiet)
        printf("History %s/history.html (%zu chart%s beside it)\n", folder, charts, charts == 1 ? "" : "s");
    return true;
}

// Writes a page for each unit of a device in a store, or one for all its units.
static bool show_series(const struct store_series *series, const struct options *options, const char *base,
    const char *templates, struct error *err) {
    const bool one = options->alike || series->unit_count < 2;
    struct arena arena = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < (one ? 1 : series->unit_count); i++) {
        const char *unit = one ? NULL : *series->units[i] ? series->units[i] : "unknown";
        const char *folder = unit ? arena_format(&arena, "%s-%s", base, file_slug(&arena, unit)) : base;
        size_t charts = 0;
        ok = render_history_of_series(series, one ? NULL : series->units[i], options->effect, folder, templates,
            options->quiet ? NULL : stdout, &charts, err);
        if (ok && !options->quiet)
            printf("History %s/history.html (%zu chart%s beside it)\n", folder, charts, charts == 1 ? "" : "s");
    }
    arena_free(&arena);
    return ok;
}

// Writes pages for each device of a store.
static bool show_store(struct arena *arena, const struct options *options, const char *home, struct error *err) {
    const char *templates = arena_format(arena, "%s/reports", home), *store = options->words[0];
    char **devices;
    size_t count;
    if (!store_devices(arena, store, &devices, &count, err)) return false;
    if (!count) return error_set(err, STATUS_BAD_INPUT, "%s: found no runs", store);
    for (size_t i = 0; i < count; i++) {
        struct store_series series;
        const char *folder = options->out
                                 ? count > 1 ? arena_format(arena, "%s/%s", options->out, devices[i]) : options->out
                                 : arena_format(arena, "reports/out/%s/history", devices[i]);
        if (!store_read(store, devices[i], true, &series, err)) return false;
        bool ok = show_series(&series, options, folder, templates, err);
        store_series_free(&series);
        if (!ok) return false;
    }
    return true;
}

static bool show_across(struct arena *arena, const struct options *options, const char *home,
    const struct result *results, enum status *status, struct error *err) {
    if (is_compiled(&results[0]))
        return present_compiled(arena, results, options->word_count, NULL,
            options->out ? options->out : "reports/out/compiled", home, status, err);
    bool differ = false; // in device, driver or profile of limits
    for (size_t i = 1; i < options->word_count; i++) differ |= !result_same_device(&results[i], &results[0]);
    if (!differ) return true;
    const char *templates = arena_format(arena, "%s/reports", home);
    const char *folder = options->out ? options->out : "reports/out/devices";
    const struct gallery_item *items = gallery_items(arena, results, options->words, options->word_count);
    if (!render_gallery(items, options->word_count, "devices", folder, templates, options->quiet ? NULL : stdout, err))
        return false;
    if (!options->quiet) printf("Devices %s/devices.html\n", folder);
    return true;
}

// ---- mutants

// Returns the file's contents if it is a result of `vkassay mutate`. NULL: it is not, or is unreadable; later reading
// reports such errors better.
static struct json_object *read_mutants(const char *path) {
    struct error ignored = {0};
    struct json_object *value = kind_head(path, &ignored);
    if (value && json_object_is_type(json_get(value, "mutated"), json_type_array)) return value;
    json_object_put(value);
    return NULL;
}

static bool show_mutants(struct arena *arena, struct json_object *value, const char *folder, const char *home,
    bool quiet, struct error *err) {
    const char *templates = arena_format(arena, "%s/reports", home);
    bool ok = file_make_folder(folder, err) && render_mutants_markdown(value, folder, err) &&
              render_mutants_page(value, folder, templates, err);
    if (ok && !quiet) render_mutants(value, stdout, terminal_width());
    if (ok && !quiet) printf("Table   %s/mutants.md\nPage    %s/mutants.html\n", folder, folder);
    return ok;
}

static bool show_each(struct arena *arena, const struct options *options, const struct profile *profile,
    const char *home, struct error *err) {
    struct peers peers = {0};
    bool ok = !options->peers || peers_read(options->peers, &peers, err);
    const struct shown_with with = {.profile = profile,
        .peers = options->peers ? &peers : NULL,
        .charts = options->all_charts ? CHARTS_ALL : CHARTS_PAGE};
    for (size_t i = 0; ok && i < options->word_count; i++)
        ok = present(options->words[i], with, folder_for(arena, options, i), home, options->quiet, err);
    peers_free(&peers);
    return ok;
}

bool command_report(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *home = home_folder(arena, err);
    struct result *results;
    struct profile profile;
    if (!home || !prepare_profile(options, &profile, err)) return false;
    if (options->gallery) return report_gallery(arena, options, &profile, home, err);
    if (!options->word_count) return error_set(err, STATUS_USAGE, "report: expected at least one result");
    if (options->history && options->word_count == 1 && store_is(options->words[0]))
        return show_store(arena, options, home, err);
    struct json_object *mutants = options->word_count == 1 ? read_mutants(options->words[0]) : NULL;
    if (mutants) {
        bool ok = show_mutants(arena, mutants, folder_for(arena, options, 0), home, options->quiet, err);
        json_object_put(mutants);
        return ok;
    }
    if (!options->history && !show_each(arena, options, &profile, home, err)) return false;
    if (!options->history && options->word_count == 1) return true;
    // A page of all results together.
    if (!read_results(arena, options->words, options->word_count, &results, err)) return false;
    for (size_t i = 0; i < options->word_count; i++) result_narrow(&results[i], &profile);
    bool ok = options->history ? show_history(arena, options, home, results, err)
                               : show_across(arena, options, home, results, status, err);
    release_results(results, options->word_count);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
#include "../base/file.h"
#include "../base/kind.h"
#include "../readers/render/render.h"
#include "bench/bench.h"
#include "command.h"
#include "prepare.h"
#include "report_gallery.h"
#include "../record/peers.h"
#include "../device/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- results

// A page of the results of each device from run to run.
static bool show_history(struct arena *arena, const struct options *options, const struct profile *profile,
    const char *home, struct error *err) {
    const struct history_rules rules = {options->alike ? DEVICE_MODEL : DEVICE_UNIT, options->effect, profile};
    const char *templates = arena_format(arena, "%s/reports", home);
    struct result_files files;
    if (!result_files_find(arena, options->words, options->word_count, &files, err)) return false;
    const bool ok = render_histories(&files, &rules, options->out, templates, options->quiet ? NULL : stdout, err);
    say_skipped("report", &files);
    return ok;
}

// A page of all results together, if they are of several devices or only compiled.
static bool show_across(struct arena *arena, const struct options *options, const char *home,
    const struct result_set *set, enum status *status, struct error *err) {
    struct result_group *groups;
    if (is_compiled(&set->results[0]))
        return present_compiled(arena, set->results, set->count, NULL,
            options->out ? options->out : "reports/out/compiled", home, status, err);
    const enum device_projection projection = gallery_projection(options);
    if (result_groups(set->results, set->count, projection, arena, &groups) < 2) return true;
    const char *templates = arena_format(arena, "%s/reports", home);
    const char *folder = options->out ? options->out : "reports/out/devices";
    const struct gallery_item *items = gallery_items(arena, set);
    if (!render_gallery(set, items, projection, "devices", folder, templates, options->quiet ? NULL : stdout, err))
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
        .joined = options->word_count > 1,
        .charts = options->all_charts ? CHARTS_ALL : CHARTS_PAGE};
    for (size_t i = 0; ok && i < options->word_count; i++)
        ok = present(options->words[i], with, folder_for(arena, options, i), home, options->quiet, err);
    peers_free(&peers);
    return ok;
}

// Decides the claims of a suite by each result.
static bool show_claims(
    struct arena *arena, const struct options *options, const char *home, enum status *status, struct error *err) {
    const struct prepared prepared = {.home = home};
    struct suite suite;
    if (!prepare_suite(arena, &prepared, options->claims, &suite, err)) return false;
    for (size_t i = 0; i < options->word_count; i++)
        if (!present_claims(
                arena, suite.file, options->words[i], folder_for(arena, options, i), home, options->quiet, status, err))
            return false;
    return true;
}

bool command_report(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    const char *home = home_folder(arena, err);
    struct result_set set;
    struct profile profile;
    if (!home || !prepare_profile(options, &profile, err)) return false;
    if (!options->word_count) return error_set(err, STATUS_USAGE, "report: expected at least one result");
    if (options->claims) return show_claims(arena, options, home, status, err);
    if (options->history) return show_history(arena, options, &profile, home, err);
    if (options->word_count == 1 && file_is_folder(options->words[0]))
        return report_gallery(arena, options, &profile, home, err);
    struct json_object *mutants = options->word_count == 1 ? read_mutants(options->words[0]) : NULL;
    if (mutants) {
        bool ok = show_mutants(arena, mutants, folder_for(arena, options, 0), home, options->quiet, err);
        json_object_put(mutants);
        return ok;
    }
    if (!show_each(arena, options, &profile, home, err)) return false;
    if (options->word_count == 1) return true;
    bool ok = result_set_of(arena, options->words, options->word_count, result_read, &set, err);
    for (size_t i = 0; i < set.count; i++) result_clamp(&set.results[i], &profile);
    ok = ok && show_across(arena, options, home, &set, status, err);
    result_set_free(&set);
    return ok;
}

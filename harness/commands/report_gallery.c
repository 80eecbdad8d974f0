// SPDX-License-Identifier: Apache-2.0
#include "report_gallery.h"

#include "../base/file.h"
#include "../readers/render/render.h"
#include "prepare.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The folder of results and the page's folder, as real paths.
struct places {
    char results[PATH_MAX], page[PATH_MAX];
};

// Returns the part of `path` below `folder`, both real paths; NULL: it is elsewhere.
static const char *below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    if (strncmp(path, folder, length) != 0) return NULL;
    if (length && folder[length - 1] == '/') return path + length; // the root
    return path[length] == '/' ? path + length + 1 : path[length] ? NULL : path + length;
}

// Returns the link from the gallery's page to a file, only through these two folders. A link to results elsewhere
// would reveal unrelated folder names. NULL: there is no such link.
static const char *way_to(struct arena *arena, const struct places *places, const char *file) {
    char real[PATH_MAX];
    if (!realpath(file, real)) return NULL;
    const bool beside = below(real, places->page);
    const bool inside = below(real, places->results) && below(places->page, places->results);
    return beside || inside ? file_way(arena, places->page, real) : NULL;
}

// Returns the link to the result's page beside it. In a folder of several results, the page belongs to result.json.
static const char *page_of(
    struct arena *arena, const struct places *places, const char *path, const char *before, const char *after) {
    const char *folder = file_folder(arena, path), *name = strrchr(path, '/') + 1;
    bool alone = !(before && strcmp(file_folder(arena, before), folder) == 0) &&
                 !(after && strcmp(file_folder(arena, after), folder) == 0);
    if (!alone && strncmp(name, "result.json", strlen("result.json")) != 0) return NULL;
    const char *page = arena_format(arena, "%s/report.html", folder);
    return file_exists(page) ? way_to(arena, places, page) : NULL;
}

enum device_projection gallery_projection(const struct options *options) {
    return options->alike ? DEVICE_MODEL_AND_DRIVER : DEVICE_UNIT_AND_DRIVER;
}

static bool write_gallery(struct arena *arena, const struct options *options, const struct places *places,
    const struct result_set *set, const char *home, struct error *err) {
    struct gallery_item *items = arena_alloc(arena, set->count, sizeof *items);
    const char *templates = arena_format(arena, "%s/reports", home), *results = options->words[0];
    const char *folder = options->out ? options->out : results;
    size_t linked = 0;
    for (size_t i = 0; i < set->count; i++) {
        const char *const *path = &set->paths[i], *shown = *path + strlen(results);
        items[i] = (struct gallery_item){shown + strspn(shown, "/"),
            page_of(arena, places, *path, i ? path[-1] : NULL, i + 1 < set->count ? path[1] : NULL)};
        linked += items[i].page != NULL;
    }
    if (!render_gallery(
            set, items, gallery_projection(options), "gallery", folder, templates, options->quiet ? NULL : stdout, err))
        return false;
    if (!options->quiet) printf("Gallery %s/gallery.html (%zu pages linked)\n", folder, linked);
    return true;
}

static bool find_places(const struct options *options, struct places *out, struct error *err) {
    const char *folder = options->out ? options->out : options->words[0];
    if (!file_make_folder(folder, err)) return false;
    if (!realpath(options->words[0], out->results) || !realpath(folder, out->page))
        return error_set(err, STATUS_BAD_INPUT, "%s: cannot resolve this path", options->words[0]);
    return true;
}

bool report_gallery(struct arena *arena, const struct options *options, const struct profile *profile, const char *home,
    struct error *err) {
    struct places places;
    struct result_files files;
    struct result_set set;
    if (!result_files_find(arena, options->words, 1, &files, err) || !find_places(options, &places, err)) return false;
    bool ok = result_set_read(arena, &files, result_read, &set, err);
    say_skipped("report", &files);
    for (size_t i = 0; i < set.count; i++) result_clamp(&set.results[i], profile);
    ok =
        ok && (set.count || error_set(err, STATUS_BAD_INPUT, "%s: found no results in this folder", options->words[0]));
    ok = ok && write_gallery(arena, options, &places, &set, home, err);
    result_set_free(&set);
    return ok;
}

// SPDX-License-Identifier: Apache-2.0
#include "home.h"

#include "../base/file.h"
#include "command.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_home(struct arena *arena, const char *folder) {
    const char *kernels = arena_format(arena, "%s/kernels/include", folder);
    const char *suites = arena_format(arena, "%s/suites", folder);
    return file_exists(kernels) && file_exists(suites);
}

const char *home_folder(struct arena *arena, struct error *err) {
    const char *named = getenv("VKASSAY_HOME");
    if (named && *named) {
        if (is_home(arena, named)) return named;
        error_set(err, STATUS_BAD_INPUT, "VKASSAY_HOME=%s: expected a folder with kernels/ and suites/", named);
        return NULL;
    }
    const char *program = program_path(arena, err);
    if (!program) return NULL;
    const char *beside = file_folder(arena, program);
    const char *above = file_folder(arena, beside);
    const char *places[] = {beside, above, "."};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (is_home(arena, places[i])) return places[i];
    error_set(err, STATUS_BAD_INPUT,
        "kernels/ and suites/ are neither beside the program (%s), nor above it, nor here; name their folder in "
        "VKASSAY_HOME",
        program);
    return NULL;
}

const char *cache_folder(struct arena *arena) {
    struct error ignored;
    const char *own = getenv("VKASSAY_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *user = getenv("HOME");
    const char *folder = own && *own     ? own
                         : xdg && *xdg   ? arena_format(arena, "%s/vkassay", xdg)
                         : user && *user ? arena_format(arena, "%s/.cache/vkassay", user)
                                         : NULL;
    return folder && file_make_folder(folder, &ignored) ? folder : NULL;
}

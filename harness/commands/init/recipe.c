// SPDX-License-Identifier: Apache-2.0
#include "recipe.h"

#include "../../base/file.h"
#include "../../base/text.h"

#include <ctype.h>
#include <string.h>

static const char setting[] = "KERNELS: kernels\n";

// Returns whether a path is a plain YAML scalar, and from the root of a repository.
static bool is_plain(const char *path) {
    bool plain = *path != '/' && *path != '-';
    for (; *path; path++) plain &= isalnum((unsigned char)*path) || strchr("._-/", *path);
    return plain;
}

bool recipe_write(struct arena *arena, const char *path, const char *manifest, struct error *err) {
    const char *folder = file_folder(arena, manifest);
    if (!is_plain(folder))
        return error_set(err, STATUS_USAGE,
            "init: --recipe needs --out as a path from the root of the repository, with letters, digits and ._-/ "
            "only; found '%s'",
            manifest);
    const char *name = strstr(path, "gitlab") ? "gitlab.yml" : "github.yml";
    const char *from = home_script(arena, name, err);
    if (!from) return false;
    if (file_exists(path)) return error_set(err, STATUS_BAD_INPUT, "%s: exists already; choose another --recipe", path);
    const char *text = file_read(arena, from, NULL, err), *at = text ? strstr(text, setting) : NULL;
    if (!text) return false;
    if (!at) return error_set(err, STATUS_BAD_INPUT, "%s: expected a line '%.16s'", from, setting);
    struct text out = {0};
    text_format(&out, "%.*sKERNELS: %s\n%s", (int)(at - text), text, folder, at + strlen(setting));
    const bool ok =
        file_make_folder(file_folder(arena, path), err) && file_write(path, text_str(&out), out.length, err);
    text_free(&out);
    return ok;
}

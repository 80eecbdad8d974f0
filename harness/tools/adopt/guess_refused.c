// SPDX-License-Identifier: Apache-2.0
// Holds a guessed kernel to the reader of manifests, so that `init` writes nothing that is refused later.
#include "guess.h"

#include "../../shader/manifest/manifest.h"

#include <string.h>

const char *guess_refused(struct arena *arena, struct json_object *kernel, const char *folder) {
    struct mistakes mistakes = {0};
    struct manifests manifests = {.arena = arena, .mistakes = &mistakes};
    struct json_object *whole = json_object_new_object(), *list = json_object_new_array();
    const char *const file = arena_format(arena, "%s/guess.json", folder);
    json_object_array_add(list, json_object_get(kernel));
    json_put(whole, "kernels", list);
    manifest_read_json(&manifests, whole, file);
    json_object_put(whole);
    if (!mistakes.count) return NULL;
    const char *text = mistakes.items[0];
    return strncmp(text, file, strlen(file)) == 0 && strncmp(text + strlen(file), ": ", 2) == 0
               ? text + strlen(file) + 2
               : text;
}

// SPDX-License-Identifier: Apache-2.0
// Kernel folders: every manifest of each, as one list sorted by name.
#include "../base/file.h"
#include "manifest.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
    return strcmp((*(const struct kernel *const *)a)->name, (*(const struct kernel *const *)b)->name);
}

static bool check_unique(const struct kernels *kernels, struct error *err) {
    for (size_t i = 1; i < kernels->count; i++) {
        const struct kernel *a = kernels->items[i - 1], *b = kernels->items[i];
        if (strcmp(a->name, b->name) != 0) continue;
        if (strcmp(a->file, b->file) > 0) {
            a = b;
            b = kernels->items[i - 1];
        }
        return error_set(err, STATUS_BAD_INPUT, "%s: the kernel \"%s\" is in %s too", b->file, b->name,
            strcmp(a->file, b->file) == 0 ? "this file" : a->file);
    }
    return true;
}

bool kernels_load(
    struct arena *arena, const char *const *folders, size_t folder_count, struct kernels *out, struct error *err) {
    struct kernel **items = NULL;
    size_t count = 0, named = 0, capacity = 0;
    for (size_t f = 0; f < folder_count; f++) {
        char **files;
        size_t file_count;
        if (!*folders[f]) continue;
        if (!file_list(arena, folders[f], ".json", &files, &file_count, err)) return false;
        if (!file_count)
            return error_set(
                err, STATUS_BAD_INPUT, "%s: expected a kernel folder, found no manifest (*.json) in it", folders[f]);
        for (size_t i = 0; i < file_count; i++)
            if (!manifest_read(arena, files[i], &items, &count, &capacity, err)) return false;
        for (; named < count; named++) {
            items[named]->given = f ? folders[f] : NULL;
            items[named]->alone = f && !*folders[0];
        }
    }
    if (count) qsort(items, count, sizeof *items, by_name);
    *out = (struct kernels){.items = (const struct kernel **)items, .count = count};
    return check_unique(out, err);
}

const struct kernel *kernel_named(const struct kernels *kernels, const char *name) {
    const struct kernel wanted = {.name = name}, *key = &wanted;
    const struct kernel *const *found =
        kernels->count ? bsearch(&key, kernels->items, kernels->count, sizeof key, by_name) : NULL;
    return found ? *found : NULL;
}

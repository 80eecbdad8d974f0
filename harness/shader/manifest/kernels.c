// SPDX-License-Identifier: Apache-2.0
// Kernel folders: reads every manifest into one list sorted by name.
#include "../../base/file.h"
#include "../../capture/replay/folder.h"
#include "../captured/captured.h"
#include "manifest.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b) {
    const struct kernel *x = *(const struct kernel *const *)a, *y = *(const struct kernel *const *)b;
    int order = strcmp(x->name, y->name);
    if (order) return order;
    return x->given && y->given ? strcmp(x->file, y->file) : (x->given != NULL) - (y->given != NULL);
}

static int name_against(const void *name, const void *kernel) {
    return strcmp(name, (*(const struct kernel *const *)kernel)->name);
}

// Keeps the first of several kernels with one name, in the order of by_name. Each other one is a mistake.
static void drop_repeated(struct arena *arena, struct kernel **items, struct kernels *out) {
    const size_t count = out->count;
    out->count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct kernel *first = out->count ? items[out->count - 1] : NULL, *second = items[i];
        if (!first || strcmp(first->name, second->name) != 0) {
            items[out->count++] = items[i];
            continue;
        }
        const char *where = strcmp(first->file, second->file) == 0 ? "this file" : first->file;
        mistakes_add(arena, &out->mistakes,
            arena_format(arena, "%s: the kernel \"%s\" is in %s too", second->file, second->name, where));
    }
}

bool kernels_load(
    struct arena *arena, const char *const *folders, size_t folder_count, struct kernels *out, struct error *err) {
    struct manifests manifests = {.arena = arena, .mistakes = &out->mistakes};
    size_t named = 0;
    *out = (struct kernels){0};
    for (size_t f = 0; f < folder_count; f++) {
        char **files;
        size_t file_count;
        if (!*folders[f]) continue;
        if (capture_is_folder(folders[f])) {
            if (!captured_read(&manifests, folders[f], &out->notes, err)) return false;
        } else {
            if (!file_list(arena, folders[f], ".json", &files, &file_count, err)) return false;
            if (!file_count)
                return error_set(err, STATUS_BAD_INPUT,
                    "%s: expected a kernel folder, found no manifest (*.json) in it", folders[f]);
            const size_t mistakes = out->mistakes.count;
            for (size_t i = 0; i < file_count; i++) manifest_read(&manifests, files[i], file_count == 1);
            if (manifests.count == named && out->mistakes.count == mistakes)
                return error_set(err, STATUS_BAD_INPUT,
                    "%s: expected a kernel folder, found no manifest among %zu *.json", folders[f], file_count);
        }
        for (; named < manifests.count; named++) {
            manifests.items[named]->given = f ? folders[f] : NULL;
            manifests.items[named]->alone = f && !*folders[0];
        }
    }
    if (manifests.count) qsort(manifests.items, manifests.count, sizeof *manifests.items, by_name);
    out->items = (const struct kernel **)manifests.items;
    out->count = manifests.count;
    drop_repeated(arena, manifests.items, out);
    return true;
}

bool kernels_are_sound(const struct kernels *kernels, struct error *err) {
    return !kernels->mistakes.count || error_set(err, STATUS_BAD_INPUT, "%s", kernels->mistakes.items[0]);
}

const struct kernel *kernel_named(const struct kernels *kernels, const char *name) {
    const struct kernel *const *found =
        kernels->count ? bsearch(name, kernels->items, kernels->count, sizeof *kernels->items, name_against) : NULL;
    return found ? *found : NULL;
}

// SPDX-License-Identifier: Apache-2.0
// `spirv`: compiles shaders with a newer glslc and writes them beside their sources, for compilers lacking an
// extension.
#include "../base/file.h"
#include "../engine/program/shaders.h"
#include "command.h"
#include "prepare.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// The files written, each once, although several kernels and types may share its text.
struct written {
    char **paths;
    size_t count, room;
};

static bool is_written(const struct written *written, const char *path) {
    for (size_t i = 0; i < written->count; i++)
        if (strcmp(written->paths[i], path) == 0) return true;
    return false;
}

static bool write_kernel(struct arena *arena, const struct run_options *run, const struct kernel *kernel,
    struct written *written, struct error *err) {
    for (int d = DTYPE_CASE + 1; d < DTYPE_COUNT; d++) {
        const char *paths[KERNEL_PASSES];
        int count = 0;
        if (!kernel->dtypes[d]) continue;
        if (!shaders_commit(arena, run, kernel, (enum dtype)d, paths, &count, err))
            return error_prefix(err, "%s: ", kernel->name);
        for (int i = 0; i < count && written->count < written->room; i++)
            if (!is_written(written, paths[i])) written->paths[written->count++] = arena_copy(arena, paths[i]);
    }
    return true;
}

// Removes files that belong to no kernel's text any more.
static bool remove_others(
    struct arena *arena, const char *folder, const struct written *written, size_t *removed, struct error *err) {
    char **files;
    size_t count;
    if (!file_list(arena, folder, ".spv", &files, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        const char *parent = strrchr(file_folder(arena, files[i]), '/');
        if (!parent || strcmp(parent, "/spirv") != 0 || is_written(written, files[i])) continue;
        if (unlink(files[i]) != 0)
            return error_set(err, STATUS_FAULT, "%s: its shader no longer exists, but it cannot be removed", files[i]);
        ++*removed;
    }
    return true;
}

bool command_spirv(struct arena *arena, const struct options *options, enum status *status, struct error *err) {
    struct prepared prepared = {0};
    const char *includes[OPTION_LIST + 2];
    struct run_options run = options->run;
    size_t removed = 0;
    (void)status;
    if (!prepare_kernels(arena, options, &prepared, err) || !kernels_are_sound(&prepared.kernels, err)) return false;
    prepare_includes(arena, &prepared, includes, &run.include_count);
    run.include_folders = includes;
    run.cache_folder = NULL;
    struct written written = {.room = prepared.kernels.count * DTYPE_COUNT * KERNEL_PASSES};
    written.paths = arena_alloc(arena, written.room + 1, sizeof *written.paths);
    for (size_t k = 0; k < prepared.kernels.count; k++)
        if (!write_kernel(arena, &run, prepared.kernels.items[k], &written, err)) return false;
    for (size_t i = 0; i < prepared.kernel_folder_count; i++)
        if (*prepared.kernel_folders[i] && !remove_others(arena, prepared.kernel_folders[i], &written, &removed, err))
            return false;
    printf("%zu files of SPIR-V are beside their sources; %zu without a shader were removed\n", written.count, removed);
    return true;
}

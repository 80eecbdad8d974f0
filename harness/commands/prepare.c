// SPDX-License-Identifier: Apache-2.0
#include "prepare.h"

#include "../base/file.h"
#include "../base/text.h"
#include "../plan/operators.h"
#include "../supervise/supervise.h"
#include "command.h"
#include "home.h"

#include <string.h>

bool prepare_kernels(struct arena *arena, const struct options *options, struct prepared *out, struct error *err) {
    out->home = home_folder(arena, err);
    out->program = out->home ? program_path(arena, err) : NULL;
    if (!out->program) return false;
    for (size_t i = 0; i < options->operator_count; i++)
        if (!operators_load(arena, options->operators[i], err)) return false;
    const char *own = arena_format(arena, "%s/kernels", out->home);
    if (!own) return error_set(err, STATUS_FAULT, "out of memory");
    out->kernel_folders[out->kernel_folder_count++] = own;
    for (size_t i = 0; i < options->kernel_count; i++)
        out->kernel_folders[out->kernel_folder_count++] = options->kernels[i];
    return kernels_load(arena, out->kernel_folders, out->kernel_folder_count, &out->kernels, err);
}

bool prepare_devices(struct arena *arena, const struct options *options, struct prepared *out, struct error *err) {
    if (!out->program) out->program = program_path(arena, err);
    if (!out->program || !supervise_devices(arena, out->program, &out->devices, &out->device_count, err)) return false;
    if (out->device_count > sizeof out->chosen / sizeof out->chosen[0])
        return error_set(err, STATUS_FAULT, "%zu devices are more than can be handled", out->device_count);
    device_rank(out->devices, out->device_count);
    return device_choose(out->devices, out->device_count, options->device, out->chosen, &out->chosen_count, err);
}

static bool list_suites(struct arena *arena, const char *folder, const char *wanted, struct error *err) {
    char **paths = NULL;
    size_t count = 0;
    struct text names = {0};
    if (!file_list(arena, folder, ".json", &paths, &count, err)) return false;
    for (size_t i = 0; i < count; i++) {
        const char *name = strrchr(paths[i], '/') + 1;
        text_format(&names, "%s%.*s", i ? ", " : "", (int)(strlen(name) - strlen(".json")), name);
    }
    error_set(err, STATUS_BAD_INPUT, "no suite '%s'; there are %s, or give the path of a file", wanted, text_str(&names));
    text_free(&names);
    return false;
}

bool prepare_suite(struct arena *arena, const struct prepared *prepared, const char *name, struct suite *out,
    struct error *err) {
    if (strchr(name, '/') || file_exists(name)) return suite_load(arena, name, out, err);
    const char *folder = arena_format(arena, "%s/suites", prepared->home);
    const char *path = arena_format(arena, "%s/suites/%s.json", prepared->home, name);
    if (!folder || !path) return error_set(err, STATUS_FAULT, "out of memory");
    if (!file_exists(path)) return list_suites(arena, folder, name, err);
    return suite_load(arena, path, out, err);
}

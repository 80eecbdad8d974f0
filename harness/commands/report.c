// SPDX-License-Identifier: Apache-2.0
#include "../base/file.h"
#include "../record/result.h"
#include "../render/render.h"
#include "command.h"
#include "home.h"
#include "present.h"

#include <stdio.h>

int command_report(struct arena *arena, const struct options *options, struct error *err) {
    const char *home = home_folder(arena, err);
    if (!home) return -1;
    if (!options->word_count) {
        error_set(err, STATUS_USAGE, "report: expected the path of at least one result.json");
        return -1;
    }
    for (size_t i = 0; i < options->word_count; i++) {
        const char *folder = options->out ? options->out : file_folder(arena, options->words[i]);
        if (options->out && options->word_count > 1) folder = arena_format(arena, "%s/%zu", options->out, i + 1);
        if (!folder) {
            error_set(err, STATUS_FAULT, "out of memory");
            return -1;
        }
        if (!present(options->words[i], folder, home, options->quiet, err)) return -1;
    }
    return STATUS_OK;
}

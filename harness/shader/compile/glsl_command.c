// SPDX-License-Identifier: Apache-2.0
// A user's program before the GLSL compiler: the command of $VKASSAY_GLSL, for shaders made from templates.
#include "compiler_command.h"

#include "../../base/file.h"

#include <stdlib.h>

char *glsl_source(struct arena *arena, const char *path, struct error *err) {
    const char *line = getenv("VKASSAY_GLSL");
    struct compiler_command command;
    if (!line || !*line || shader_language(path) != LANGUAGE_GLSL) return file_read(arena, path, NULL, err);
    if (!command_split(arena, line, "GLSL", &command, err)) return NULL;
    if (command.path) return text_by_command(arena, path, &command, err);
    error_of_kind(err, ERROR_SKIP,
        "%s: the program of VKASSAY_GLSL, \"%s\", cannot be run: expected a command that takes the names of the shader "
        "and of the text to write, in place of %%i and %%o if present",
        path, line);
    return NULL;
}

// SPDX-License-Identifier: Apache-2.0
#include "compile.h"

#include <string.h>

static const struct {
    const char *ending;
    enum language language;
} endings[] = {{".hlsl", LANGUAGE_HLSL}, {".wgsl", LANGUAGE_WGSL}, {".spv", LANGUAGE_SPIRV}};

enum language shader_language(const char *path) {
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t tail = strlen(endings[i].ending);
        if (length > tail && strcmp(path + length - tail, endings[i].ending) == 0) return endings[i].language;
    }
    return LANGUAGE_GLSL;
}

bool shader_make(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err) {
    switch (shader_language(request->path)) {
    case LANGUAGE_WGSL:
        return wgsl_compile(arena, request, out, err);
    case LANGUAGE_SPIRV:
        return spirv_file_read(arena, request->path, out, err);
    case LANGUAGE_GLSL:
    case LANGUAGE_HLSL:
        break;
    }
    return compile_source(arena, request, out, err);
}

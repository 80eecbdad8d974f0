// SPDX-License-Identifier: Apache-2.0
#include "shader.h"

#include "spirv_file.h"

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

bool shader_make(struct arena *arena, const struct shader_request *r, struct spirv *out, struct error *err) {
    switch (shader_language(r->path)) {
    case LANGUAGE_HLSL:
        return compile_hlsl(arena, r->path, r->entry, r->defines, r->define_count, r->includes, r->include_count,
            r->cache_folder, out, err);
    case LANGUAGE_WGSL:
        return wgsl_compile(arena, r, out, err);
    case LANGUAGE_SPIRV:
        return spirv_file_read(arena, r->path, out, err);
    case LANGUAGE_GLSL:
        break;
    }
    return compile_glsl(
        arena, r->path, r->defines, r->define_count, r->includes, r->include_count, r->cache_folder, out, err);
}

// SPDX-License-Identifier: Apache-2.0
#include "compile.h"

bool shader_make(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err) {
    switch (shader_language(request->path)) {
    case LANGUAGE_WGSL:
        return wgsl_compile(arena, request, out, err);
    case LANGUAGE_SPIRV:
        return spirv_file_read(arena, request->path, out, err);
    case LANGUAGE_HLSL:
        if (hlsl_command()) return hlsl_compile(arena, request, out, err);
        break;
    case LANGUAGE_GLSL:
        break;
    }
    return compile_source(arena, request, out, err);
}

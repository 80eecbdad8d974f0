// SPDX-License-Identifier: Apache-2.0
// A compute shader in any of the languages that it may come in, to SPIR-V. The file's name tells:
// .hlsl, .wgsl, .spv (SPIR-V itself), all else GLSL.
#ifndef VKASSAY_DEVICE_SHADER_H
#define VKASSAY_DEVICE_SHADER_H

#include "compile.h"

enum language { LANGUAGE_GLSL, LANGUAGE_HLSL, LANGUAGE_WGSL, LANGUAGE_SPIRV };
enum language shader_language(const char *path);

struct shader_request {
    const char *path, *entry;
    const struct define *defines; // GLSL, HLSL: macros; WGSL: words that are replaced; SPIR-V: nothing
    size_t define_count;
    const char *const *includes;
    size_t include_count;
    const char *cache_folder;  // NULL: nothing is cached
    const char *wgsl_compiler; // a command; NULL: see wgsl.c
};
// ERROR_COMPILE with the compiler's message; ERROR_SKIP when there is no compiler for WGSL.
bool shader_make(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// WGSL by another program (wgsl.c).
bool wgsl_compile(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);
// The text with every whole word that is a macro's name replaced by its value; NULL when memory is out.
char *wgsl_substitute(struct arena *arena, const char *text, const struct define *defines, size_t define_count);

#endif

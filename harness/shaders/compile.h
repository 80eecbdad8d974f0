// SPDX-License-Identifier: Apache-2.0
// The ways to SPIR-V, and its cache on disk. Private to this folder; the others ask shader.h.
#ifndef VKASSAY_DEVICE_COMPILE_H
#define VKASSAY_DEVICE_COMPILE_H

#include "shader.h"

#include <ctype.h>

// Of a name, in every language.
static inline bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// GLSL and HLSL by libshaderc (compile.c).
bool compile_source(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// What out->redeclared and out->constants say where redeclare found those of the request's defines (shader.c).
void shader_say_redeclared(struct arena *arena, const struct shader_request *request, const char *source,
    const bool *found, struct spirv *out);

// The source with the constants that the request says it declares given their values, which is said in *out. One
// without such constants stays as it is.
char *shader_redeclare(struct arena *arena, const struct shader_request *request, char *source, struct spirv *out);

// WGSL by another program (wgsl.c).
bool wgsl_compile(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// HLSL by the program that $VKASSAY_HLSL names (hlsl.c); hlsl_command: that line, NULL where there is none.
const char *hlsl_command(void);
bool hlsl_compile(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// A file of SPIR-V, in this machine's byte order or the other.
bool spirv_file_read(struct arena *arena, const char *path, struct spirv *out, struct error *err);

// Of the tokens of a preprocessed shader: the same for the same code, wherever it lies, however it is laid out and
// whichever version of the compiler preprocessed it.
uint64_t source_hash(const char *text);

// Compiled shaders on disk, one file each, named by out->source_hash and the compiler's version; one whose header,
// length or checksum is off is ignored with a warning and made anew. Reading fills words, count and cached.
// `folder` NULL: there is no cache.
bool compile_cache_read(struct arena *arena, const char *folder, struct spirv *out);
void compile_cache_write(const char *folder, const struct spirv *spirv);

#endif

// SPDX-License-Identifier: Apache-2.0
// The ways to SPIR-V, and its cache on disk. Private to this folder; other folders use shader.h.
#ifndef VKASSAY_SHADERS_COMPILE_H
#define VKASSAY_SHADERS_COMPILE_H

#include "shader.h"
#include "../spirv/binary.h"

#include <ctype.h>

// Returns whether a character can be part of a name, in any of the languages.
static inline bool in_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}
// Returns the length of the name at the start of a text; 0: there is none.
static inline size_t word_length(const char *at) {
    size_t length = 0;
    while (in_word(at[length])) length++;
    return length;
}

// Compiles GLSL and HLSL with libshaderc (compile.c).
bool compile_source(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// Sets out->redeclared and out->constants. found[i] states if redeclare found define i of the request (constants.c).
void shader_say_redeclared(struct arena *arena, const struct shader_request *request, const char *source,
    const bool *found, struct spirv *out);

// Returns the source with new values for the constants that the request marks as declared, and reports them in *out.
// A source without such constants stays as it is.
char *shader_redeclare(struct arena *arena, const struct shader_request *request, char *source, struct spirv *out);

// Does the same for constants that only included files declare. `preprocessed` is the preprocessor's text of
// the source from shader_redeclare.
char *shader_redeclare_included(
    struct arena *arena, const struct shader_request *request, char *preprocessed, struct spirv *out);

// Reads a shader's text, through the program of $VKASSAY_GLSL if it is GLSL (glsl_command.c). NULL with ERROR_COMPILE
// has the program's output, and with ERROR_SKIP the program cannot be run.
char *glsl_source(struct arena *arena, const char *path, struct error *err);

// Compiles WGSL with another program (wgsl.c).
bool wgsl_compile(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// hlsl_compile compiles HLSL with the program named by $VKASSAY_HLSL (hlsl.c). hlsl_command returns the command line;
// NULL: there is none.
const char *hlsl_command(void);
bool hlsl_compile(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// Reads a file of SPIR-V (spirv_file.c), in this machine's byte order or the other.
bool spirv_file_read(struct arena *arena, const char *path, struct spirv *out, struct error *err);

// Hashes the tokens of a preprocessed shader. The hash is the same for the same code, in any folder, in any layout,
// and after any version of the preprocessor.
uint64_t source_hash(const char *text);

// Compiled shaders on disk, one file each, named by out->source_hash and the compiler's version. A file with a wrong
// header, length or checksum is ignored with a warning and made again. Reading fills words, count and cached.
// `folder` NULL: there is no cache.
bool compile_cache_read(struct arena *arena, const char *folder, struct spirv *out);
void compile_cache_write(const char *folder, const struct spirv *spirv);

// ---- Rewrites a SPIR-V module with a user's program, such as an optimizer.

// Returns whether a command line can be run. STATUS_USAGE: it is blank or too long, or its program is not found.
bool rewrite_is_usable(const char *line, struct error *err);

// Rewrites `in` by the command; *out is in the arena. Words %i and %o of the command become the names of input and
// output; without them "%i -o %o" is appended. ERROR_COMPILE has the program's own words, or the validator's on its
// output. A module that SPIRV-Tools refuse before the rewriting is not validated after it. `path` is the shader's path
// for messages.
bool rewrite_module(struct arena *arena, const char *line, const char *path, const struct spirv *in, struct spirv *out,
    struct error *err);

#endif

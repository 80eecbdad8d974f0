// SPDX-License-Identifier: Apache-2.0
// Compiles a compute shader in any supported language to SPIR-V. The ending of the file's name gives the language:
// .hlsl, .wgsl, .spv (SPIR-V itself), and GLSL for all others.
#ifndef VKASSAY_SHADERS_SHADER_H
#define VKASSAY_SHADERS_SHADER_H

#include "../spirv/binary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum language { LANGUAGE_GLSL, LANGUAGE_HLSL, LANGUAGE_WGSL, LANGUAGE_SPIRV };
enum language shader_language(const char *path);

struct define {
    const char *name, *value;
    int64_t id;    // of WGSL: also means the override with this @id; 0: none
    bool declared; // declared by the shader, in its text or as a specialization constant: no macro
};

struct shader_request {
    const char *path, *entry;     // entry: the name of HLSL's function; GLSL's is "main"
    const struct define *defines; // GLSL, HLSL: macros; WGSL: words to replace; SPIR-V: unused
    size_t define_count;
    const uint32_t *local_size;  // GLSL, HLSL: replaces the size in the text; NULL: keeps it
    const char *header;          // a file whose text stands before the shader's; NULL: none
    const char *const *includes; // folders searched in order for #include "...", after the including file's own
    size_t include_count;
    const char *cache_folder;  // NULL: nothing is cached
    const char *wgsl_compiler; // a command; NULL: see wgsl.c
    bool lines;                // GLSL, HLSL: the module has the source's line of each instruction (OpLine)
    bool commit;               // GLSL: only writes SPIR-V for other compilers beside the source (committed.h)
    bool placeholders;         // WGSL: an override without a value is 1, for reading the interface
    bool only_hash;            // GLSL, HLSL: only computes source_hash
};
// Compiles a shader. Several threads may call it at once. ERROR_COMPILE has the compiler's message. ERROR_SKIP: there
// is no compiler for WGSL, or the program of $VKASSAY_HLSL or $VKASSAY_GLSL cannot be run. It is also returned if the
// GLSL compiler lacks an extension and no SPIR-V is beside the source.
bool shader_make(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// Returns the path of the SPIR-V beside a source, for the text with the hash; it is in the arena.
const char *shader_committed_path(struct arena *arena, const char *path, uint64_t hash);

// Returns whether the GLSL compiler knows an extension such as "GL_KHR_cooperative_matrix".
bool compile_knows(const char *extension);

// ---- Replaces the workgroup size that a shader is written with.

// Replaces the size in the text of GLSL, layout(local_size_x = 64, ...), and of HLSL, [numthreads(64, 1, 1)]. Their
// compilers put the size into the code, so values derived from gl_WorkGroupSize follow it. Text without a size stays
// as it is.
char *resize_text(struct arena *arena, enum language language, const char *text, const uint32_t size[3]);

// Replaces the size in SPIR-V: the LocalSize of the entry point, and a constant decorated as the size, which
// overrides it. Sizes stay if they are specialized, or given by the ids of constants. Changed words are in the arena.
bool resize_module(
    struct arena *arena, struct spirv *spirv, const char *entry, const uint32_t size[3], struct error *err);

#endif

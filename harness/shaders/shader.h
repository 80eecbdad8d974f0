// SPDX-License-Identifier: Apache-2.0
// A compute shader in any of the languages that it may come in, to SPIR-V. The file's name tells:
// .hlsl, .wgsl, .spv (SPIR-V itself), all else GLSL.
#ifndef VKASSAY_DEVICE_SHADER_H
#define VKASSAY_DEVICE_SHADER_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum language { LANGUAGE_GLSL, LANGUAGE_HLSL, LANGUAGE_WGSL, LANGUAGE_SPIRV };
enum language shader_language(const char *path);

struct define {
    const char *name, *value;
    int64_t id;    // of WGSL: that @id of an override is meant too; 0: none is
    bool declared; // the shader declares it, as a constant in its text or as a specialization constant: no macro
};
struct spirv {
    uint32_t *words; // in the arena
    size_t count;
    uint64_t source_hash; // of the preprocessed source's tokens; of WGSL's text, of SPIR-V's words
    bool cached;
    // Of GLSL with extensions that compilers may lack (committed.h): it declares float controls for every device, and
    // those that a device lacks are taken out when it is loaded.
    bool any_device;
    // Of defines that the shader is to declare: those, as bits, that were found in its text, and where one was not, the
    // names of those that could have been (NULL: none is missing).
    uint32_t redeclared;
    const char *constants;
    int64_t ns;
};

struct shader_request {
    const char *path, *entry;     // entry: of HLSL, whose function it names; GLSL's is "main"
    const struct define *defines; // GLSL, HLSL: macros; WGSL: words that are replaced; SPIR-V: nothing
    size_t define_count;
    const uint32_t *local_size;  // GLSL, HLSL: in place of the one in the text; NULL: that one
    const char *const *includes; // folders searched, in order, for #include "..." after the including file's own
    size_t include_count;
    const char *cache_folder;  // NULL: nothing is cached
    const char *wgsl_compiler; // a command; NULL: see wgsl.c
    bool lines;                // GLSL, HLSL: the module tells the source's line of each instruction (OpLine)
    bool commit;               // GLSL: SPIR-V that other compilers may need is written beside the source (committed.h);
                               // of any other nothing is made
    bool only_hash;            // GLSL, HLSL: nothing is made but source_hash
};
// ERROR_COMPILE with the compiler's message; ERROR_SKIP when there is no compiler for WGSL, or when the one of GLSL
// lacks an extension and no SPIR-V lies beside the source. May be called from several threads at once.
bool shader_make(struct arena *arena, const struct shader_request *request, struct spirv *out, struct error *err);

// Where SPIR-V of the text with that hash stands beside its source, in the arena.
const char *shader_committed_path(struct arena *arena, const char *path, uint64_t hash);

// Whether the compiler of GLSL knows an extension, "GL_KHR_cooperative_matrix".
bool compile_knows(const char *extension);

#endif

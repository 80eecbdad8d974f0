// SPDX-License-Identifier: Apache-2.0
// GLSL and HLSL to SPIR-V by libshaderc, cached on disk by content.
//
// The key is a hash of the preprocessed source's tokens (so that an edited include counts), the target and
// the compiler's version; a cache file whose header, length or checksum is off is ignored with a
// warning and made anew.
#ifndef VKASSAY_DEVICE_COMPILE_H
#define VKASSAY_DEVICE_COMPILE_H

#include "../base/arena.h"
#include "../base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct define {
    const char *name, *value;
};
struct spirv {
    uint32_t *words; // in the arena
    size_t count;
    uint64_t source_hash; // of the preprocessed source's tokens (source_hash.h)
    bool cached;
    int64_t ns;
};

// `includes`: folders searched, in order, for #include "..." after the including file's own folder.
// A source that does not compile gives ERROR_COMPILE with the compiler's message. May be called from
// several threads at once.
bool compile_glsl(struct arena *arena, const char *path, const struct define *defines, size_t define_count,
    const char *const *includes, size_t include_count, const char *cache_folder, struct spirv *out, struct error *err);

// The same for HLSL; `entry` names the function.
bool compile_hlsl(struct arena *arena, const char *path, const char *entry, const struct define *defines,
    size_t define_count, const char *const *includes, size_t include_count, const char *cache_folder, struct spirv *out,
    struct error *err);

// Whether the compiler knows an extension of GLSL, "GL_KHR_cooperative_matrix".
bool compile_knows(const char *extension);

#endif
